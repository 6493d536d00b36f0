/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;

/**
 * A repair of what a node holds, in which each replica looks at its store at its own time, and gets what it lacked then
 * some time later: past the core, by streams, or, in half of the runs, as mutations like any other, as a read of all
 * replicas brings it. And the streams to and from nodes that join and leave.
 */
final class RingRepair {
    private static final long LOOKED_WITHIN_MICROS = 250_000;
    private static final long STREAMED_WITHIN_MICROS = 600_000;
    private static final long LOST_AFTER_MICROS = 10_000_000;

    /** A read of all replicas fails then. */
    private static final long TAKEN_WITHIN_MICROS = 2_000_000;

    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final SimulationPlan plan;
    private final List<SimulatedNode> nodes;
    private final Network network;

    RingRepair(
            Scheduler scheduler,
            SplittableRandom random,
            SimulationPlan plan,
            List<SimulatedNode> nodes,
            Network network) {
        this.scheduler = scheduler;
        this.random = random;
        this.plan = plan;
        this.nodes = nodes;
        this.network = network;
    }

    /** One replica that takes part, and what it held when it looked. */
    private static final class Part {
        final SimulatedNode node;
        final int life;
        final Map<PartitionKey, Map<Integer, Cell>> held = new HashMap<>();
        boolean looked;

        Part(SimulatedNode node) {
            this.node = node;
            this.life = node.life();
        }

        boolean isUp() {
            return node.isUp() && node.life() == life;
        }
    }

    /**
     * Repairs what the node holds, by these replica sets.
     *
     * @param asked the partitions that are to be repaired, of those that it holds
     * @param ended hears whether all replicas took part to the end; not called if the node crashes
     */
    void run(SimulatedNode by, List<ReplicaGroup> groups, IntPredicate asked, Consumer<Boolean> ended) {
        long longestMicros = plan.faults().special().moves().repairMicros();
        if (longestMicros == 0) {
            runNow(by, groups, asked, ended);
            return;
        }
        long beforeMicros = random.nextLong(longestMicros);
        long afterMicros = random.nextLong(longestMicros - beforeMicros);
        by.later(
                beforeMicros,
                () -> runNow(by, groups, asked, repaired -> by.later(afterMicros, () -> ended.accept(repaired))));
    }

    private void runNow(SimulatedNode by, List<ReplicaGroup> groups, IntPredicate asked, Consumer<Boolean> ended) {
        Map<PartitionKey, ReplicaGroup> keys = new LinkedHashMap<>();
        Set<NodeId> members = new LinkedHashSet<>();
        for (int partition = 0; partition < plan.workload().partitions(); partition++) {
            ReplicaGroup group = groups.get(partition % Ring.GROUPS);
            if (group.contains(by.id) && asked.test(partition)) {
                keys.put(Session.key(partition), group);
                members.addAll(group.members());
            }
        }
        List<Part> parts = new ArrayList<>();
        members.forEach(id -> parts.add(new Part(nodes.get(SimulatedNode.numberOf(id)))));
        for (Part part : parts) {
            scheduler.after(random.nextLong(LOOKED_WITHIN_MICROS), () -> {
                if (isReached(by, part)) {
                    part.node.act(() -> {
                        part.looked = true;
                        keys.forEach((key, group) -> {
                            if (group.contains(part.node.id)) {
                                part.held.put(key, new TreeMap<>(part.node.store.partition(key)));
                            }
                        });
                    });
                }
            });
        }
        by.later(LOOKED_WITHIN_MICROS + random.nextLong(100_000), () -> exchange(by, keys, parts, ended));
    }

    private boolean isReached(SimulatedNode by, Part part) {
        return part.isUp()
                && !network.isCut(by.number, part.node.number)
                && !network.isCut(part.node.number, by.number);
    }

    private void exchange(
            SimulatedNode by, Map<PartitionKey, ReplicaGroup> keys, List<Part> parts, Consumer<Boolean> ended) {
        if (!parts.stream().allMatch(part -> part.looked && isReached(by, part))) {
            ended.accept(false);
            return;
        }
        if (parts.isEmpty()) {
            ended.accept(true); // it holds none of the partitions that clients work on
            return;
        }
        int[] open = {parts.size()};
        boolean[] failed = {false};
        boolean byReading = plan.seed() % 2 == 0;
        for (Part part : parts) {
            Map<PartitionKey, Map<Integer, Cell>> lacking = new LinkedHashMap<>();
            keys.forEach((key, group) -> {
                if (group.contains(part.node.id)) {
                    Map<Integer, Cell> more = lacking(key, part, parts);
                    if (!more.isEmpty()) {
                        lacking.put(key, more);
                    }
                }
            });
            Consumer<Boolean> brought = arrived -> {
                failed[0] |= !arrived || !isReached(by, part);
                if (--open[0] == 0) {
                    by.later(0, () -> ended.accept(!failed[0]));
                }
            };
            if (byReading) {
                write(by, part.node, lacking, brought);
            } else {
                stream(part.node, lacking, Map.of(), brought);
            }
        }
    }

    /** Sends a node mutations of what it lacks; hears whether it has taken them all. */
    private void write(
            SimulatedNode by,
            SimulatedNode to,
            Map<PartitionKey, Map<Integer, Cell>> lacking,
            Consumer<Boolean> brought) {
        Set<PartitionKey> open = new LinkedHashSet<>(lacking.keySet());
        boolean[] told = {false};
        Consumer<Boolean> once = arrived -> {
            if (!told[0]) {
                told[0] = true;
                brought.accept(arrived);
            }
        };
        if (lacking.isEmpty() || plan.bug() == Bug.REPAIR_READ_UNTAKEN) {
            once.accept(true);
            return;
        }
        lacking.forEach((key, cells) -> {
            CellUpdate update = new CellUpdate(key, cells);
            network.send(
                    by.number,
                    to.number,
                    () -> to.act(() -> to.mutate(
                            update,
                            Sent.by(
                                    null,
                                    () -> network.send(to.number, by.number, () -> {
                                        open.remove(key);
                                        if (open.isEmpty()) {
                                            once.accept(true);
                                        }
                                    })))));
        });
        scheduler.after(TAKEN_WITHIN_MICROS, () -> once.accept(false));
    }

    private static Map<Integer, Cell> lacking(PartitionKey key, Part part, List<Part> parts) {
        Map<Integer, Cell> held = part.held.getOrDefault(key, Map.of());
        Map<Integer, Cell> lacking = new TreeMap<>();
        for (Part other : parts) {
            other.held.getOrDefault(key, Map.of()).forEach((cell, value) -> {
                if (!value.equals(held.get(cell)) && value.equals(Cell.latest(value, held.get(cell)))) {
                    lacking.merge(cell, value, Cell::latest);
                }
            });
        }
        return lacking;
    }

    /**
     * Brings a node's store some cells, after a while; its core hears of it before and after.
     *
     * @param from whom a partition comes from; who is not named is a replica like the others
     */
    void stream(
            SimulatedNode to,
            Map<PartitionKey, Map<Integer, Cell>> cells,
            Map<PartitionKey, NodeId> from,
            Consumer<Boolean> arrived) {
        int life = to.life();
        scheduler.after(random.nextLong(STREAMED_WITHIN_MICROS), () -> {
            if (!to.isUp() || to.life() != life) {
                arrived.accept(false);
            } else if (cells.isEmpty()) {
                arrived.accept(true);
            } else {
                boolean[] told = {false};
                to.act(() -> {
                    to.table().dataComes(from);
                    boolean held = cells.keySet().stream()
                            .anyMatch(key -> to.table().replicas(key).contains(to));
                    UUID name = held ? to.table().name() : null;
                    tell(to, name == null ? null : new Event.ForeignDataComing(name));
                    cells.forEach(to.store::absorb);
                    tell(to, name == null ? null : new Event.ForeignData(name));
                    if (!told[0]) {
                        told[0] = true;
                        arrived.accept(true);
                    }
                });
                if (!told[0]) {
                    // It is paused. Should it crash before that is over, it forgets what it was to do, and nobody would
                    // be told.
                    scheduler.after(LOST_AFTER_MICROS, () -> {
                        if (!told[0]) {
                            told[0] = true;
                            arrived.accept(false);
                        }
                    });
                }
            }
        });
    }

    private static void tell(SimulatedNode node, @Nullable Event event) {
        if (event != null) {
            node.perform(event);
        }
    }
}
