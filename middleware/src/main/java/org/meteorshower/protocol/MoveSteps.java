/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * What a node that follows a table's present epoch does next about the change of the ring, or the enabling, that led to
 * it (docs/ARCHITECTURE.md, "When nodes come and go", "When a table is enabled"). Pure: to be asked now and then,
 * between two steps of the core.
 */
public final class MoveSteps {
    /** What is to be done. */
    public enum Step {
        /** Nothing, or nothing yet. */
        WAIT,
        /** All whom this node knows of follow: the core is told so ({@link Event.TableFollowed}). */
        FOLLOWED,
        /** And the others say the same: the core is told so ({@link Event.TableOpened}). */
        OPEN,
        /**
         * A full repair of what this node holds, by the ring that the epoch is about; only of what it did not hold
         * before where {@link CoreView#carriedFrom} tells the name before. Then its baseline is confirmed; where the
         * nodes {@linkplain CoreView#isFilledByNodes fill} a table that was enabled, the core is told that it is
         * repaired.
         */
        REPAIR,
        /** Nobody serves the table under its earlier names any more. */
        FORGET
    }

    private final NodeId self;
    private final Placement placement;
    private final Predicate<NodeId> isOnRing;
    private final boolean opens;

    /**
     * @param isOnRing whether a node has a place on the ring, as this node sees it now
     * @param opens whether a moved table is used again once all follow, and not only once it has been repaired
     */
    public MoveSteps(NodeId self, Placement placement, Predicate<NodeId> isOnRing, boolean opens) {
        this.self = self;
        this.placement = placement;
        this.isOnRing = isOnRing;
        this.opens = opens;
    }

    /**
     * @param core of this node
     * @param name of the table in the epoch that this node follows
     * @param byNodes whether the nodes repair what this one holds, and no operator
     * @param earlier the names that this node followed before and still answers to
     */
    public Step next(CoreView core, UUID name, boolean byNodes, Collection<UUID> earlier) {
        if (!isReplica(name)) {
            return forgetIfAny(earlier);
        }
        if (!core.hasBaseline(name)) {
            if (!(byNodes || !earlier.isEmpty()) || !core.needsStep(name) || !allFollow(core, name, earlier)) {
                return Step.WAIT;
            }
            if (core.isHeld(name) && !core.isFollowed(name)) {
                return core.earlierPromisesMayRun(name) ? Step.WAIT : Step.FOLLOWED;
            } else if (core.isHeld(name) && isAnyHeldUp(core, name)) {
                return Step.WAIT;
            } else if (core.isHeld(name) && opens) {
                return Step.OPEN;
            }
            return core.isCarrying(name) ? Step.WAIT : Step.REPAIR;
        }
        return isServed(core, name) ? forgetIfAny(earlier) : Step.WAIT;
    }

    /** Whether somebody waits for nodes that this one need not know of: it may be new, or have missed an epoch. */
    private boolean isAnyHeldUp(CoreView core, UUID name) {
        Set<NodeId> peers = peersOf(name);
        peers.removeIf(node -> !isOnRing.test(node));
        return peers.stream().anyMatch(core.heldUpBy(name)::contains);
    }

    private static Step forgetIfAny(Collection<UUID> earlier) {
        return earlier.isEmpty() ? Step.WAIT : Step.FORGET;
    }

    private boolean isReplica(UUID name) {
        return placement.groupsOf(name).stream().anyMatch(group -> group.contains(self));
    }

    private boolean isServed(CoreView core, UUID name) {
        return placement.groupsOf(name).stream()
                .allMatch(group -> !group.contains(self) || core.notReady(name, group) == null);
    }

    /**
     * Whether all who hold, or held, partitions with this node follow the present epoch, but for those that are gone.
     */
    private boolean allFollow(CoreView core, UUID name, Collection<UUID> earlier) {
        Set<NodeId> awaited = peersOf(name);
        earlier.forEach(before -> awaited.addAll(peersOf(before)));
        awaited.removeIf(node -> !isOnRing.test(node));
        return core.reportedBy(name).containsAll(awaited);
    }

    private Set<NodeId> peersOf(UUID name) {
        Set<NodeId> peers = new HashSet<>();
        for (ReplicaGroup group : placement.groupsOf(name)) {
            if (group.contains(self)) {
                peers.addAll(group.members());
            }
        }
        peers.remove(self);
        return peers;
    }
}
