/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.meteorshower.simulator.Cell;

/**
 * A session as it stands: one operation at a time, with its token. Immutable.
 *
 * @param results of the operations it has begun, in order
 * @param waiting whether the last of them goes on
 */
record Client(List<Result> results, boolean waiting, long tokenMicros) {
    /** What became of an operation. */
    enum Outcome {
        /** Not answered: it goes on, or its node has died. A write may take effect. */
        OPEN,
        DONE,
        REFUSED
    }

    /**
     * @param timestampMicros of a write; 0 until it is stamped
     * @param cutMicros of a read
     * @param content of the row that was read
     */
    record Result(Outcome outcome, long timestampMicros, long cutMicros, SortedMap<Integer, Cell> content) {
        static final Result BEGUN = new Result(Outcome.OPEN, 0, 0, new TreeMap<>());
    }

    static final Client NEW = new Client(List.of(), false, 0);

    Client begins() {
        List<Result> more = new ArrayList<>(results);
        more.add(Result.BEGUN);
        return new Client(List.copyOf(more), true, tokenMicros);
    }

    /** Nobody answers any more. */
    Client givesUp() {
        return new Client(results, false, tokenMicros);
    }

    Client hears(Output output, boolean keepsWriteTokens) {
        Result last = results.get(results.size() - 1);
        if (output instanceof Output.Stamped stamped) {
            return with(new Result(Outcome.OPEN, stamped.timestampMicros(), 0, last.content), true, 0);
        } else if (output instanceof Output.Written written) {
            return with(
                    new Result(Outcome.DONE, last.timestampMicros, 0, last.content),
                    false,
                    keepsWriteTokens ? written.tokenMicros() : 0);
        } else if (output instanceof Output.Read read) {
            return with(new Result(Outcome.DONE, 0, read.cutMicros(), read.content()), false, read.cutMicros());
        }
        return with(new Result(Outcome.REFUSED, last.timestampMicros, 0, last.content), false, 0);
    }

    private Client with(Result last, boolean waits, long token) {
        List<Result> changed = new ArrayList<>(results);
        changed.set(changed.size() - 1, last);
        return new Client(List.copyOf(changed), waits, Math.max(tokenMicros, token));
    }
}
