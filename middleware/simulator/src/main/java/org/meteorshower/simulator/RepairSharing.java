/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.SequentialReads;
import org.meteorshower.protocol.SharedRepairs;

/**
 * Replicas repair a table together, as {@code TableRepairs} has them do it in the plugin: each partition is repaired by
 * one of them, and the others ask it. Questions and answers travel as messages do: they come late, twice, or never. No
 * node may take the word for a repair that began before the node's own attempt: that is an invariant.
 */
final class RepairSharing {
    private static final SharedRepairs.Patience PATIENCE = new SharedRepairs.Patience(1_500, 4_000, 20_000);
    private static final long ANSWERED_WITHIN_MICROS = 2_000_000;
    private static final long BEGUN_WITHIN_MICROS = 400_000;
    private static final long TRIED_AGAIN_MICROS = 900_000;
    private static final int MOST_PIECES = 3;

    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final SimulationPlan plan;
    private final List<SimulatedNode> nodes;
    private final Network network;
    private final RingRepair repair;
    private final Promises promises;

    /** By node, its last part in the repair of a table; a life that is over has none. */
    private final Map<Integer, Part> parts = new HashMap<>();

    RepairSharing(
            Scheduler scheduler,
            SplittableRandom random,
            SimulationPlan plan,
            List<SimulatedNode> nodes,
            Network network,
            RingRepair repair,
            Promises promises) {
        this.scheduler = scheduler;
        this.random = random;
        this.plan = plan;
        this.nodes = nodes;
        this.network = network;
        this.repair = repair;
        this.promises = promises;
    }

    /**
     * To be called now and then while the node is to repair all that it holds.
     *
     * @param groups who holds which partition
     * @param isStillIt whether that is so still
     * @param repaired runs when it is done
     */
    void look(SimulatedNode node, UUID name, List<ReplicaGroup> groups, BooleanSupplier isStillIt, Runnable repaired) {
        Part part = current(node, name);
        if (part == null || part.over) {
            part = new Part(node, name, groups, isStillIt);
            parts.put(node.number, part);
        }
        part.look(repaired);
    }

    private @Nullable Part current(SimulatedNode node, UUID name) {
        Part part = parts.get(node.number);
        return part != null && part.life == node.life() && part.name.equals(name) ? part : null;
    }

    private long nowMillis() {
        return scheduler.nowMicros() / 1_000;
    }

    private SharedRepairs.Answer answer(
            SimulatedNode node, UUID name, SimulatedNode from, SharedRepairs.Question question) {
        Part part = current(node, name);
        if (part != null) {
            return part.repairs.asked(from.id, question);
        }
        SequentialReads core = node.core();
        boolean later = core != null
                && name.equals(node.table().name())
                && core.view().needsStep(name)
                && core.view().carriedFrom(name) == null;
        return later ? SharedRepairs.Answer.LATER : SharedRepairs.Answer.NO;
    }

    private static NodeId owner(List<ReplicaGroup> groups, int partition) {
        List<NodeId> members = groups.get(partition % Ring.GROUPS).members();
        return members.get(partition % members.size());
    }

    /** What one node does of it, in one life. */
    private final class Part {
        final SimulatedNode node;
        final int life;
        final UUID name;
        final List<ReplicaGroup> groups;
        final BooleanSupplier isStillIt;
        final SharedRepairs repairs;
        final List<Integer> own = new ArrayList<>();
        final Set<NodeId> beingAsked = new HashSet<>();
        boolean over;
        private final long beganMicros = scheduler.nowMicros();

        /** When its first piece began, which others take its word for. */
        private long ownBeganMicros;

        private boolean busy;
        private int done;
        private long notBeforeMicros;

        Part(SimulatedNode node, UUID name, List<ReplicaGroup> groups, BooleanSupplier isStillIt) {
            this.node = node;
            this.life = node.life();
            this.name = name;
            this.groups = groups;
            this.isStillIt = isStillIt;
            Set<NodeId> sharers = new TreeSet<>();
            Set<NodeId> owners = new TreeSet<>();
            for (int partition = 0; partition < plan.workload().partitions(); partition++) {
                ReplicaGroup group = groups.get(partition % Ring.GROUPS);
                if (owner(groups, partition).equals(node.id)) {
                    own.add(partition);
                    sharers.addAll(group.members());
                } else if (group.contains(node.id)) {
                    owners.add(owner(groups, partition));
                }
            }
            sharers.remove(node.id);
            Long ranges = own.isEmpty() ? null : digest(node.id);
            repairs = new SharedRepairs(random.nextLong(), ranges, sharers, owners, PATIENCE, nowMillis());
        }

        private long digest(NodeId owner) {
            long digest = 0;
            for (int partition = 0; partition < plan.workload().partitions(); partition++) {
                digest = 31 * digest + (owner(groups, partition).equals(owner) ? partition + 1 : 0);
            }
            return digest;
        }

        void look(Runnable repaired) {
            repairs.toAsk().forEach(this::ask);
            if (busy || scheduler.nowMicros() < notBeforeMicros) {
                return;
            }
            switch (repairs.next(this::isAlive, nowMillis())) {
                case OWN -> begin(this::repairOwn);
                case OTHERS -> begin(this::repairOthers);
                case DONE -> {
                    over = true;
                    if (isStillIt.getAsBoolean()) {
                        node.note(() -> "has its word that all is repaired");
                        repaired.run();
                    }
                }
                case WAIT -> {}
            }
        }

        private boolean isAlive(NodeId id) {
            int number = SimulatedNode.numberOf(id);
            return nodes.get(number).isRunning() && !network.isCut(number, node.number);
        }

        private void ask(NodeId id) {
            if (!beingAsked.add(id)) {
                return;
            }
            SimulatedNode owner = nodes.get(SimulatedNode.numberOf(id));
            SharedRepairs.Question question = new SharedRepairs.Question(repairs.attempt(), digest(id));
            boolean[] open = {true};
            Consumer<Runnable> once = then -> {
                if (open[0] && life == node.life()) {
                    open[0] = false;
                    beingAsked.remove(id);
                    then.run();
                }
            };
            network.send(
                    node.number,
                    owner.number,
                    () -> owner.act(() -> {
                        SharedRepairs.Answer answer = answer(owner, name, node, question);
                        Part itsPart = current(owner, name);
                        long itBegan = itsPart == null ? 0 : itsPart.ownBeganMicros;
                        network.send(
                                owner.number,
                                node.number,
                                () -> node.act(() -> once.accept(() -> {
                                    node.note(() -> "hears " + answer + " of n" + owner.number);
                                    check(owner, answer, itBegan);
                                    repairs.answered(id, answer, nowMillis());
                                })));
                    }));
            node.later(ANSWERED_WITHIN_MICROS, () -> once.accept(() -> repairs.unanswered(id, nowMillis())));
        }

        private void check(SimulatedNode owner, SharedRepairs.Answer answer, long itBegan) {
            if (answer.word() == SharedRepairs.Word.DONE && itBegan < beganMicros) {
                promises.broken("n" + node.number + " takes the word of n" + owner.number
                        + " for a repair that began at " + itBegan + ", before its own attempt at " + beganMicros);
            }
        }

        /** What is due before it is done first. */
        private void begin(Runnable work) {
            busy = true;
            node.later(random.nextLong(BEGUN_WITHIN_MICROS), work);
        }

        private void repairOwn() {
            if (repairs.ownBegins()) {
                done = 0;
                ownBeganMicros = scheduler.nowMicros();
            }
            node.note(() -> "repairs what it owns, from piece " + done + " of " + pieces());
            piece();
        }

        private int pieces() {
            return Math.min(MOST_PIECES, own.size());
        }

        private boolean isOfPiece(int partition) {
            int at = own.indexOf(partition);
            return at >= 0 && at % pieces() == done;
        }

        private void piece() {
            repairs.ownIsAt(done, pieces());
            if (done == pieces()) {
                ended(true, repairs::ownEnded);
                return;
            }
            repair.run(node, groups, this::isOfPiece, repaired -> {
                if (repaired && isStillIt.getAsBoolean()) {
                    done++;
                    piece();
                } else {
                    ended(false, repairs::ownEnded);
                }
            });
        }

        private void repairOthers() {
            Set<NodeId> owners = repairs.othersBegin();
            node.note(() -> "repairs what others own: " + owners);
            repair.run(
                    node,
                    groups,
                    partition -> owners.contains(owner(groups, partition)),
                    repaired -> ended(repaired && isStillIt.getAsBoolean(), repairs::othersEnded));
        }

        private void ended(boolean succeeded, Consumer<Boolean> then) {
            busy = false;
            then.accept(succeeded);
            if (!succeeded) {
                notBeforeMicros = scheduler.nowMicros() + TRIED_AGAIN_MICROS;
            }
        }
    }
}
