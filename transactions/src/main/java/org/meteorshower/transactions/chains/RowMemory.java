/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.port.Turn;

/**
 * The rows in memory. A row is read from the store when somebody is about to need it; until then, and while it is being read,
 * nobody can change it, so what the store holds as of what is written behind is the newest. Rows that nobody needs and that are in
 * their tables go, the longest unused first, when there are too many or they take too much.
 */
public final class RowMemory {
    /** Rows that are looked at in one step for some that can go. */
    private static final int MOST_LOOKED_AT = 512;

    /** More leave a trace in the tables. */
    private static final int MOST_ENDED = 10_000;

    private final Turn turn;
    private final int mostRows;
    private final long mostBytes;

    /** The longest unused first. */
    private final Map<RowKey, RowState> states = new LinkedHashMap<>(64, 0.75f, true);

    private final TreeSet<RowKey> dirty = new TreeSet<>();
    /** Sessions of which the tables hold that they have ended; with the next cut that goes, too. */
    private final List<RowState> ended = new ArrayList<>();

    private TreeSet<RowKey> wanted = new TreeSet<>();
    private long bytes;
    private long dirtyBytes;

    /** Of the rows in the store. What was read of another one is worth nothing. */
    private int edition;

    /** So many merged entries' writes the tables hold. */
    private long written;

    public RowMemory(Turn turn, int mostRows, long mostBytes, int edition, long written) {
        this.turn = turn;
        this.mostRows = mostRows;
        this.mostBytes = mostBytes;
        this.edition = edition;
        this.written = written;
    }

    RowState state(RowKey key) {
        RowState state = states.get(key);
        if (state == null) {
            state = new RowState(key);
            states.put(key, state);
            wanted.add(key);
            bytes += state.weight();
        }
        return state;
    }

    /** About how many bytes of heap the rows take. */
    public long bytes() {
        return bytes;
    }

    /** Of those that are to be written behind, about. */
    public long dirtyBytes() {
        return dirtyBytes;
    }

    /** Whether more must not be taken in. Rows that are written behind make room. */
    public boolean isFull() {
        return bytes > mostBytes - mostBytes / 4; // what is under way brings more: each row's old and new version
    }

    /** Begins to read rows that will be needed soon. */
    public void prefetch(SortedSet<RowKey> rows) {
        if (states.size() < 2 * mostRows && !isFull()) {
            rows.forEach(this::state);
        }
    }

    /** Asks for the rows that are to be read, and lets others go. To be called at the end of a step. */
    public void flush() {
        if (!wanted.isEmpty()) {
            turn.emit(new Effect.ReadRows(edition, Version.endOf(written), wanted));
            wanted = new TreeSet<>();
        }
        letGo(MOST_LOOKED_AT);
    }

    /** Returns the states of those that were waited for. */
    List<RowState> loaded(int ofEdition, Map<RowKey, StoredRow> rows) {
        List<RowState> loaded = new ArrayList<>();
        if (ofEdition != edition) {
            return loaded;
        }
        new TreeMap<>(rows).forEach((key, row) -> {
            RowState state = states.get(key);
            if (state != null && !state.isLoaded()) {
                bytes -= state.weight();
                state.load(row);
                bytes += state.weight();
                loaded.add(state);
            }
        });
        return loaded;
    }

    /** A chain writes a row. Versions before those that anybody reads as of {@code keepFrom} go. */
    void write(RowState state, long version, Row row, long keepFrom) {
        long before = state.weight();
        state.write(version, row);
        long taken = state.weight() - before;
        state.forgetBefore(keepFrom);
        bytes += state.weight() - before;
        dirtyBytes += taken;
        dirty.add(state.key);
    }

    /**
     * The rows that were written since they last became durable, as of a count.
     *
     * @param nobodyBefore nobody reads the tables as of an earlier count than this one
     */
    public List<RowWrite> unwritten(long count, long nobodyBefore) {
        List<RowWrite> rows = new ArrayList<>(dirty.size());
        for (RowKey key : dirty) {
            RowWrite row = state(key).unwritten(count, nobodyBefore);
            if (row != null) {
                rows.add(row);
            }
        }
        dirtyBytes = 0; // what is written from now on
        purge(nobodyBefore, rows);
        return rows;
    }

    /** Sessions that have ended, and that the tables hold as absent, go. No users' table has them, so nothing needs to remember that. */
    private void purge(long nobodyBefore, List<RowWrite> rows) {
        for (Iterator<RowState> all = ended.iterator(); all.hasNext(); ) {
            RowState state = all.next();
            if (state.newest().version() < Version.endOf(nobodyBefore)) {
                all.remove();
                RowWrite purge = state.purge(state.newest().version());
                if (purge != null && states.get(state.key) == state) {
                    rows.add(purge);
                }
            }
        }
    }

    /** The tables hold these, and so all that was written up to a count. */
    public void durable(List<RowWrite> rows, long count) {
        written = count;
        for (RowWrite row : rows) {
            RowState state = states.get(row.key());
            if (state != null && row.isPurge()) {
                state.purged();
            } else if (state != null) {
                state.durable(row.row().version());
                if (state.isClean()) {
                    dirty.remove(row.key());
                    noteEnded(state);
                }
            }
        }
        letGo(Integer.MAX_VALUE);
    }

    private void noteEnded(RowState state) {
        if (SessionId.isRowOfOne(state.key) && !state.newest().row().exists() && ended.size() < MOST_ENDED) {
            ended.add(state);
        }
    }

    private void letGo(int look) {
        if (states.size() <= mostRows && bytes <= mostBytes / 2) {
            return;
        }
        Iterator<RowState> oldestFirst = states.values().iterator();
        for (int left = look;
                left > 0 && (states.size() > mostRows || bytes > mostBytes / 2) && oldestFirst.hasNext();
                left--) {
            RowState state = oldestFirst.next();
            if (state.isIdle()) {
                bytes -= state.weight();
                oldestFirst.remove();
            }
        }
    }

    /** The tables hold something else now. */
    public void jump(int toEdition, long count) {
        states.clear();
        dirty.clear();
        ended.clear();
        wanted = new TreeSet<>();
        bytes = 0;
        dirtyBytes = 0;
        edition = toEdition;
        written = count;
    }
}
