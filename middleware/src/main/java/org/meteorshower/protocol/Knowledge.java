/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
     * The coverage of each member of the group, in its order. This node knows of itself everything up to now. Of a peer
     * only what it vouches for counts: one that came back without its journal announces less than it has applied.
     */
    Coverage[] of(ReplicaGroup group, UUID table) {
        return of(group, table, turn.tick());
    }

    /**
     * As {@link #of}, but of itself this node counts only what it has used its clock for already: that moves nothing.
     */
    Coverage[] soFar(ReplicaGroup group, UUID table) {
        return of(group, table, turn.clock.value());
    }

    /**
     * As {@link #of}, for what may be forgotten: while this node is being filled with what peers retired without it,
     * their streams cover no cut that it could read, but tell all that is in flight.
     */
    Coverage[] told(ReplicaGroup group, UUID table) {
        return of(group, table, turn.tick(), receiver::toldBy);
    }

    /**
     * Whether reads here can do without cuts below this one, at which the mutation is visible: this node covers it, or
     * answers no read of the table before it has its baseline, and then only at later cuts. Who has not stamped the
     * mutation may ask for it, and a node without a baseline that has forgotten it could not answer.
     */
    boolean mayForget(MutationRecord record, long visibleFromMicros) {
        UUID table = record.key.table();
        return (record.isStampedByAll() && tables.filling.isBeingFilled(table))
                || visibleFromMicros <= CutChooser.newestCovered(record.group(), told(record.group(), table));
    }

    private Coverage[] of(ReplicaGroup group, UUID table, long ownMicros) {
        return of(group, table, ownMicros, receiver::coverageOf);
    }

    private Coverage[] of(ReplicaGroup group, UUID table, long ownMicros, Function<NodeId, Coverage> coverageOf) {
        Coverage[] coverage = new Coverage[group.size()];
        for (int i = 0; i < coverage.length; i++) {
            NodeId member = group.members().get(i);
            // A value of the clock that was handed out promises that later stamps are larger.
            coverage[i] = member.equals(self)
                    ? new Coverage(floorMicros, ownMicros)
                    : tables.isVouchedForBy(member, table) ? coverageOf.apply(member) : Coverage.NONE;
        }
        return coverage;
    }

    long floorMicros() {
        return floorMicros;
    }

    /** Those that have left this node behind, by what they last said. */
    Set<NodeId> leftBehindBy() {
        Set<NodeId> refusing = new TreeSet<>(receiver.peers());
        refusing.removeIf(peer -> !receiver.isRefusedBy(peer));
        return refusing;
    }

    /** Whether anybody has left this node behind. */
    boolean isLeftBehind() {
        return receiver.peers().stream().anyMatch(receiver::isRefusedBy);
    }

    /** Whether so few members are heard, this one included, that nothing new can be learned of the group's keys. */
    boolean hearsTooFew(ReplicaGroup group) {
        int heard = 0;
        for (NodeId member : group.members()) {
            if (member.equals(self) || receiver.isHeard(member)) {
                heard++;
            }
        }
        return heard < group.readQuorum();
    }

    /** Whether so many have left this node behind that the others are too few to learn of new cuts from. */
    boolean isLeftBehind(ReplicaGroup group) {
        int refusing = 0;
        for (NodeId member : group.members()) {
            if (receiver.isRefusedBy(member)) {
                refusing++;
            }
        }
        return refusing > 0 && group.size() - refusing < group.readQuorum();
    }

    /**
     * Why this node learns of no new cut for the group: so many have left it behind that the others are too few. Null
     * where they are enough, be they heard or not.
     */
    @Nullable
    String whyLeftBehind(ReplicaGroup group) {
        if (!isLeftBehind(group)) {
            return null;
        }
        Set<NodeId> refusing = leftBehindBy();
        refusing.retainAll(group.members());
        return "this node was left behind by "
                + refusing.stream().map(NodeId::toString).collect(Collectors.joining(", "))
                + ", since it missed more than they keep (max_records): it shows nothing newer until it has been filled with"
                + " that, which it sees to by itself. Where automatic_return is off, tell them that it is being repaired"
                + " (meteorshower.left_behind there), run nodetool repair --full here, then tell them that it is repaired";
    }
}
