/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Tables whose partitions have moved between nodes, until this node vouches for what it holds of them. */
final class TableMoves {
    /** So long after a node went over others may not have heard of it, or not see the new ring; and writes wait. */
    static final long LATELY_NANOS = 30_000_000_000L;

    private final Map<UUID, TrackedTable> tables;
    private final Turn turn;
    private final StatusMap statusMap;
    private final TableFilling filling;
    private final BiConsumer<UUID, TrackedTable> begun;
    private final BiConsumer<UUID, TrackedTable> changed;

    /**
     * @param tables those that are enabled
     * @param begun takes one that is new
     * @param changed has one journaled, and told to the others
     */
    TableMoves(
            Map<UUID, TrackedTable> tables,
            Turn turn,
            StatusMap statusMap,
            TableFilling filling,
            BiConsumer<UUID, TrackedTable> begun,
            BiConsumer<UUID, TrackedTable> changed) {
        this.tables = tables;
        this.turn = turn;
        this.statusMap = statusMap;
        this.filling = filling;
        this.begun = begun;
        this.changed = changed;
    }

    /** This node goes over to this name of it. */
    void moved(UUID id, @Nullable UUID from, boolean live) {
        TrackedTable table = tables.get(id);
        boolean isNew = table == null;
        if (table == null) {
            table = new TrackedTable(turn.tick(), false, false);
            table.live = live;
        } else {
            table.carried = table.live; // as the journal has it
            table.live = false; // whose word counts for what is not known any more
        }
        table.fromMove = true;
        table.moved = true;
        table.movedNanos = turn.nanos();
        table.nameBefore = from;
        table.followed = false;
        if (isNew) {
            begun.accept(id, table);
        }
    }

    /** Nobody whom this node knows of serves it under an earlier name any more. */
    void followed(UUID id) {
        TrackedTable table = tables.get(id);
        if (table != null && table.isHeld() && !table.followed) {
            table.followed = true;
            changed.accept(id, table);
        }
    }

    boolean isFollowed(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null && table.followed;
    }

    /** Nobody serves a moved table under an earlier name any more. */
    void opened(UUID id) {
        TrackedTable table = tables.get(id);
        if (table != null && table.isHeld()) {
            table.moved = false;
            table.openedMicros = turn.tick();
            table.byNodes = true;
            filling.beginsToAwait(); // it may have nothing to repair
            changed.accept(id, table);
        }
    }

    /** Whether this node may neither take writes of the table nor vouch for any. */
    boolean isHeld(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null && table.isHeld();
    }

    /**
     * What this node has stamped of a moved table is acknowledged with no earlier cut than this: since then nobody
     * serves the table under an earlier name but one that is off the ring, and that is told nothing more. Who holds
     * nothing of it may have begun a write before, whose stamps are of a time that the other was still told of.
     */
    long acknowledgedFromMicros(UUID id) {
        TrackedTable table = tables.get(id);
        if (table == null || !table.fromMove) {
            return 0;
        }
        return Math.max(table.openedMicros, table.baseline ? table.sinceMicros : 0);
    }

    /**
     * Whether promises that this node gave before it followed the table's move may still be counted on. Of tables
     * without strict reads at home there are none that matter.
     */
    boolean earlierPromisesMayRun(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null
                && table.isHeld()
                && turn.nanos() - table.movedNanos < Leases.KEPT_NANOS
                && table.isStrictAtHome(() -> statusMap.groupsOf(id));
    }

    /** Of those that go by this name, who waits for others to leave an earlier one. */
    Set<NodeId> heldUpBy(UUID id) {
        Set<NodeId> held = new HashSet<>();
        TrackedTable table = tables.get(id);
        if (table != null) {
            table.reports.forEach((node, reported) -> {
                if (reported.report().held()) {
                    held.add(node);
                }
            });
        }
        return held;
    }

    /**
     * How it can be read before it is repaired.
     *
     * @param carriers whose word counts for which partitions: {@link TrackedTable#carriers}
     * @param seenByAll as {@link TrackedTable#seenByAll}
     */
    void readable(UUID id, Map<ReplicaGroup, Set<NodeId>> carriers, boolean seenByAll) {
        TrackedTable table = tables.get(id);
        if (table != null) {
            table.carriers = carriers;
            table.seenByAll = seenByAll;
        }
    }

    /**
     * What this node has in flight under the name before is about to be carried over.
     *
     * @param from that name
     * @param whole whether it holds nothing that it did not hold before
     */
    void carrying(UUID id, @Nullable UUID from, boolean whole) {
        TrackedTable table = tables.get(id);
        if (table != null) {
            table.carriedFrom = from;
            table.whole = whole;
        }
    }

    void notCarried(UUID id) {
        carrying(id, null, false);
    }

    /** Whether that is under way. */
    boolean isCarrying(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null && table.carriedFrom != null && !table.carried;
    }

    /**
     * The name before, where this node has carried over all that it had in flight, and held all else: of what it held
     * then it has nothing to repair. Null where it has to repair all that it holds.
     */
    @Nullable
    UUID carriedFrom(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null && table.carried ? table.carriedFrom : null;
    }

    /** It is visible under this one, and in the stores of a majority. */
    void carried(UUID id) {
        TrackedTable table = tables.get(id);
        if (table != null) {
            table.carried = true;
            table.repaired |= table.whole;
            filling.beginsToAwait();
            changed.accept(id, table);
        }
    }

    /**
     * Whether this node holds all that was retired under this name, and that was visible before it; and knows that it
     * does.
     */
    boolean isWhole(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null
                && (table.baseline || (table.repaired && filling.isSeenByQuorums(id)))
                && !table.left
                && !table.foreignData;
    }

    /** What the peer has stamped of the table up to here is in its store, as far as it has said so. */
    long storedMicros(NodeId peer, UUID id) {
        TrackedTable table = tables.get(id);
        TrackedTable.Reported reported = table == null ? null : table.reports.get(peer);
        return reported == null ? 0 : reported.report().storedMicros();
    }

    /** What this node says of that; 0 where nobody needs to know. */
    long storedHereMicros(UUID id, TrackedTable table) {
        return table.isBetween() ? statusMap.storedMicros(id, turn.tick()) : 0;
    }

    /** Whether others may wait to hear what is in this node's store of a table that has just moved. */
    boolean isReportingOften() {
        for (TrackedTable table : tables.values()) {
            if (table.isBetween() && turn.nanos() - table.movedNanos < LATELY_NANOS) {
                return true;
            }
        }
        return false;
    }

    /** The same write, by the names that this node goes by now: its client may have asked for it just before. */
    Event.WriteStarted presentlyNamed(Event.WriteStarted write) {
        for (PartitionKey key : write.keys()) {
            if (isLeft(key.table())) {
                return presentlyNamed(
                        write,
                        write.keys().stream()
                                .map(each -> new PartitionKey(presentName(each.table()), each.bytes()))
                                .toList());
            }
        }
        return write;
    }

    private static Event.WriteStarted presentlyNamed(Event.WriteStarted write, List<PartitionKey> keys) {
        return new Event.WriteStarted(write.writeId(), keys, write.tokenMicros(), write.strict(), write.coordinator());
    }

    private boolean isLeft(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null && table.left;
    }

    /** Where the next one is not known to come after this one, it is the same. */
    private UUID presentName(UUID id) {
        if (isLeft(id)) {
            for (Map.Entry<UUID, TrackedTable> other : tables.entrySet()) {
                if (id.equals(other.getValue().nameBefore)) {
                    return presentName(other.getKey());
                }
            }
        }
        return id;
    }

    /** From which name this node has gone over to this one lately, where others may go by it still; else null. */
    @Nullable
    UUID nameBefore(UUID id) {
        TrackedTable table = tables.get(id);
        UUID before = table == null ? null : table.nameBefore;
        return before != null && tables.containsKey(before) && isOnTheMove(id) ? before : null;
    }

    /** Whether this node has gone over to this name of it lately, or from it to another one. */
    boolean isOnTheMove(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null && (table.left || (table.fromMove && turn.nanos() - table.movedNanos < LATELY_NANOS));
    }
}
