/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Mutations on their way into one node's store, a bounded number of them: whoever brings them goes as fast as that
 * store takes them. The store may drop what it cannot take just now, so each counts for a while only.
 */
final class Offers {
    private static final long FOR_NANOS = 5_000_000_000L;

    private static final long ASKED_FOR_NANOS = 30_000_000_000L;

    private record Offer(MutationRecord record, long nanos) {}

    private final ArrayDeque<Offer> all = new ArrayDeque<>();
    private final int most;
    private long askedNanos = Long.MIN_VALUE / 2;

    Offers(int most) {
        this.most = most;
    }

    boolean hasRoom() {
        return all.size() < most;
    }

    void add(MutationRecord record, long nowNanos) {
        all.addLast(new Offer(record, nowNanos));
    }

    /** Whether the node may be asked for a new stream: now and then, since that tells of all that it has. */
    boolean takeLeaveToAsk(long nowNanos) {
        boolean may = nowNanos - askedNanos >= ASKED_FOR_NANOS;
        askedNanos = may ? nowNanos : askedNanos;
        return may;
    }

    /**
     * Lets go of what has arrived, and of what was offered long ago.
     *
     * @param awaited whether it is still to arrive
     * @param late gets those that were offered long ago and are still to arrive
     */
    void round(long nowNanos, Predicate<MutationRecord> awaited, Consumer<MutationRecord> late) {
        for (int i = all.size(); i > 0; i--) {
            Offer one = all.removeFirst();
            if (!awaited.test(one.record)) {
                continue;
            }
            if (nowNanos - one.nanos >= FOR_NANOS) {
                late.accept(one.record);
            } else {
                all.addLast(one);
            }
        }
    }
}
