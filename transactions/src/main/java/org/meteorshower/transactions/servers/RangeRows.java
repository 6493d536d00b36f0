/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;

/**
 * The rows of one range in memory. A row is read when somebody queues for it: until then, and while it is being read,
 * nobody can change it. Those that nobody needs and that are in the tables go, the longest unused first.
 */
final class RangeRows {
    private final long mostBytes;

    /** The longest unused first. */
    private final Map<RowKey, RangeRow> rows = new LinkedHashMap<>(64, 0.75f, true);

    private final SortedSet<RowKey> wanted = new TreeSet<>();
    private final SortedSet<RowKey> dirty = new TreeSet<>();
    private long bytes;
    private long dirtyBytes;

    RangeRows(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    long bytes() {
        return bytes;
    }

    /** What was written since rows were last taken to be written behind. */
    long dirtyBytes() {
        return dirtyBytes;
    }

    RangeRow row(RowKey key) {
        RangeRow row = rows.get(key);
        if (row == null) {
            row = new RangeRow(key);
            rows.put(key, row);
            wanted.add(key);
            bytes += row.weight();
        }
        return row;
    }

    /** Those that are to be read and were not asked for yet. */
    SortedSet<RowKey> takeWanted() {
        SortedSet<RowKey> taken = new TreeSet<>(wanted);
        wanted.clear();
        return taken;
    }

    /** They are to be asked for once more. */
    void wantAgain(SortedSet<RowKey> keys) {
        wanted.addAll(keys);
    }

    /** Returns the row; null where nobody waits for it. */
    @Nullable
    RangeRow load(RowKey key, StoredRow stored) {
        RangeRow row = rows.get(key);
        if (row == null || row.isLoaded()) {
            return null;
        }
        bytes -= row.weight();
        row.load(stored);
        bytes += row.weight();
        return row;
    }

    void write(RangeRow row, long version, Row written, long executed, long cut) {
        long before = row.weight();
        row.write(version, written, executed, cut);
        long more = row.weight() - before;
        bytes += more;
        dirtyBytes += dirty.add(row.key) ? row.weight() : more;
    }

    /**
     * What the tables lack as of a count.
     *
     * @param done older versions than the newest one as of this count may go
     */
    List<RowWrite> unwritten(long asOf, long done) {
        List<RowWrite> unwritten = new ArrayList<>();
        for (RowKey key : dirty) {
            RowWrite row = row(key).unwritten(asOf, done);
            if (row != null) {
                unwritten.add(row);
            }
        }
        dirtyBytes = 0;
        return unwritten;
    }

    void written(List<RowWrite> durable) {
        for (RowWrite each : durable) {
            RangeRow row = row(each.key());
            row.written(each.row().version());
            if (!row.isDirty()) {
                dirty.remove(row.key);
            }
        }
    }

    void letGo() {
        Iterator<RangeRow> oldestFirst = rows.values().iterator();
        while (bytes > mostBytes && oldestFirst.hasNext()) {
            RangeRow row = oldestFirst.next();
            if (row.isIdle()) {
                bytes -= row.weight();
                oldestFirst.remove();
            }
        }
    }

    void beginAnew() {
        rows.clear();
        wanted.clear();
        dirty.clear();
        bytes = 0;
        dirtyBytes = 0;
    }
}
