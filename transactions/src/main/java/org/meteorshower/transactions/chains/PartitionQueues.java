/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.RowOrder;

/**
 * Chains by the partitions of their rows, in merged order. One that reads a range has the partition to itself: it waits
 * for all before it there, and all behind wait for it. The others do not wait for each other here. Only partitions that
 * somebody reads a range of have a queue.
 */
final class PartitionQueues {
    /** Rows with a common part of their keys. */
    record Partition(String table, String partition) {
        static Partition of(Range range) {
            return new Partition(range.table(), range.partition());
        }

        static @Nullable Partition of(RowKey row) {
            String partition = RowOrder.partition(row);
            return partition == null ? null : new Partition(row.table(), partition);
        }
    }

    /** Of one partition. */
    private static final class Queue {
        private final Partition partition;
        private final ArrayDeque<Chain> chains = new ArrayDeque<>();

        Queue(Partition partition, List<Chain> before) {
            this.partition = partition;
            for (Chain chain : before) {
                if (partitions(chain).contains(partition)) {
                    chains.add(chain);
                }
            }
        }

        boolean isAlone(Chain chain) {
            return chain.ranges().stream().anyMatch(range -> Partition.of(range).equals(partition));
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
        for (Range range : chain.ranges()) {
            queues.computeIfAbsent(Partition.of(range), partition -> new Queue(partition, before.get()));
        }
        queuesOf(chain).forEach(queue -> queue.chains.add(chain));
    }

    private List<Queue> queuesOf(Chain chain) {
        if (queues.isEmpty()) {
            return List.of();
        }
        List<Queue> its = new ArrayList<>();
        for (Partition partition : partitions(chain)) {
            Queue queue = queues.get(partition);
            if (queue != null) {
                its.add(queue);
            }
        }
        return its;
    }

    private static Set<Partition> partitions(Chain chain) {
        Set<Partition> partitions = new LinkedHashSet<>();
        chain.ranges().forEach(range -> partitions.add(Partition.of(range)));
        for (RowKey row : chain.rows()) {
            Partition partition = Partition.of(row);
            if (partition != null) {
                partitions.add(partition);
            }
        }
        return partitions;
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
