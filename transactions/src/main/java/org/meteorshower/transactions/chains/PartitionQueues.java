/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.meteorshower.transactions.language.Claim;
import org.meteorshower.transactions.language.Partition;

/**
 * Who queues, by the partitions of their rows, in merged order. One that {@linkplain Claim claims} a partition has it
 * to itself: it waits for all before it there, and all behind wait for it. The others do not wait for each other here.
 * Only partitions that somebody claims have a queue.
 */
final class PartitionQueues {
    /** Of one partition. */
    private static final class Queue {
        private final Partition partition;
        private final ArrayDeque<Claiming> queue = new ArrayDeque<>();

        Queue(Partition partition, List<? extends Claiming> before) {
            this.partition = partition;
            for (Claiming each : before) {
                if (each.touches().partitions().contains(partition)) {
                    queue.add(each);
                }
            }
        }

        boolean isAlone(Claiming who) {
            return who.touches().claims(partition);
        }

        @SuppressWarnings("ReferenceEquality") // each is itself, and no other one
        boolean admits(Claiming who) {
            boolean alone = isAlone(who);
            for (Claiming each : queue) {
                if (each == who) {
                    return true;
                } else if (alone || isAlone(each)) {
                    return false;
                }
            }
            return true;
        }

        void leave(Claiming who) {
            queue.remove(who);
            for (Claiming each : queue) {
                if (!admits(each)) {
                    break;
                }
                each.wake();
            }
        }

        boolean isNeeded() {
            return queue.stream().anyMatch(this::isAlone);
        }
    }

    private final Map<Partition, Queue> queues = new HashMap<>();

    /** @param before those that came before it and are not done, in merged order */
    void enqueue(Claiming who, Supplier<? extends List<? extends Claiming>> before) {
        for (Claim claim : who.touches().claims()) {
            queues.computeIfAbsent(claim.partition(), partition -> new Queue(partition, before.get()));
        }
        queuesOf(who).forEach(its -> its.queue.add(who));
    }

    private List<Queue> queuesOf(Claiming who) {
        if (queues.isEmpty()) {
            return List.of();
        }
        List<Queue> its = new ArrayList<>();
        for (Partition partition : who.touches().partitions()) {
            Queue queue = queues.get(partition);
            if (queue != null) {
                its.add(queue);
            }
        }
        return its;
    }

    /** Whether nobody before it stands in its way. */
    boolean admits(Claiming who) {
        for (Queue queue : queuesOf(who)) {
            if (!queue.admits(who)) {
                return false;
            }
        }
        return true;
    }

    /** It is done. Those that may be admitted now are told. */
    void leave(Claiming who) {
        for (Queue queue : queuesOf(who)) {
            queue.leave(who);
            if (!queue.isNeeded()) {
                queues.remove(queue.partition);
            }
        }
    }

    void clear() {
        queues.clear();
    }
}
