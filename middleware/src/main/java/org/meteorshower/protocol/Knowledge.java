/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/** What this node knows of its own and its peers' announcements: the coverage, per replica group. */
final class Knowledge {
    private final NodeId self;
    private final long floorMicros;
    private final Turn turn;
    private final MessageReceiver receiver;

    /** @param floorMicros F: this incarnation answers at cuts from here on only */
    Knowledge(NodeId self, long floorMicros, Turn turn, MessageReceiver receiver) {
        this.self = self;
        this.floorMicros = floorMicros;
        this.turn = turn;
        this.receiver = receiver;
    }

    /** The coverage of each member of the group, in its order. This node knows of itself everything up to now. */
    Coverage[] of(ReplicaGroup group) {
        Coverage[] coverage = new Coverage[group.size()];
        for (int i = 0; i < coverage.length; i++) {
            NodeId member = group.members().get(i);
            // A value of the clock that was handed out promises that later stamps are larger.
            coverage[i] = member.equals(self) ? new Coverage(floorMicros, turn.tick()) : receiver.coverageOf(member);
        }
        return coverage;
    }

    long floorMicros() {
        return floorMicros;
    }
}
