/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.merge.Merged;
import org.meteorshower.transactions.port.ChangedRow;
import org.meteorshower.transactions.port.Changes;

/**
 * What executed transactions have set, in the merged order, until it is taken to the disk, a piece at a time. Where
 * nobody wants a stream nothing is kept.
 */
public final class ChangeStream {
    private final long mostBytes;
    private List<ChangedRow> rows = new ArrayList<>();
    private long bytes;

    /** Of the last piece, until it is stored. */
    private long takenBytes;

    private long from;
    private long below;

    /**
     * @param mostBytes of heap, about; from half of it on nothing more is begun. 0 where there is no stream
     * @param start the place from which on this process executes
     */
    public ChangeStream(long mostBytes, long start) {
        this.mostBytes = mostBytes;
        this.from = start;
        this.below = start;
    }

    /** Whether there is one. */
    public boolean isKept() {
        return mostBytes > 0;
    }

    /** The place from which on nothing is executed yet. */
    public long below() {
        return below;
    }

    /** The next entry in merged order is executed. Sessions' own records are nobody's business. */
    void executed(Merged merged, List<Evaluation> evaluations) {
        below = merged.number() + 1;
        if (!isKept()) {
            return;
        }
        for (int index = 0; index < evaluations.size(); index++) {
            for (Map.Entry<RowKey, Row> write : evaluations.get(index).writes().entrySet()) {
                if (!SessionId.isRowOfOne(write.getKey())) {
                    ChangedRow changed = new ChangedRow(merged.number(), index, write.getKey(), write.getValue());
                    rows.add(changed);
                    bytes += changed.weight();
                }
            }
        }
    }

    /** About how many bytes of heap wait for the disk. */
    public long bytes() {
        return bytes + takenBytes;
    }

    /** Whether so much waits that the next piece should begin. */
    public boolean isDue() {
        return isKept() && bytes >= mostBytes / 4;
    }

    /**
     * Whether nothing more may be executed before something is stored.
     *
     * @param expectedBytes of rows that are about to be written
     */
    public boolean isFull(long expectedBytes) {
        return isKept() && bytes() + expectedBytes >= mostBytes / 2; // what is under way brings more
    }

    /** Everything since the last piece. */
    public Changes take() {
        Changes piece = new Changes(from, below, rows);
        rows = new ArrayList<>();
        takenBytes = bytes;
        bytes = 0;
        from = below;
        return piece;
    }

    /** The last piece is. */
    public void stored() {
        takenBytes = 0;
    }

    /** Execution goes on from another place. */
    void jump(long to) {
        rows = new ArrayList<>();
        bytes = 0;
        from = to;
        below = to;
    }
}
