/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The tables that were disabled at this node and may still be served by others. Nodes learn of it one after the other;
 * who is late goes on serving as long as r replicas tell it what they apply. So a table is over when w replicas of each
 * partition have said that they have given it up: those that are left cannot answer at any later cut.
 *
 * <p>Whoever uses the table as an ordinary one before it is over could go on to a node that serves it, and miss there
 * what it has just written or read.
 *
 * <p>A node has what it stamped in its store when it gives a table up. One that has not yet may not have it there. So
 * the others wait for it, too, where it was heard when they heard of the disabling; and not for long.
 */
final class EndedTables {
    private static final long ASK_EVERY_NANOS = 200_000_000L;

    /** For so long those that are left are waited for, since w have given it up. */
    private static final long REST_NANOS = 2_000_000_000L;

    private static final class Ending {
        final Set<ReplicaGroup> groups;

        /** The replicas that were heard as it was disabled here. */
        final Set<NodeId> awaited = new HashSet<>();

        /** When enough had given it up, as far as this node had heard; null before. */
        @Nullable
        Long overNanos;

        Ending(Set<ReplicaGroup> groups) {
            this.groups = groups;
        }
    }

    private final NodeId self;
    private final Turn turn;
    private final MessageReceiver receiver;
    private final PeerTables peers;

    /** Who held which partitions, by the table's name. As many as an operator disables while no majority is heard. */
    private final Map<UUID, Ending> ending = new HashMap<>();

    private long askedNanos;

    EndedTables(NodeId self, Turn turn, MessageReceiver receiver, PeerTables peers) {
        this.self = self;
        this.turn = turn;
        this.receiver = receiver;
        this.peers = peers;
    }

    void ended(UUID table, Set<ReplicaGroup> groups) {
        if (!groups.isEmpty()) {
            Ending begun = new Ending(Collections.unmodifiableSet(new LinkedHashSet<>(groups)));
            groups.forEach(
                    group -> group.members().stream().filter(receiver::isHeard).forEach(begun.awaited::add));
            ending.put(table, begun);
            askedNanos = turn.nanos();
        }
    }

    /** Whether the table was disabled here, and another node may still serve it. */
    boolean isEnding(UUID table) {
        return ending.containsKey(table);
    }

    boolean none() {
        return ending.isEmpty();
    }

    /** A node has told what it has given up. */
    void heard() {
        ending.entrySet().removeIf(each -> isOver(each.getKey(), each.getValue()));
    }

    /** What those who gave it up had promised for strict reads at home must have run out, too. */
    private boolean isOver(UUID table, Ending end) {
        if (!end.groups.stream().allMatch(group -> isOver(table, group))) {
            return false;
        }
        if (end.overNanos == null) {
            end.overNanos = turn.nanos();
        }
        long sinceNanos = turn.nanos() - end.overNanos;
        return (sinceNanos >= REST_NANOS || haveAwaitedGivenUp(table, end))
                && (sinceNanos >= Leases.KEPT_NANOS || end.groups.stream().noneMatch(ReplicaGroup::strictAtHome));
    }

    private boolean haveAwaitedGivenUp(UUID table, Ending end) {
        return end.awaited.stream().allMatch(member -> isWithout(member, table));
    }

    private boolean isOver(UUID table, ReplicaGroup group) {
        int without = 0;
        for (NodeId member : group.members()) {
            if (isWithout(member, table)) {
                without++;
            }
        }
        return without >= group.writeQuorum();
    }

    private boolean isWithout(NodeId member, UUID table) {
        return member.equals(self) || peers.isWithout(member, table);
    }

    /** What was said to this node may be lost, or was said to an earlier life of it: asks those that are missing. */
    void askDue() {
        if (ending.isEmpty() || turn.nanos() - askedNanos < ASK_EVERY_NANOS) {
            return;
        }
        heard();
        askedNanos = turn.nanos();
        Set<NodeId> missing = new HashSet<>();
        ending.forEach((table, end) -> end.groups.forEach(group -> group.members().stream()
                .filter(member -> !isWithout(member, table))
                .forEach(missing::add)));
        missing.stream().sorted().forEach(receiver::askForReport);
    }
}
