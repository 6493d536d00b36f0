/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.meteorshower.transactions.language.Claim;
import org.meteorshower.transactions.language.Partition;

/**
 * Chains by the partitions of their rows, in merged order. One that {@linkplain Claim claims} a partition has it to
 * itself: it waits for all before it there, and all behind wait for it. The others do not wait for each other here.
 * Only partitions that somebody claims have a queue.
 */
final class PartitionQueues {
    /** Of one partition. */
    private static final class Queue {
        private final Partition partition;
        private final ArrayDeque<Chain> chains = new ArrayDeque<>();

        Queue(Partition partition, List<Chain> before) {
            this.partition = partition;
            for (Chain chain : before) {
                if (chain.partitions().contains(partition)) {
                    chains.add(chain);
                }
            }
        }

        boolean isAlone(Chain chain) {
            return chain.claims(partition);
        }

        @SuppressWarnings("ReferenceEquality") // a chain is itself, and no other one
        boolean admits(Chain chain) {
            boolean alone = isAlone(chain);
            for (Chain each : chains) {
                if (each == chain) {
                    return true;
                } else if (alone || isAlone(each)) {
                    return false;
                }
            }
            return true;
        }

        void leave(Chain chain, Consumer<Chain> wake) {
            chains.remove(chain);
            for (Chain each : chains) {
                if (!admits(each)) {
                    break;
                }
                wake.accept(each);
            }
        }

        boolean isNeeded() {
            return chains.stream().anyMatch(this::isAlone);
        }
    }

    private final Map<Partition, Queue> queues = new HashMap<>();

    /** @param before those that came before it and are not done, in merged order */
    void enqueue(Chain chain, Supplier<List<Chain>> before) {
        for (Claim claim : chain.claims()) {
            queues.computeIfAbsent(claim.partition(), partition -> new Queue(partition, before.get()));
        }
        queuesOf(chain).forEach(queue -> queue.chains.add(chain));
    }

    private List<Queue> queuesOf(Chain chain) {
        if (queues.isEmpty()) {
            return List.of();
        }
        List<Queue> its = new ArrayList<>();
        for (Partition partition : chain.partitions()) {
            Queue queue = queues.get(partition);
            if (queue != null) {
                its.add(queue);
            }
        }
        return its;
    }

    /** Whether nobody before it stands in its way. */
    boolean admits(Chain chain) {
        for (Queue queue : queuesOf(chain)) {
            if (!queue.admits(chain)) {
                return false;
            }
        }
        return true;
    }

    /** It is done. Those that may be admitted now are told. */
    void leave(Chain chain, Consumer<Chain> wake) {
        for (Queue queue : queuesOf(chain)) {
            queue.leave(chain, wake);
            if (!queue.isNeeded()) {
                queues.remove(queue.partition);
            }
        }
    }

    void clear() {
        queues.clear();
    }
}
