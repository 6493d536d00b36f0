/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.meteorshower.transactions.chains.QueuedRows;
import org.meteorshower.transactions.chains.RowMemory;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;

/**
 * What a range's server reads from the tables, and writes behind: all rows as of each cut that is due, and more often
 * where rows take too much.
 */
final class Tables {
    private static final long NONE = -1;

    /** However late a row is due, what is noted of it in the tables is noted once more: see {@link Dues}. */
    private static final long NOTHING_LOOKED_AT = 0;

    private final RowMemory memory;
    private final QueuedRows rows;
    private final Outbox outbox;
    private final long mostDirtyBytes;
    private final Dues dues = new Dues();
    private final KeyReads keys;

    /** Rows of which nothing was found that can be believed: K has passed this server, and it has not heard of it. */
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

    /**
     * @param mostRows in memory, about
     * @param mostBytes that rows may take
     */
    Tables(Outbox outbox, int mostRows, long mostBytes) {
        this.outbox = outbox;
        this.mostDirtyBytes = mostBytes / 4;
        this.memory = new RowMemory(this::read, mostRows, mostBytes, 0, 0);
        this.keys = new KeyReads(outbox);
        this.rows = new QueuedRows(memory, keys::ask);
    }

    private void read(Effect.ReadRows wanted) {
        outbox.emit(new ServerEffect.Read(wanted.edition(), wanted.below(), wanted.rows()));
    }

    QueuedRows rows() {
        return rows;
    }

    /** About how many bytes of heap the rows take. */
    long bytes() {
        return memory.bytes() + rows.bytes();
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

    /** When the first ends of what was written since K; {@link org.meteorshower.transactions.language.Row#NEVER}. */
    long firstDue(long done) {
        return dues.first(done);
    }

    /**
     * To be called at the end of a step.
     *
     * @param executed all below are executed
     * @param done nobody reads as of an earlier count
     * @param isShort whether more would be executed if there was room
     * @param first the rows of the first transaction that has not ended here
     */
    void flush(long executed, long done, boolean isShort, List<RowKey> first) {
        if (held != NONE) {
            writeBehind(executed, done, isShort);
            memory.flush(executed, first);
        }
    }

    private void writeBehind(long executed, long done, boolean isShort) {
        if (asOf != NONE) {
            return;
        }
        boolean isDue = held < cut;
        long as = isDue ? Math.min(executed, cut) : executed;
        boolean isTooMuch = memory.dirtyBytes() > mostDirtyBytes || ((isShort || memory.isShort()) && memory.isDirty());
        if ((isDue && as == cut) || (as > held && isTooMuch)) {
            asOf = as;
            underWay = Dues.noted(memory.unwritten(as, done, NOTHING_LOOKED_AT));
            underWayRequest = outbox.nextRequest();
            outbox.emit(new ServerEffect.Write(underWayRequest, as, underWay));
        }
    }

    /** Returns whether that was a cut that was due. */
    boolean written(long request) {
        if (asOf == NONE || request != underWayRequest) {
            return false;
        }
        dues.written(asOf, underWay);
        memory.durable(underWay, asOf);
        held = asOf;
        asOf = NONE;
        underWay = List.of();
        heldCut = held == cut ? cut : heldCut;
        return held == cut;
    }

    /**
     * Rows have come.
     *
     * @param noted K as it was noted after they were read
     * @param executed all below are executed here
     */
    void read(long request, Map<RowKey, StoredRow> read, long noted, long executed) {
        if (request != memory.edition()) {
            return; // asked for before the server began anew
        }
        Map<RowKey, StoredRow> believed = new HashMap<>();
        for (Map.Entry<RowKey, StoredRow> each : read.entrySet()) {
            if (isGone(each.getValue()) || (noted > executed && mayBeForgotten(each.getValue()))) {
                gone.add(each.getKey());
            } else {
                believed.put(each.getKey(), each.getValue());
            }
        }
        rows.loaded(memory.edition(), believed);
    }

    private static boolean isGone(StoredRow stored) {
        return stored.version() == StoredRow.PAST_GONE;
    }

    /** What is absent is so by no version that is there, maybe: then it is not known that there never was one. */
    private static boolean mayBeForgotten(StoredRow stored) {
        return stored.version() == 0 || !stored.row().exists();
    }

    /**
     * Keys of rows have come.
     *
     * @param noted K as it was noted after they were read
     * @param executed all below are executed here
     */
    void keysRead(long request, List<RowKey> read, boolean more, long noted, long executed) {
        if (keys.come(request, noted, executed)) {
            rows.keysRead(request, read, more);
        }
    }

    /** Asks once more for what was gone. */
    void tick() {
        keys.tick();
        memory.readAgain(gone);
        gone.clear();
    }

    void beginAnew(long from) {
        held = from;
        heldCut = NONE;
        asOf = NONE;
        underWay = List.of();
        gone.clear();
        dues.clear();
        keys.clear();
        rows.jump();
        memory.jump(memory.edition() + 1, from);
    }
}
