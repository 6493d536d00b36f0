/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;
import java.util.UUID;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.MovePatience;
import org.meteorshower.protocol.MoveSteps;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.SequentialReads;

/**
 * What one life of a node does now and then about changes of the ring, as {@code RingFollower} does in the plugin:
 * begins epochs, follows them, repairs, confirms, forgets.
 */
final class RingLook {
    private static final int LOOKS_BEFORE_ANOTHER_REPAIR = 3;

    private final SimulatedNode node;
    private final EpochFollower follower;
    private final List<SimulatedNode> nodes;
    private final Scheduler scheduler;
    private final SimulationPlan plan;
    private final Network network;
    private final RingNews news;
    private final Epochs epochs;
    private final RingRepair repair;
    private final @Nullable RepairSharing sharing;
    private final int life;
    private final MovePatience<String> patience = new MovePatience<>();
    private final MoveSteps steps;
    private boolean repairing;
    private int looksToRepair;

    RingLook(
            SimulatedNode node,
            List<SimulatedNode> nodes,
            Scheduler scheduler,
            SimulationPlan plan,
            Network network,
            RingNews news,
            Epochs epochs,
            RingRepair repair,
            @Nullable RepairSharing sharing) {
        this.node = node;
        this.follower = node.epochs();
        this.nodes = nodes;
        this.scheduler = scheduler;
        this.plan = plan;
        this.network = network;
        this.news = news;
        this.epochs = epochs;
        this.repair = repair;
        this.sharing = sharing;
        this.life = node.life();
        this.steps = new MoveSteps(
                node.id,
                follower,
                id -> follower.seen().members().contains(SimulatedNode.numberOf(id)),
                plan.faults().special().moves().live());
    }

    void lookOn() {
        scheduler.after(plan.faults().special().moves().lookMicros(), () -> {
            if (node.isUp() && node.life() == life) {
                node.act(this::look);
                lookOn();
            }
        });
    }

    private void look() {
        Ring seen = follower.seen();
        boolean normal = follower.isOnRing() && (seen.leaving() != node.number || seen.joining() >= 0);
        if (!normal || follower.isSwitching()) {
            return;
        }
        beginEpochIfDue(seen);
        follower.sync();
        looksToRepair = Math.max(0, looksToRepair - 1);
        Epoch followed = follower.followed();
        SequentialReads core = node.core();
        if (followed != null && core != null && !follower.isSwitching()) {
            settle(core, followed);
        }
    }

    private void beginEpochIfDue(Ring seen) {
        Epoch declared = follower.declared();
        boolean begun = follower.isOfRing(declared) && !follower.isSpoiled(declared);
        if (seen.isMoving() || begun) {
            if (!seen.isMoving()) {
                patience.forget("t");
            }
            return;
        }
        boolean allUp = seen.members().stream().allMatch(this::isAlive);
        int rank = (int) seen.members().stream()
                .filter(member -> member < node.number && isAlive(member))
                .count();
        if (patience.isOver("t", seen.digest(), allUp, rank)) {
            news.written(declared.next(seen, scheduler.nowMicros()), node);
        }
    }

    private boolean isAlive(int member) {
        return member == node.number || (nodes.get(member).isRunning() && !network.isCut(member, node.number));
    }

    private void settle(SequentialReads core, Epoch followed) {
        UUID name = epochs.name(followed);
        switch (steps.next(core.view(), name, follower.followsAnother(followed), follower.earlierNames())) {
            case FOLLOWED -> node.perform(new Event.TableFollowed(name));
            case OPEN -> node.perform(new Event.TableOpened(name));
            case REPAIR -> {
                if (looksToRepair == 0 && !repairing && isByTheRingOf(followed)) {
                    repair(followed, name);
                }
            }
            case FORGET -> follower.forgetEarlier();
            default -> {}
        }
    }

    private void repair(Epoch followed, UUID name) {
        if (plan.bug() == Bug.BASELINE_WITHOUT_REPAIR) {
            node.perform(new Event.BaselineConfirmed(name));
            return;
        }
        List<ReplicaGroup> groups = epochs.groups(follower.seen().still());
        SequentialReads running = node.core();
        if (sharing != null && running != null && running.view().carriedFrom(name) == null) {
            sharing.look(node, name, groups, () -> isByTheRingOf(followed), () -> repaired(name));
            return;
        }
        repairing = true;
        repair.run(node, groups, toRepair(name), repaired -> {
            repairing = false;
            if (repaired && isByTheRingOf(followed)) {
                repaired(name);
            } else {
                looksToRepair = LOOKS_BEFORE_ANOTHER_REPAIR;
            }
        });
    }

    private void repaired(UUID name) {
        SequentialReads core = node.core();
        if (core != null) {
            boolean fills = core.view().isFilledByNodes(name);
            node.perform(fills ? new Event.TableRepaired(name) : new Event.BaselineConfirmed(name));
        }
    }

    /** All that this node holds, or what it holds since the table's partitions moved. */
    private IntPredicate toRepair(UUID name) {
        SequentialReads core = node.core();
        UUID before = core == null ? null : core.view().carriedFrom(name);
        if (before == null || plan.bug() == Bug.REPAIRED_BY_ANOTHER_RING) {
            return all -> true;
        }
        return partition -> !epochs.groupOf(before, partition).contains(node.id);
    }

    /** A repair goes by the ring as it is, not by the one that the epoch is about. */
    private boolean isByTheRingOf(Epoch epoch) {
        return follower.isOfRing(epoch) || plan.bug() == Bug.REPAIRED_BY_ANOTHER_RING;
    }
}
