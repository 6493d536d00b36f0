/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;

/**
 * Lets nodes join, leave and replace dead ones, one change at a time, as Cassandra does it: first all hear that data
 * will move, and send those it moves to what is written; then it is streamed; then the ring is another one, for each
 * node from when it hears so.
 */
final class RingOperator {
    /** For how long Cassandra waits until all should know what is going to move (30 s there). */
    private static final long RING_DELAY_MICROS = 1_500_000;

    private static final long AGAIN_MICROS = 400_000;

    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final SimulationPlan plan;
    private final List<SimulatedNode> nodes;
    private final Epochs epochs;
    private final RingNews news;
    private final RingRepair streams;
    private final Outages outages;
    private final List<SimulationPlan.Change> due;

    private final BooleanSupplier served;

    /** The ring by which the table was served everywhere when that was last looked at. */
    private Ring servedBy;

    private boolean busy;

    RingOperator(
            Scheduler scheduler,
            SplittableRandom random,
            SimulationPlan plan,
            List<SimulatedNode> nodes,
            Epochs epochs,
            RingNews news,
            RingRepair streams,
            Outages outages,
            BooleanSupplier served) {
        this.served = served;
        this.servedBy = news.ring();
        this.scheduler = scheduler;
        this.random = random;
        this.plan = plan;
        this.nodes = nodes;
        this.epochs = epochs;
        this.news = news;
        this.streams = streams;
        this.outages = outages;
        this.due = new ArrayList<>(plan.faults().special().moves().changes());
    }

    boolean isDone() {
        return due.isEmpty() && !busy;
    }

    void plan() {
        scheduler.after(1_500_000 + random.nextLong(2_000_000), this::next);
    }

    private void next() {
        if (due.isEmpty()) {
            return;
        }
        if (served.getAsBoolean()) {
            servedBy = news.ring();
        }
        busy = true;
        switch (due.remove(0)) {
            case JOIN -> join();
            case LEAVE -> leave();
            case REPLACE -> replace(SimulationPlan.Change.REPLACE);
            case OUST -> replace(SimulationPlan.Change.OUST);
            default -> throw new IllegalStateException("no such change");
        }
    }

    /** Mostly long enough for the new epoch to be served, now and then at once. */
    private void done() {
        busy = false;
        long longest = plan.faults().special().moves().pauseMicros();
        scheduler.after(random.nextLong(random.nextInt(3) == 0 ? longest / 9 + 1 : longest), this::next);
    }

    /**
     * Whether so few leave any replica set, since the table was last served, that of any w of its nodes one stays: what
     * these alone hold of the earlier epoch would be lost. An operator waits until the table is served; docs/INSTALL.md
     * says so.
     */
    private boolean leavesEnough(Ring moving) {
        List<ReplicaGroup> before = epochs.groups(servedBy);
        List<ReplicaGroup> after = epochs.groups(moving.moved());
        for (int i = 0; i < before.size(); i++) {
            ReplicaGroup next = after.get(i);
            long gone = before.get(i).members().stream()
                    .filter(member -> !next.contains(member))
                    .count();
            if (gone >= plan.writeQuorum() && plan.bug() != Bug.OPERATOR_IN_A_HURRY) {
                return false;
            }
        }
        return true;
    }

    private void notYet(SimulationPlan.Change change) {
        busy = false;
        due.add(0, change);
        scheduler.after(AGAIN_MICROS, this::next);
    }

    private void join() {
        SimulatedNode joiner = spareIn(-1);
        if (joiner == null) {
            done();
            return;
        }
        if (!leavesEnough(news.ring().moving(joiner.number, -1))) {
            notYet(SimulationPlan.Change.JOIN);
            return;
        }
        begin(joiner, news.ring().moving(joiner.number, -1));
    }

    private void leave() {
        List<SimulatedNode> able = members().stream()
                .filter(node -> node.isRunning() && mayLeave(node.number))
                .toList();
        if (able.isEmpty()) {
            done();
            return;
        }
        // Rather the one that joined last: then the ring is as it was.
        SimulatedNode leaver = able.get(random.nextBoolean() ? able.size() - 1 : random.nextInt(able.size()));
        if (!leavesEnough(news.ring().moving(-1, leaver.number))) {
            notYet(SimulationPlan.Change.LEAVE);
            return;
        }
        outages.note("n" + leaver.number + " is leaving");
        news.changed(news.ring().moving(-1, leaver.number), leaver);
        scheduler.after(RING_DELAY_MICROS, () -> stream(leaver));
    }

    private void replace(SimulationPlan.Change change) {
        List<SimulatedNode> able = members().stream()
                .filter(node -> node.isUp() && spareIn(plan.cluster().dcOf(node.number)) != null)
                .toList();
        if (able.isEmpty()) {
            done();
            return;
        }
        SimulatedNode dead = able.get(random.nextInt(able.size()));
        SimulatedNode spare = spareIn(plan.cluster().dcOf(dead.number));
        if (spare == null || !leavesEnough(news.ring().moving(spare.number, dead.number))) {
            notYet(change);
            return;
        }
        if (change == SimulationPlan.Change.OUST) {
            outages.note("n" + dead.number + " is cut off, and taken for dead");
            outages.cutOff(dead.number);
            scheduler.after(7_000_000 + random.nextLong(3_000_000), () -> hearAgain(dead));
        } else {
            outages.note("n" + dead.number + " dies for good");
            dead.inService = false;
            dead.crash();
        }
        scheduler.after(300_000 + random.nextLong(3_000_000), () -> {
            begin(spare, news.ring().moving(spare.number, dead.number));
        });
    }

    private void hearAgain(SimulatedNode ousted) {
        outages.note("n" + ousted.number + " is heard again");
        outages.reconnect(ousted.number);
        scheduler.after(6_000_000, () -> goneForGood(ousted));
    }

    private void goneForGood(SimulatedNode node) {
        outages.note("n" + node.number + " is gone");
        node.inService = false;
        if (node.isUp()) {
            node.crash();
        }
    }

    private void begin(SimulatedNode joiner, Ring moving) {
        outages.note("n" + joiner.number + " joins" + (moving.leaving() < 0 ? "" : " for n" + moving.leaving()));
        joiner.inService = true;
        joiner.epochs().sees(news.changes(), news.ring());
        joiner.epochs().knowsSchema(news.schema());
        joiner.start();
        news.changed(moving, joiner);
        scheduler.after(RING_DELAY_MICROS, () -> stream(joiner));
    }

    private List<SimulatedNode> members() {
        return news.ring().members().stream().map(nodes::get).toList();
    }

    private @Nullable SimulatedNode spareIn(int dc) {
        return nodes.stream()
                .filter(node -> node.starts == 0 && (dc < 0 || plan.cluster().dcOf(node.number) == dc))
                .findFirst()
                .orElse(null);
    }

    /** No data centre may have fewer nodes than replicas. */
    private boolean mayLeave(int node) {
        int dc = plan.cluster().dcOf(node);
        long here = news.ring().members().stream()
                .filter(member -> plan.cluster().dcOf(member) == dc)
                .count();
        return here > plan.cluster().replicasPerDc().get(dc);
    }

    /** Streams to each that gets a partition from one that has it; all of it again until all has arrived. */
    private void stream(SimulatedNode by) {
        Ring ring = news.ring();
        List<ReplicaGroup> before = epochs.groups(ring.still());
        List<ReplicaGroup> after = epochs.groups(ring.moved());
        Map<SimulatedNode, Map<PartitionKey, Map<Integer, Cell>>> streamed = new HashMap<>();
        Map<PartitionKey, NodeId> sources = new HashMap<>();
        for (int partition = 0; partition < plan.workload().partitions(); partition++) {
            ReplicaGroup old = before.get(partition % Ring.GROUPS);
            for (NodeId member : after.get(partition % Ring.GROUPS).members()) {
                if (!old.contains(member)) {
                    SimulatedNode source = sourceOf(old, after.get(partition % Ring.GROUPS));
                    SimulatedNode target = nodes.get(SimulatedNode.numberOf(member));
                    if (source == null || !target.isRunning()) {
                        again(by);
                        return;
                    }
                    PartitionKey key = Session.key(partition);
                    sources.put(key, source.id);
                    streamed.computeIfAbsent(target, t -> new HashMap<>())
                            .put(key, new TreeMap<>(source.store.partition(key)));
                }
            }
        }
        int[] open = {streamed.size()};
        boolean[] failed = {false};
        if (streamed.isEmpty()) {
            finish(by);
        }
        new TreeMap<>(byNumber(streamed))
                .forEach((number, cells) -> streams.stream(nodes.get(number), cells, sources, arrived -> {
                    failed[0] |= !arrived;
                    if (--open[0] == 0 && failed[0]) {
                        again(by);
                    } else if (open[0] == 0) {
                        finish(by);
                    }
                }));
    }

    private static Map<Integer, Map<PartitionKey, Map<Integer, Cell>>> byNumber(
            Map<SimulatedNode, Map<PartitionKey, Map<Integer, Cell>>> streamed) {
        Map<Integer, Map<PartitionKey, Map<Integer, Cell>>> byNumber = new HashMap<>();
        streamed.forEach((node, cells) -> byNumber.put(node.number, cells));
        return byNumber;
    }

    private void again(SimulatedNode by) {
        scheduler.after(AGAIN_MICROS, () -> stream(by));
    }

    /**
     * Of a partition: the replica that leaves; where none leaves alive, any other one. Null where there is none now.
     */
    private @Nullable SimulatedNode sourceOf(ReplicaGroup old, ReplicaGroup after) {
        List<SimulatedNode> others = new ArrayList<>();
        for (NodeId member : old.members()) {
            SimulatedNode node = nodes.get(SimulatedNode.numberOf(member));
            boolean replaced = news.ring().joining() >= 0 && news.ring().leaving() == node.number;
            if (!after.contains(member) && node.inService && !replaced) {
                return node.isRunning() ? node : null;
            }
            if (after.contains(member) && node.isRunning()) {
                others.add(node);
            }
        }
        return others.isEmpty() ? null : others.get(random.nextInt(others.size()));
    }

    private void finish(SimulatedNode by) {
        if (!by.isRunning()) {
            scheduler.after(AGAIN_MICROS, () -> finish(by));
            return;
        }
        Ring ring = news.ring();
        outages.note("the ring is " + ring.moved().digest());
        news.changed(ring.moved(), by);
        if (ring.leaving() == by.number) {
            scheduler.after(random.nextLong(8_000_000), () -> goneForGood(by));
        }
        done();
    }
}
