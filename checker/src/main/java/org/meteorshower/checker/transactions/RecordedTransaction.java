/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker.transactions;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction as a client saw it.
 *
 * @param steps in the order in which the transaction takes them
 * @param startNanos when the client sent it, on a clock that all sessions share
 * @param endNanos when it had the answer; not looked at for UNKNOWN
 */
public record RecordedTransaction(String session, List<Step> steps, long startNanos, long endNanos, Status status) {
    public RecordedTransaction {
        steps = List.copyOf(steps);
    }

    /** What is known of it. */
    public enum Status {
        /** It happened. */
        OK,
        /** It certainly did not, and will not. */
        FAIL,
        /** It may take effect at any time after its start, or never. */
        UNKNOWN
    }

    /** A step. */
    public sealed interface Step {
        String list();
    }

    /** Appends a value that nobody else ever appends to this list. */
    public record Append(String list, String value) implements Step {}

    /** Reads the list; {@code values} is null where the client has not seen them. */
    public record Read(String list, @Nullable List<String> values) implements Step {}

    boolean isOk() {
        return status == Status.OK;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(session).append(" {");
        for (Step step : steps) {
            if (step instanceof Append append) {
                text.append(" append ").append(append.list()).append(' ').append(append.value());
            } else if (step instanceof Read read) {
                text.append(" read ").append(read.list()).append(' ').append(read.values());
            }
        }
        return text.append(" } ").append(status).toString();
    }
}
