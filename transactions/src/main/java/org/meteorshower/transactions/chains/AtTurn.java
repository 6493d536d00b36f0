/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Holdings;
import org.meteorshower.transactions.language.Program;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Transaction;

/**
 * A request at its turn: what it holds, what it looks for besides, and what comes of it. That follows from the request
 * and the rows, whoever gathers them, and wherever they are: also that it looks too often, or for too much.
 */
public final class AtTurn {
    /**
     * More bytes of rows are not gathered: more than is taken of one range, since some of them may be deleted first.
     */
    public static final long MOST_BYTES = 2L * Range.MOST_BYTES;

    private final Requests requests;
    private final Holdings held = new Holdings();

    /** What it looked for, and is not held yet; null where nothing is. */
    private Holdings.@Nullable Missing missing;

    /** So often it was run, and something was missing. */
    private int looks;

    /** What comes of it whatever its other rows hold; null while it depends on them. */
    private @Nullable Evaluation stopped;

    public AtTurn(Requests requests) {
        this.requests = requests;
    }

    /** A row that it names, that it looked for, or of a range of those. */
    public void hold(RowKey key, Row row) {
        held.hold(key, row);
    }

    /** What must be gathered before it is run again; null where nothing is missing. */
    public Holdings.@Nullable Missing missing() {
        return missing;
    }

    /**
     * It holds what was missing, or as much as shows that it is too large.
     *
     * @param bytes of all that was gathered for it
     */
    public void gathered(long bytes) {
        Holdings.Missing found = missing;
        if (bytes > MOST_BYTES) {
            stopped = Program.tooLarge();
        } else if (found != null) {
            found.ranges().forEach(held::hold);
        }
        missing = null;
    }

    /** Runs it on what it holds. What comes of it counts where then nothing is {@linkplain #missing}. */
    public Evaluation evaluate() {
        Evaluation evaluation = requests.evaluate(held, stopped);
        missing = held.takeMissing();
        if (missing == null) {
            return evaluation;
        } else if (looks++ == Transaction.MOST_LOOKS) {
            stopped = Program.tooDeep();
            missing = null;
            return requests.evaluate(held, stopped);
        }
        return evaluation;
    }

    /** This comes of it, whatever other rows hold. */
    void stop(Evaluation evaluation) {
        stopped = evaluation;
    }

    boolean isStopped() {
        return stopped != null;
    }

    SortedMap<RowKey, Row> rows() {
        return held.rows();
    }

    int size() {
        return held.size();
    }

    void clear() {
        held.clear();
    }
}
