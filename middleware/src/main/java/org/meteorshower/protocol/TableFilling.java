/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What the nodes bring together by themselves: what they held of a table when it was enabled, or hold and do not know
 * to have stamped. {@link TableStates} changes it.
 */
final class TableFilling {
    private static final long ASK_EVERY_NANOS = 200_000_000L;

    private final Map<UUID, TrackedTable> tables;
    private final Readiness readiness;
    private final Turn turn;
    private final MessageReceiver receiver;
    private long askedNanos = Long.MIN_VALUE / 2;

    /** Whether a table may wait for the other replicas to have repaired what they hold. */
    private boolean someAwait;

    TableFilling(Map<UUID, TrackedTable> tables, Readiness readiness, Turn turn, MessageReceiver receiver) {
        this.tables = tables;
        this.readiness = readiness;
        this.turn = turn;
        this.receiver = receiver;
    }

    /** This node has repaired what it holds of one. */
    void beginsToAwait() {
        someAwait = true;
    }

    /** Which reads here are Cassandra's own still: until this node's baseline is known nobody serves the table. */
    PlainReads plainReads(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null && table.isReadPlainly() ? shownBefore(id, table) : PlainReads.NONE;
    }

    /**
     * Whether each of Cassandra's own reads at QUORUM sees all that is visible under this name, of partitions of this
     * node; or a cut shows it.
     */
    boolean isSeenByQuorums(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null
                && (table.baseline || (table.live && !table.moved && shownBefore(id, table) == PlainReads.AT_QUORUM));
    }

    private PlainReads shownBefore(UUID id, TrackedTable table) {
        table.enoughCarried |= table.fromMove && !table.enoughCarried && readiness.areEnoughCarried(id, table);
        return table.shownBefore();
    }

    /** Whether reads of the table will not be Cassandra's own here any more, or never were. */
    boolean isNeverReadPlainly(UUID id) {
        TrackedTable table = tables.get(id);
        return table == null || !table.live || table.baseline || table.closed || table.left;
    }

    /**
     * Whether all who hold partitions of the table with this node have told what they had stamped when it was closed.
     */
    boolean areAllHeardSince(UUID id) {
        TrackedTable table = tables.get(id);
        return table == null || readiness.haveAllBegun(id, table);
    }

    /** Whether this node has its part of bringing the table together still to do. */
    boolean needsRepair(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null && !table.baseline && !table.repaired && !table.whole;
    }

    /**
     * Whether the node has repaired what it held of the table, in the life and since the enabling that its stream is
     * of: whatever it had stamped and forgotten before is in all stores, or in none.
     */
    boolean isRepairedAt(NodeId node, UUID id) {
        TrackedTable table = tables.get(id);
        TrackedTable.Reported reported = table == null ? null : table.reports.get(node);
        return reported != null && reported.report().repaired() && reported.isOfStreamOf(node, receiver);
    }

    boolean isFilledByNodes(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null && table.byNodes && !table.moved;
    }

    boolean isBeingFilled(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null && table.isBeingFilled();
    }

    /** The tables that all replicas have repaired what they hold of, and whose baselines can be confirmed here. */
    List<UUID> filled() {
        if (!someAwait) {
            return List.of();
        }
        someAwait = false;
        List<UUID> filled = new ArrayList<>();
        for (Map.Entry<UUID, TrackedTable> table : tables.entrySet()) {
            if (table.getValue().awaitsOthers()) {
                someAwait = true;
                Set<NodeId> unrepaired = readiness.unrepaired(table.getKey(), table.getValue());
                if (unrepaired.isEmpty()) {
                    filled.add(table.getKey());
                } else {
                    askThose(unrepaired);
                }
            }
        }
        return filled;
    }

    /** Peers say so by themselves. */
    private void askThose(Set<NodeId> unrepaired) {
        if (turn.nanos() - askedNanos < ASK_EVERY_NANOS) {
            return;
        }
        askedNanos = turn.nanos();
        for (NodeId node : unrepaired) {
            if (!receiver.peers().contains(node)) {
                receiver.askForReport(node);
            }
        }
    }

    /** Whether one of the tables {@link #lacksData}. */
    boolean lackData() {
        return tables.values().stream().anyMatch(TrackedTable::lacksData);
    }

    /** Whether its reads wait here for longer, while others may serve them. Those that are Cassandra's own do not. */
    boolean lacksData(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null && table.lacksData() && !plainReads(id).areAllowed();
    }

    /** Whether what this node has stamped of the table, and does not know, was retired or is in its baseline. */
    boolean knowsAllItStamped(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null && (table.baseline || table.live);
    }
}
