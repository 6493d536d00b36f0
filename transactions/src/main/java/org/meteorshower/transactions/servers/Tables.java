/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;

/**
 * A range's rows in its tables. Written behind as of the cut that is due, and earlier where they take too much; never
 * past a cut that is due. Read as of what this server knows to be there.
 */
final class Tables {
    private static final long NONE = -1;

    private final RangeRows rows;
    private final Outbox outbox;
    private final long mostDirtyBytes;

    /** By request: what is being read. What was asked for before the server began anew is worth nothing. */
    private final Set<Long> reads = new HashSet<>();

    /** Rows whose past is gone from the tables: K has passed this server, and it has not heard of it. */
    private final SortedSet<RowKey> gone = new TreeSet<>();

    /** The count as of which rows are to be written. */
    private long cut = NONE;

    /** The last count as of which just that was done. */
    private long heldCut = NONE;

    /** The tables hold this range's rows as of this count. */
    private long held = NONE;

    /** As of which count rows are being written; {@link #NONE} where none are. */
    private long asOf = NONE;

    private List<RowWrite> underWay = List.of();
    private long underWayRequest;

    Tables(RangeRows rows, Outbox outbox, long mostDirtyBytes) {
        this.rows = rows;
        this.outbox = outbox;
        this.mostDirtyBytes = mostDirtyBytes;
    }

    /** The sequencer's word. It must be no lower than any count of which there was a slice. */
    void cutDue(long count) {
        cut = count;
        heldCut = held == count ? count : heldCut;
    }

    long cut() {
        return cut;
    }

    /** The cut that is due; less than 0 where none is. */
    long dueCut() {
        return held < cut ? cut : NONE;
    }

    /** The last cut of which the tables hold everything, as of just that count; less than 0 where none was told. */
    long heldCut() {
        return heldCut;
    }

    /**
     * To be called at the end of a step.
     *
     * @param executed all below are executed
     * @param done nobody reads as of an earlier count
     */
    void flush(long executed, long done) {
        writeBehind(executed, done);
        SortedSet<RowKey> wanted = rows.takeWanted();
        if (!wanted.isEmpty()) {
            long request = outbox.nextRequest();
            reads.add(request);
            outbox.emit(new ServerEffect.Read(request, held, wanted));
        }
    }

    private void writeBehind(long executed, long done) {
        if (held == NONE || asOf != NONE) {
            return;
        }
        boolean isDue = held < cut;
        long as = isDue ? Math.min(executed, cut) : executed;
        if ((isDue && as == cut) || (as > held && rows.dirtyBytes() > mostDirtyBytes)) {
            asOf = as;
            underWay = rows.unwritten(as, done);
            underWayRequest = outbox.nextRequest();
            outbox.emit(new ServerEffect.Write(underWayRequest, underWay));
        }
    }

    /** Returns whether that was a cut that was due. */
    boolean written(long request) {
        if (asOf == NONE || request != underWayRequest) {
            return false;
        }
        rows.written(underWay);
        held = asOf;
        asOf = NONE;
        underWay = List.of();
        heldCut = held == cut ? cut : heldCut;
        return held == cut;
    }

    /** Returns the rows that were waited for. */
    List<RangeRow> read(long request, Map<RowKey, StoredRow> read) {
        List<RangeRow> loaded = new ArrayList<>();
        if (!reads.remove(request)) {
            return loaded;
        }
        for (Map.Entry<RowKey, StoredRow> each : read.entrySet()) {
            RangeRow row = isGone(each.getValue()) ? null : rows.load(each.getKey(), each.getValue());
            if (row != null) {
                loaded.add(row);
            } else if (isGone(each.getValue())) {
                gone.add(each.getKey());
            }
        }
        return loaded;
    }

    private static boolean isGone(StoredRow stored) {
        return stored.version() == StoredRow.PAST_GONE;
    }

    /** Asks once more for what was gone. */
    void tick() {
        rows.wantAgain(gone);
        gone.clear();
    }

    void beginAnew(long from) {
        held = from;
        heldCut = NONE;
        asOf = NONE;
        underWay = List.of();
        reads.clear();
        gone.clear();
        rows.beginAnew();
    }
}
