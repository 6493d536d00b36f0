/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.UUID;

/** What this node knows of its own and its peers' announcements: the coverage, per replica group. */
final class Knowledge {
    private final NodeId self;
    private final long floorMicros;
    private final Turn turn;
    private final MessageReceiver receiver;
    private final TableStates tables;

    /** @param floorMicros F: this incarnation answers at cuts from here on only */
    Knowledge(NodeId self, long floorMicros, Turn turn, MessageReceiver receiver, TableStates tables) {
        this.self = self;
        this.floorMicros = floorMicros;
        this.turn = turn;
        this.receiver = receiver;
        this.tables = tables;
    }

    /**
     * The coverage of each member of the group, in its order. This node knows of itself everything up to now. Of a peer only
     * what it vouches for counts: one that came back without its journal announces less than it has applied.
     */
    Coverage[] of(ReplicaGroup group, UUID table) {
        return of(group, table, turn.tick());
    }

    /** As {@link #of}, but of itself this node counts only what it has used its clock for already: that moves nothing. */
    Coverage[] soFar(ReplicaGroup group, UUID table) {
        return of(group, table, turn.clock.value());
    }

    private Coverage[] of(ReplicaGroup group, UUID table, long ownMicros) {
        Coverage[] coverage = new Coverage[group.size()];
        for (int i = 0; i < coverage.length; i++) {
            NodeId member = group.members().get(i);
            // A value of the clock that was handed out promises that later stamps are larger.
            coverage[i] = member.equals(self)
                    ? new Coverage(floorMicros, ownMicros)
                    : tables.isVouchedForBy(member, table) ? receiver.coverageOf(member) : Coverage.NONE;
        }
        return coverage;
    }

    long floorMicros() {
        return floorMicros;
    }
}
