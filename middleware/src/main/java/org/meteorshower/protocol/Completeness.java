/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which mutations of tables with strict reads at home are <i>complete</i>: w replicas have pledged them, and all whom
 * these have promised ({@link Leases}). A replica has <i>pledged</i> a mutation once it has stamped it and its clock
 * has come to the stamp.
 */
final class Completeness {
    /** In addition to two one-way delays: how long a mutation is not complete before others are asked. */
    private static final long ASK_AFTER_MICROS = 100_000;

    private static final long ASK_AGAIN_NANOS = 100_000_000L;

    /** In one round. */
    private static final int MOST_ASKED = 64;

    private final NodeId self;
    private final Turn turn;
    private final Delays delays;
    private final MessageReceiver receiver;
    private final Leases leases;
    private int asked;

    Completeness(NodeId self, Turn turn, Delays delays, MessageReceiver receiver, Leases leases) {
        this.self = self;
        this.turn = turn;
        this.delays = delays;
        this.receiver = receiver;
        this.leases = leases;
    }

    /** Whether all who hold anywhere know of the mutation, or of what overwrote it. It stays so. */
    boolean isComplete(MutationRecord record) {
        if (record.complete || record.isToldEverywhere() || record.dominatedByRetired) {
            return true;
        }
        ReplicaGroup group = record.group();
        boolean[] pledged = new boolean[group.size()];
        for (int i = 0; i < pledged.length; i++) {
            pledged[i] = record.isAppliedAt(i) && clockOf(group.members().get(i)) >= record.appliedAt(i);
        }
        long table = TableStripes.of(record.key.table());
        int enough = 0;
        for (int i = 0; i < pledged.length; i++) {
            Map<NodeId, Long> promised = leases.promisedBy(group.members().get(i));
            enough += pledged[i] && areAllPledged(promised, table, group, pledged) ? 1 : 0;
        }
        record.complete = enough >= group.writeQuorum();
        return record.complete;
    }

    /** What the node's clock is known to have come to. */
    private long clockOf(NodeId node) {
        return node.equals(self)
                ? turn.clock.value()
                : receiver.coverageOf(node).newestMicros();
    }

    private static boolean areAllPledged(
            @Nullable Map<NodeId, Long> promised, long table, ReplicaGroup group, boolean[] pledged) {
        for (int i = 0; i < pledged.length; i++) {
            if (!pledged[i] && mayBePromised(group.members().get(i), table, promised)) {
                return false;
            }
        }
        return true;
    }

    private static boolean mayBePromised(NodeId node, long table, @Nullable Map<NodeId, Long> promised) {
        return promised == null || (promised.getOrDefault(node, TableStripes.NONE) & table) != TableStripes.NONE;
    }

    /**
     * A record that is looked at: where it is not known to be complete for long, others may hear whom this node does
     * not.
     */
    void look(MutationRecord record) {
        long ageMicros = (turn.nanos() - record.createdNanos) / 1_000 - 2 * delays.longestMicros();
        if (record.group().strictAtHome() && ageMicros >= ASK_AFTER_MICROS) {
            ask(record);
        }
    }

    /** All records have been looked at. */
    void round() {
        asked = 0;
    }

    private void ask(MutationRecord record) {
        if (asked >= MOST_ASKED
                || turn.nanos() - record.askedNanos < ASK_AGAIN_NANOS
                || record.visibleFromMicros() == MutationRecord.NEVER
                || isComplete(record)) {
            return; // too few are known to have it: others know no more, or will say so
        }
        record.askedNanos = turn.nanos();
        asked++;
        for (NodeId member : record.group().members()) {
            if (!member.equals(self) && receiver.isHeard(member)) {
                turn.send(member, new Message.WhetherComplete(turn.tick(), record.key, record.id));
            }
        }
    }
}
