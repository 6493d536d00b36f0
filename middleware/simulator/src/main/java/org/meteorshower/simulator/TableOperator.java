/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.MoveSteps;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.SequentialReads;

/**
 * Disables the table and enables it again, and brings each node the news of that at its own time, as Cassandra's schema
 * does. Where the table holds data it is repaired in full once all nodes have heard, and its baseline confirmed, as
 * docs/INSTALL.md says; in some plans the nodes see to that.
 */
final class TableOperator {
    private static final long LOOK_EVERY_MICROS = 300_000;
    private static final long AGAIN_MICROS = 200_000;
    private static final long SLOW_MICROS = 5_000_000;
    private static final long STRIKES_EVERY_MICROS = 8_000_000;
    private static final int MOST_STRIKES = 3;
    private static final long LONGEST_FILL_MICROS = 1_500_000;

    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final SimulationPlan.Switching switching;
    private final List<SimulatedNode> nodes;
    private final Network network;
    private final Outages outages;
    private final RingRepair repair;
    private final @Nullable RepairSharing sharing;
    private final List<ReplicaGroup> groups = new ArrayList<>();
    private final Set<Integer> repairing = new HashSet<>();
    private TableSchema schema = TableSchema.FIRST;
    private int due;
    private int strikes;

    TableOperator(
            Scheduler scheduler,
            SplittableRandom random,
            SimulationPlan plan,
            List<SimulatedNode> nodes,
            Network network,
            Placement home,
            Promises promises,
            Outages outages) {
        this.scheduler = scheduler;
        this.random = random;
        this.switching = plan.faults().special().switching();
        this.nodes = nodes;
        this.network = network;
        this.outages = outages;
        this.repair = new RingRepair(scheduler, random, plan, nodes, network);
        this.sharing = plan.sharesRepairs()
                ? new RepairSharing(scheduler, random.split(), plan, nodes, network, repair, promises)
                : null;
        this.due = switching.times();
        for (int partition = 0; partition < Ring.GROUPS; partition++) {
            groups.add(home.replicasOf(Session.key(partition)));
        }
    }

    void plan() {
        scheduler.after(1_200_000 + random.nextLong(switching.pauseMicros()), this::change);
        if (sharing != null) {
            strikes = random.nextInt(MOST_STRIKES + 1);
            scheduler.after(random.nextLong(STRIKES_EVERY_MICROS), this::strike);
        }
    }

    /** What a node takes now nobody else gets; then it crashes, and it may forget that it has stamped that. */
    private void strike() {
        if (due > 0 && strikes-- > 0) {
            SimulatedNode victim = outages.any();
            outages.note("n" + victim.number + " is cut off, and will crash");
            outages.cutOff(victim.number);
            scheduler.after(50_000 + random.nextLong(400_000), () -> {
                outages.crash(victim, 20_000 + random.nextInt(200_000));
                outages.reconnect(victim.number);
            });
            scheduler.after(random.nextLong(STRIKES_EVERY_MICROS), this::strike);
        }
    }

    private void change() {
        List<SimulatedNode> able =
                nodes.stream().filter(SimulatedNode::isRunning).toList();
        if (able.isEmpty()) {
            scheduler.after(AGAIN_MICROS, this::change);
            return;
        }
        schema = schema.next();
        TableSchema next = schema;
        SimulatedNode first = able.get(random.nextInt(able.size()));
        outages.note("the table is " + next + ", says n" + first.number);
        table(first).hears(next);
        // It restarts before the others have heard, and goes on with an ordinary table.
        boolean restarts = random.nextInt(4) == 0;
        nodes.stream()
                .filter(node -> node != first)
                .forEach(node -> tell(node, delayMicros() + (restarts ? 1_000_000 : 0), next));
        if (restarts) {
            scheduler.after(random.nextInt(200_000), () -> outages.crash(first, 20_000 + random.nextInt(200_000)));
        }
        if (--due > 0) {
            scheduler.after(pauseMicros(), this::change);
        }
    }

    /** Mostly long enough for all to hear of it, now and then not. */
    private long pauseMicros() {
        long longest = switching.pauseMicros();
        if (switching.live() && !schema.enabled()) {
            longest /= 3; // what is tried begins when it is enabled
        }
        return 200_000 + random.nextLong(random.nextInt(3) == 0 ? longest / 6 : longest);
    }

    private static SwitchedTable table(SimulatedNode node) {
        return (SwitchedTable) node.table();
    }

    /** Mostly within a second, now and then several. */
    private long delayMicros() {
        return 10_000 + random.nextLong(random.nextInt(switching.slowNews()) == 0 ? SLOW_MICROS : 600_000);
    }

    private void tell(SimulatedNode node, long afterMicros, TableSchema news) {
        scheduler.after(afterMicros, () -> {
            if (!node.isUp()) {
                return; // it asks when it starts
            }
            boolean reached = nodes.stream()
                    .anyMatch(other -> other != node
                            && other.isRunning()
                            && table(other).declared().change() >= news.change()
                            && !network.isCut(other.number, node.number));
            if (reached) {
                node.act(() -> table(node).hears(news));
            } else {
                tell(node, AGAIN_MICROS + random.nextLong(1_000_000), news);
            }
        });
    }

    /** A life of the node has begun. */
    void begun(SimulatedNode node) {
        tell(node, delayMicros(), schema);
        lookOn(node, node.life());
    }

    private void lookOn(SimulatedNode node, int life) {
        scheduler.after(LOOK_EVERY_MICROS, () -> {
            if (node.isUp() && node.life() == life) {
                node.act(() -> look(node));
                lookOn(node, life);
            }
        });
    }

    /** What the node does by itself, and what an operator does there. */
    private void look(SimulatedNode node) {
        SwitchedTable table = table(node);
        table.sync();
        boolean unused = table.isEnding();
        UUID name = table.followed();
        SequentialReads core = node.core();
        if (name == null || core == null) {
            return;
        }
        MoveSteps steps = new MoveSteps(node.id, table, id -> true, false);
        switch (steps.next(core.view(), name, table.isRepairedByNodes(), table.earlierNames())) {
            case FOLLOWED -> node.perform(new Event.TableFollowed(name));
            case REPAIR -> repair(node, name);
            case FORGET -> table.forgetEarlier();
            default -> {
                if (whyNotServed(node) == null) {
                    table.served();
                } else if (!table.isRepairedByNodes() && !core.view().hasBaseline(name) && haveAllHeard(name)) {
                    repair(node, name);
                }
            }
        }
    }

    private static SequentialReads core(SimulatedNode node) {
        return Objects.requireNonNull(node.core());
    }

    private boolean haveAllHeard(UUID name) {
        return nodes.stream()
                .allMatch(node -> node.isRunning() && name.equals(table(node).followed()));
    }

    private void repair(SimulatedNode node, UUID name) {
        boolean fills = core(node).view().isFilledByNodes(name);
        if (fills && sharing != null) {
            sharing.look(
                    node, name, groups, () -> name.equals(table(node).followed()), () -> repaired(node, name, true));
            return;
        }
        if ((!fills && !haveAllHeard(name)) || !repairing.add(node.life() * 100 + node.number)) {
            return;
        }
        int life = node.life();
        if (fills) {
            node.later(random.nextLong(LONGEST_FILL_MICROS), () -> repair(node, name, life, true));
        } else {
            repair(node, name, life, false);
        }
    }

    private void repair(SimulatedNode node, UUID name, int life, boolean fills) {
        repair.run(node, groups, all -> true, repaired -> {
            repairing.remove(life * 100 + node.number);
            if (repaired && name.equals(table(node).followed())) {
                repaired(node, name, fills);
            }
        });
    }

    private static void repaired(SimulatedNode node, UUID name, boolean fills) {
        node.perform(fills ? new Event.TableRepaired(name) : new Event.BaselineConfirmed(name));
    }

    boolean isEnabled() {
        return schema.enabled();
    }

    /** Where the partition lives. */
    List<SimulatedNode> replicas(PartitionKey key) {
        return nodes.get(0).table().targets(key);
    }

    /** Why the table is not everywhere what the schema says; null where it is. */
    @Nullable
    String whyUnserved() {
        if (due > 0) {
            return "the table is to be switched " + due + " times more";
        }
        for (SimulatedNode node : nodes) {
            String why = whyNotServed(node);
            if (why != null) {
                return "n" + node.number + ": " + why;
            }
        }
        return null;
    }

    private @Nullable String whyNotServed(SimulatedNode node) {
        SwitchedTable table = table(node);
        SequentialReads core = node.core();
        if (core == null || table.declared().change() < schema.change()) {
            return "it has not heard that the table is " + schema;
        }
        if (!schema.enabled()) {
            return table.isEnding() ? "requests wait, since others may still serve the table" : null;
        }
        UUID name = table.followed();
        if (name == null) {
            return "it does not follow the table";
        }
        NodeId self = node.id;
        for (ReplicaGroup group : groups) {
            String why = group.contains(self) ? core.view().notReady(name, group) : null;
            if (why != null) {
                return why;
            }
        }
        return table.earlierNames().isEmpty() ? null : "it still answers to an earlier name";
    }
}
