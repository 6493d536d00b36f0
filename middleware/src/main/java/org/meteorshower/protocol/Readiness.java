/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether a table can be served, and if not, why: every replica must have enabled it, what each held before must be
 * known to be the same, and what came in unannounced must be known.
 */
final class Readiness {
    static final String MOVED =
            "the table's partitions have moved between nodes: it is used again once all its replicas know"
                    + " (with live_moves: false, once they have been repaired, too), which the nodes see to by"
                    + " themselves";

    static final String NOT_ENABLED = "the table is not enabled on this node";

    static final String NO_BASELINE =
            "this node held data of the table when it was enabled: run a full repair of the table, then confirm"
                    + " the baseline";

    static final String BY_NODES =
            "this node held data of the table when it was enabled, or does not know what it stamped:"
                    + " the nodes repair it by themselves";

    private final NodeId self;
    private final Placement placement;
    private final Turn turn;
    private final MessageReceiver receiver;

    Readiness(NodeId self, Placement placement, Turn turn, MessageReceiver receiver) {
        this.self = self;
        this.placement = placement;
        this.turn = turn;
        this.receiver = receiver;
    }

    /** Whether the table can be served by this group now. */
    boolean isServed(TrackedTable table, ReplicaGroup group) {
        return !table.left
                && (table.ready || isReady(table, group))
                && !table.foreignData
                && awaitedStream(table, group) == null;
    }

    /** Why the table cannot be served by this group now, or null if it can. */
    @Nullable
    String notReady(UUID id, TrackedTable table, ReplicaGroup group) {
        if (table.left) {
            return MOVED;
        }
        if (!table.ready && !isReady(table, group)) {
            return missing(table, group);
        }
        if (table.foreignData) {
            return table.foreignDataComing > 0
                    ? "data is coming in that no replica announced"
                    : "data came in that no replica announced: " + awaitedAfterForeignData(id, table);
        }
        NodeId awaited = awaitedStream(table, group);
        return awaited == null ? null : "waiting for a new stream of status messages from " + awaited;
    }

    /** A member that is heard, and whose stream since the table was tracked has not begun; null where there is none. */
    private @Nullable NodeId awaitedStream(TrackedTable table, ReplicaGroup group) {
        for (int i = 0; i < group.size(); i++) {
            NodeId member = group.members().get(i);
            if (!member.equals(self)
                    && !receiver.hasBegunSince(member, table.streamsSince)
                    && receiver.isHeard(member)) {
                return member;
            }
        }
        return null;
    }

    private String awaitedAfterForeignData(UUID id, TrackedTable table) {
        Set<NodeId> peers = new TreeSet<>(peersOf(id)); // which may be the receiver's own
        peers.removeIf(peer -> hasToldSince(peer, table));
        Set<NodeId> unconfirmed = new TreeSet<>(peers);
        unconfirmed.removeIf(peer -> {
            TrackedTable.Reported reported = table.reports.get(peer);
            return reported == null || reported.report().baseline();
        });
        return unconfirmed.isEmpty()
                ? "waiting for new streams of status messages from " + listed(peers)
                        + ", or for the ring's next epoch where one of them follows it already"
                : "it may be from " + listed(unconfirmed)
                        + ", where nobody has vouched yet for what was there; confirm the"
                        + " baseline there after a full repair, unless partitions have moved: then the nodes do both by"
                        + " themselves";
    }

    private static String listed(Set<NodeId> nodes) {
        return nodes.stream().map(NodeId::toString).collect(Collectors.joining(", "));
    }

    /**
     * Found while all can be heard, and kept in the journal, so that it is known after a restart at which they cannot.
     * What the journal says holds for every group of this node, so it is told once all of them are ready.
     */
    void note(UUID id, TrackedTable table) {
        if (table.ready) {
            return;
        }
        boolean all = true;
        Set<ReplicaGroup> groups = placement.groupsOf(id);
        for (ReplicaGroup group : groups) {
            all &= !group.contains(self) || isReady(table, group);
        }
        if (all && !(groups.isEmpty() && table.readyGroups.isEmpty())) {
            table.ready = true;
            turn.emit(table.toJournal(id));
        }
    }

    private boolean isReady(TrackedTable table, ReplicaGroup group) {
        return table.readyGroups.contains(group) || (missing(table, group) == null && table.readyGroups.add(group));
    }

    private @Nullable String missing(TrackedTable table, ReplicaGroup group) {
        if (table.moved && !table.baseline) {
            return MOVED;
        }
        if (!table.baseline) {
            return table.byNodes ? whyNotFilled(table, group) : NO_BASELINE;
        }
        for (NodeId member : group.members()) {
            TrackedTable.Reported reported = table.reports.get(member);
            if (!member.equals(self) && reported == null) {
                return "replica " + member + " has not reported the table as enabled";
            }
            if (reported != null && !reported.report().baseline()) {
                return "replica " + member
                        + " held data of the table when it was enabled, and has not been repaired and confirmed since (see"
                        + " state there)";
            }
        }
        return null;
    }

    private String whyNotFilled(TrackedTable table, ReplicaGroup group) {
        String reads = table.isReadPlainly() ? untilThen(table) : "";
        if (!table.repaired) {
            return BY_NODES + reads;
        }
        Set<NodeId> unrepaired = new TreeSet<>(group.members());
        unrepaired.removeIf(member -> {
            TrackedTable.Reported reported = table.reports.get(member);
            return member.equals(self) || (reported != null && reported.report().repaired());
        });
        return unrepaired.isEmpty()
                ? "the replicas have been repaired; the table is served once all that hold any of it have been" + reads
                : "this node has been repaired, and waits for that of " + listed(unrepaired) + reads;
    }

    private static String untilThen(TrackedTable table) {
        return switch (table.shownBefore()) {
            case NONE -> "";
            case AT_QUORUM -> "; until then reads at QUORUM are Cassandra's own";
            case AT_ALL -> "; until then reads at QUORUM are Cassandra's own, of all replicas";
        };
    }

    /**
     * Who holds partitions of the table and is not known to have repaired what it held of it. Also those that share
     * none with this node: they hold up those that do, and one that went ahead would wait for these.
     */
    Set<NodeId> unrepaired(UUID id, TrackedTable table) {
        Set<NodeId> unrepaired = new TreeSet<>();
        for (ReplicaGroup group : placement.groupsOf(id)) {
            unrepaired.addAll(group.members());
        }
        if (unrepaired.isEmpty()) {
            unrepaired.addAll(receiver.peers());
        }
        unrepaired.remove(self);
        unrepaired.removeIf(node -> {
            TrackedTable.Reported reported = table.reports.get(node);
            return reported != null && reported.report().repaired();
        });
        return unrepaired;
    }

    /**
     * Whether of each partition's replicas, now and before, so many have carried over what they had in flight under the
     * earlier name that each majority includes one of them.
     */
    boolean areEnoughCarried(UUID id, TrackedTable table) {
        for (ReplicaGroup group : placement.groupsOf(id)) {
            long carried = table.carriers.getOrDefault(group, Set.of()).stream()
                    .filter(member -> member.equals(self) ? table.carried : isCarriedAt(member, table))
                    .count();
            if (group.contains(self) && carried < GroupChange.untilPlain(group)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isCarriedAt(NodeId member, TrackedTable table) {
        TrackedTable.Reported reported = table.reports.get(member);
        return reported != null && reported.report().carried();
    }

    /** Whether all who hold partitions of the table have begun new streams since, and said so. */
    boolean haveAllBegun(UUID id, TrackedTable table) {
        return peersOf(id).stream().allMatch(peer -> hasBegunSince(peer, table));
    }

    private boolean hasBegunSince(NodeId peer, TrackedTable table) {
        TrackedTable.Reported reported = table.reports.get(peer);
        return receiver.hasBegunSince(peer, table.streamsSince)
                && reported != null
                && reported.asked() >= table.streamsSince;
    }

    /** Whether all who may have sent data that nobody announced have told since what they hold. */
    boolean haveAllTold(UUID id, TrackedTable table) {
        for (NodeId peer : peersOf(id)) {
            if (!hasToldSince(peer, table)) {
                return false;
            }
        }
        return true;
    }

    private boolean hasToldSince(NodeId peer, TrackedTable table) {
        TrackedTable.Reported reported = table.reports.get(peer);
        return hasBegunSince(peer, table)
                && reported != null
                && reported.report().baseline()
                && !reported.report().left();
    }

    /** All who hold partitions of the table together with this node. */
    private Set<NodeId> peersOf(UUID id) {
        Set<ReplicaGroup> groups = placement.groupsOf(id);
        if (groups.isEmpty()) {
            return receiver.peers();
        }
        Set<NodeId> peers = new TreeSet<>();
        for (ReplicaGroup group : groups) {
            if (group.contains(self)) {
                peers.addAll(group.members());
            }
        }
        peers.remove(self);
        return peers;
    }
}
