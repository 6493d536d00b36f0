/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What this node has stamped under a table's earlier name, and not retired, is offered to its own store once more, and
 * so stamped under the present one. When all of that is in the stores of a majority there, whatever was visible under
 * the earlier name is so too, or was retired and so is in this one's: then Cassandra's own reads at QUORUM show it.
 *
 * <p>Not where this node may lack what others have retired, or has itself retired what so many lack that a majority may
 * be without it: then the table waits for the repair.
 */
final class CarryOver {
    private static final int AT_ONE_TIME = 256;
    private static final long OFFER_AGAIN_NANOS = 5_000_000_000L;
    private static final long NOT_OFFERED = Long.MIN_VALUE;

    /** Then the table waits for the repair, which brings together what could not be carried over. */
    private static final long GIVEN_UP_AFTER_NANOS = 60_000_000_000L;

    /** One of those in flight. */
    private static final class Carried {
        long offeredNanos = NOT_OFFERED;

        /** By when all had stamped what overwrote it; 0 while nothing has. */
        long overwrittenByMicros;
    }

    /** One table on its way: by the name that it is to have, and what was in flight. */
    private static final class Moving {
        final UUID to;
        final Map<MutationRecord, Carried> left = new LinkedHashMap<>();

        /** Since all follow, on the scale of elapsed time. */
        long openSinceNanos;

        final Set<GroupChange> changes;

        Moving(UUID to, Set<GroupChange> changes) {
            this.to = to;
            this.changes = changes;
        }
    }

    private final NodeId self;
    private final Placement placement;
    private final Turn turn;
    private final StatusMap statusMap;
    private final TableStates tables;
    private final Knowledge knowledge;
    private final LeftBehind leftBehind;
    private final Map<UUID, Moving> moving = new HashMap<>();

    CarryOver(
            NodeId self,
            Placement placement,
            Turn turn,
            StatusMap statusMap,
            TableStates tables,
            Knowledge knowledge,
            LeftBehind leftBehind) {
        this.self = self;
        this.placement = placement;
        this.turn = turn;
        this.statusMap = statusMap;
        this.tables = tables;
        this.knowledge = knowledge;
        this.leftBehind = leftBehind;
    }

    /** This node goes over to the next name, which the tables know already; the earlier one is not left yet. */
    void begin(UUID from, UUID to) {
        Set<GroupChange> changes = placement.changes(from, to);
        tables.moves.readable(to, carriers(changes), isSeenByAll(from, changes));
        Moving begun = new Moving(to, changes);
        if (!tables.moves.isWhole(from) || knowledge.isLeftBehind() || !isWhatWasRetiredSeen(begun)) {
            return;
        }
        for (MutationRecord record : statusMap.all()) {
            if (record.key.table().equals(from) && record.local != MutationRecord.Local.ABSENT) {
                begun.left.put(record, new Carried());
            }
        }
        boolean gains = changes.stream().anyMatch(change -> change.isGainedBy(self));
        tables.moves.carrying(to, changes.isEmpty() ? null : from, !changes.isEmpty() && !gains);
        moving.put(to, begun);
    }

    /**
     * By the present replicas of some partitions, which of them have held these before: those whose word counts for
     * them. None where that would not be enough.
     */
    private Map<ReplicaGroup, Set<NodeId>> carriers(Set<GroupChange> changes) {
        Map<ReplicaGroup, Set<NodeId>> carriers = new HashMap<>();
        for (GroupChange change : changes) {
            if (change.after().contains(self)) {
                Set<NodeId> stayed = change.keepsQuorums() ? change.stayed() : Set.of();
                carriers.merge(change.after(), stayed, CarryOver::both);
            }
        }
        return carriers;
    }

    /**
     * Whether what was visible by the name before is in the store of some present replica: what each majority saw, if
     * of each some stay. A node knows that of its own partitions alone.
     */
    private boolean isSeenByAll(UUID from, Set<GroupChange> changes) {
        return !changes.isEmpty()
                && tables.filling.isSeenByQuorums(from)
                && changes.stream()
                        .filter(change -> change.after().contains(self))
                        .allMatch(change -> change.before().contains(self) && change.keepsSome());
    }

    /**
     * Whether what this node has retired under the name before is seen by each of Cassandra's own reads at QUORUM: all
     * that held it then have it, but for those left behind. Who has left is not asked, and may be left behind for ever.
     */
    private boolean isWhatWasRetiredSeen(Moving table) {
        return table.changes.isEmpty()
                ? leftBehind.isNone()
                : table.changes.stream()
                        .filter(change -> change.before().contains(self))
                        .allMatch(change -> change.stayed().stream()
                                        .filter(node -> !leftBehind.contains(node))
                                        .count()
                                >= GroupChange.untilPlain(change.after()));
    }

    private static Set<NodeId> both(Set<NodeId> some, Set<NodeId> others) {
        Set<NodeId> both = new HashSet<>(some);
        both.retainAll(others);
        return both;
    }

    /** The table is disabled, or this node goes over to yet another name. */
    void forget(UUID to) {
        moving.remove(to);
    }

    boolean isNone() {
        return moving.isEmpty();
    }

    /** In flight under an earlier name, and not yet known to be in enough stores under the present one. */
    long heldBytes() {
        return moving.values().stream()
                .mapToLong(each -> (long) Footprint.REMEMBERED * each.left.size())
                .sum();
    }

    void round() {
        moving.values().removeIf(this::isEnded);
    }

    private boolean isEnded(Moving table) {
        int waiting = 0;
        Iterator<Map.Entry<MutationRecord, Carried>> left =
                table.left.entrySet().iterator();
        while (left.hasNext() && waiting < AT_ONE_TIME) {
            Map.Entry<MutationRecord, Carried> each = left.next();
            MutationRecord before = each.getKey();
            PartitionKey key = new PartitionKey(table.to, before.key.bytes());
            MutationRecord now = statusMap.find(key, before.id);
            boolean here = now != null && now.local != MutationRecord.Local.ABSENT;
            if (!statusMap.groupOf(key).contains(self)
                    || isAtAllThatStayed(before, key)
                    || isStoredByEnough(key, before.id, now, each.getValue())) {
                left.remove();
            } else if (here) {
                waiting++;
            } else if (before.partition != null) {
                waiting++;
                offerIfDue(before, each.getValue());
            } else if (isWhatWasRetiredSeen(table)) {
                left.remove();
            } else {
                tables.moves.notCarried(table.to);
                return true; // a majority may lack it
            }
        }
        if (table.left.isEmpty()) {
            tables.moves.carried(table.to);
            return true;
        }
        if (tables.moves.isHeld(table.to) || table.openSinceNanos == 0) {
            table.openSinceNanos = turn.nanos();
        }
        if (turn.nanos() - table.openSinceNanos < GIVEN_UP_AFTER_NANOS) {
            return false;
        }
        tables.moves.notCarried(table.to);
        return true;
    }

    /**
     * Whether all have it in their stores that hold the partition now and did so before, and these are enough: who has
     * followed has applied by then what it had stamped under the name before. Who has gained the partition gets it by
     * its repair.
     */
    private boolean isAtAllThatStayed(MutationRecord before, PartitionKey key) {
        ReplicaGroup now = statusMap.groupOf(key);
        int stayed = 0;
        for (int i = 0; i < before.group().size(); i++) {
            NodeId member = before.group().members().get(i);
            if (!now.contains(member)) {
                continue;
            }
            boolean stored = member.equals(self)
                    ? before.local == MutationRecord.Local.APPLIED
                    : before.stampedBy(i) != MutationRecord.NEVER && tables.hasReported(member, key.table());
            if (!stored) {
                return false;
            }
            stayed++;
        }
        return stayed >= GroupChange.untilPlain(now);
    }

    /**
     * Whether so many have it in their stores, or what overwrote it, that every read at QUORUM asks one of them. That
     * they have stamped it is not enough: it may be on its way there.
     */
    private boolean isStoredByEnough(PartitionKey key, MutationId id, @Nullable MutationRecord now, Carried carried) {
        if (now != null && now.dominatedByRetired && carried.overwrittenByMicros == 0) {
            carried.overwrittenByMicros = turn.clock.value();
        }
        ReplicaGroup group = statusMap.groupOf(key);
        Long retiredBy = carried.overwrittenByMicros > 0
                ? Long.valueOf(carried.overwrittenByMicros)
                : statusMap.retiredBy(key, id);
        int stored = 0;
        for (int i = 0; i < group.size(); i++) {
            NodeId member = group.members().get(i);
            long stampedBy = now == null ? MutationRecord.NEVER : now.stampedBy(i);
            if (retiredBy != null) {
                stampedBy = Math.min(stampedBy, retiredBy);
            }
            if (stampedBy != MutationRecord.NEVER && isStored(member, key.table(), now, stampedBy)) {
                stored++;
            }
        }
        return stored >= GroupChange.quorum(group);
    }

    private boolean isStored(NodeId member, UUID table, @Nullable MutationRecord now, long stampedBy) {
        return member.equals(self)
                ? now == null || now.local == MutationRecord.Local.APPLIED
                : stampedBy <= tables.moves.storedMicros(member, table);
    }

    private void offerIfDue(MutationRecord record, Carried carried) {
        if (carried.offeredNanos != NOT_OFFERED && turn.nanos() - carried.offeredNanos < OFFER_AGAIN_NANOS) {
            return;
        }
        carried.offeredNanos = turn.nanos();
        Update update = record.update();
        turn.emit(
                update == null ? new Effect.ApplyFromJournal(record.key, record.id) : new Effect.ApplyToStore(update));
    }
}
