/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.List;
import java.util.Locale;

/**
 * What came of a unit. Immutable.
 *
 * @param numbers of an order its number; of a delivery the order delivered, or none; of recent items these; of a count
 *     it; of a last order its number and that of its lines, or none
 * @param cents what an order costs, what was delivered is worth, what a customer has; 0 of others
 * @param retries how often the client tried again before
 * @param reason why it did not commit; empty where it did
 */
public record Answer(Status status, List<Integer> numbers, long cents, int retries, String reason) {
    /** One of the four. */
    public enum Status {
        /** It took effect, once. */
        COMMIT,
        /** As the standard wants of one new order in a hundred: no effect. */
        ROLLBACK,
        /** It took no effect and never will. */
        ABORT,
        /** It may have taken effect, or may still, or not. */
        UNKNOWN;

        /** As reports name it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Answer {
        numbers = List.copyOf(numbers);
    }

    public static Answer committed(List<Integer> numbers, long cents) {
        return new Answer(Status.COMMIT, numbers, cents, 0, "");
    }

    public static Answer rolledBack() {
        return new Answer(Status.ROLLBACK, List.of(), 0, 0, "an item that there is not");
    }

    public static Answer aborted(int retries, String reason) {
        return new Answer(Status.ABORT, List.of(), 0, retries, reason);
    }

    public static Answer unknown(int retries, String reason) {
        return new Answer(Status.UNKNOWN, List.of(), 0, retries, reason);
    }

    public Answer after(int tries) {
        return new Answer(status, numbers, cents, tries, reason);
    }

    public boolean isCommitted() {
        return status == Status.COMMIT;
    }
}
