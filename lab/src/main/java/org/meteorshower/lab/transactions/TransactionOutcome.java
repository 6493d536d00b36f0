/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import java.util.List;
import java.util.Locale;

/**
 * What a client knows of a transaction. Immutable.
 *
 * @param seen what it found in its rows, in the order of the request; empty unless it committed
 * @param retries how often the client tried again before; the latency has them in it
 * @param reason why it did not commit; empty where it did
 */
public record TransactionOutcome(Status status, List<Seen> seen, int retries, String reason) {
    /** One of the three. */
    public enum Status {
        /** It took effect, once. */
        COMMIT,
        /** It took no effect and never will. */
        ABORT,
        /** It may have taken effect, or may still, or not. */
        UNKNOWN;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A row before the transaction.
     *
     * @param version how many transactions had written it
     * @param last the id of the one that wrote it last; what it was loaded with where none did
     */
    public record Seen(long version, String last) {}

    public TransactionOutcome {
        seen = List.copyOf(seen);
    }

    public static TransactionOutcome committed(List<Seen> seen, int retries) {
        return new TransactionOutcome(Status.COMMIT, seen, retries, "");
    }

    public static TransactionOutcome aborted(int retries, String reason) {
        return new TransactionOutcome(Status.ABORT, List.of(), retries, reason);
    }

    public static TransactionOutcome unknown(int retries, String reason) {
        return new TransactionOutcome(Status.UNKNOWN, List.of(), retries, reason);
    }
}
