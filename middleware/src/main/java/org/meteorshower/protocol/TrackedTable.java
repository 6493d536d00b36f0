/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What is known here of a table that is enabled: since when, what its replicas say of it, what is in doubt. */
final class TrackedTable {
    /**
     * What a peer said of a table, in which of its lives, and which request of this life for a stream it had heard by
     * then.
     */
    record Reported(long incarnation, long asked, Message.TableReport report) {
        /**
         * Whether it was said in the life that this node's stream of the peer is from, and when the peer had been asked
         * for that stream: it ends its streams when it gives a table up.
         */
        boolean isOfStreamOf(NodeId peer, MessageReceiver receiver) {
            return incarnation >= receiver.incarnationOf(peer) && asked >= receiver.newestBegunOf(peer);
        }
    }

    /** Since when it is tracked here, or its baseline is known: nobody reads it at older cuts. */
    long sinceMicros;

    boolean baseline;

    /** Whether the nodes bring together by themselves what they held when it was enabled. */
    boolean byNodes;

    /**
     * Whether this node has known all that it stamped of it ever since, and reads here are Cassandra's own until then.
     */
    boolean live;

    /** Whether those have ended. A restart before the baseline is known begins with them again. */
    boolean closed;

    /** Whether this node has done its part of that. */
    boolean repaired;

    /** Whether it begins anew after a move, and some node may still serve it under an earlier name. */
    boolean moved;

    /** Whether it began so. */
    boolean fromMove;

    /** By which name this node went until it did, where that was in this life of the node. */
    @Nullable
    UUID nameBefore;

    /** Whether all whom this node knows of follow it by this name. */
    boolean followed;

    /** When it did, on the scale of elapsed time. */
    long movedNanos;

    /** What it has stamped by this name it acknowledges with no earlier cut: when writes of it were taken. */
    long openedMicros;

    /** Whether what this node had in flight under the name before is visible under this one, and it held all else. */
    boolean carried;

    /** From which earlier name that comes, where it can be carried over; not known any more after a restart. */
    @Nullable
    UUID carriedFrom;

    /** Whether it has then nothing to repair, since it holds no partition that it did not hold before. */
    boolean whole;

    /**
     * By the replicas of partitions of this node, who of them held these before the move: enough of them must have
     * carried over what they had. Empty where that is not known here.
     */
    Map<ReplicaGroup, Set<NodeId>> carriers = Map.of();

    /** Whether enough have. They stay so. */
    boolean enoughCarried;

    /**
     * Whether each thing that was visible under the name before is in the store of some present replica of its
     * partition, as far as this node's partitions go.
     */
    boolean seenByAll;

    /** Whether this node goes by another name of it now. */
    boolean left;

    /** For all groups of this node; as the journal has it. */
    boolean ready;

    /** The groups found ready since the start. */
    final Set<ReplicaGroup> readyGroups = new HashSet<>();

    final Map<NodeId, Reported> reports = new HashMap<>();

    /** Reads use cuts no older than this. */
    long floorMicros;

    /** Streams with smaller numbers do not count for this table: they began before it was tracked. */
    long streamsSince;

    /** Whether data came in unannounced, and what came with it is not yet known. */
    boolean foreignData;

    /** How many times data is coming in right now. */
    int foreignDataComing;

    private @Nullable Boolean strictAtHome;

    TrackedTable(long sinceMicros, boolean baseline, boolean ready) {
        this.sinceMicros = sinceMicros;
        this.floorMicros = sinceMicros;
        this.baseline = baseline;
        this.ready = ready;
    }

    /** Whether the nodes bring together what they held: until then this one answers no read at a cut. */
    boolean isBeingFilled() {
        return byNodes && !moved && !baseline;
    }

    boolean isReadPlainly() {
        return live && !baseline && !closed && !left && !moved;
    }

    /** Which of Cassandra's own reads show all that was visible before. */
    PlainReads shownBefore() {
        return !fromMove || enoughCarried ? PlainReads.AT_QUORUM : seenByAll ? PlainReads.AT_ALL : PlainReads.NONE;
    }

    /** Whether this node has done its part of that, and waits for the others'. */
    boolean awaitsOthers() {
        return isBeingFilled() && repaired && !left;
    }

    /** Where all of its replicas are filled none of them has what the others lack, but none can know that. */
    boolean lacksData() {
        return foreignData || (isBeingFilled() && (!live || shownBefore() == PlainReads.NONE));
    }

    Effect.JournalTable toJournal(UUID id) {
        return new Effect.JournalTable(id, sinceMicros, baseline, ready, fromMove ? carried : live);
    }

    /** Whether it has moved, and some node may serve it under an earlier name. */
    boolean isHeld() {
        return moved && !baseline;
    }

    /** Whether it has moved, and this node does not vouch for it yet. */
    boolean isBetween() {
        return fromMove && !baseline;
    }

    /** Whether strict reads of it are answered by leases: the same under one name, once it has a place. */
    boolean isStrictAtHome(Supplier<Set<ReplicaGroup>> groups) {
        if (strictAtHome == null) {
            Set<ReplicaGroup> held = groups.get();
            if (held.isEmpty()) {
                return false;
            }
            strictAtHome = held.stream().anyMatch(ReplicaGroup::strictAtHome);
        }
        return strictAtHome;
    }

    /** @param storedMicros as in the report */
    Message.TableReport toReport(UUID id, long storedMicros) {
        return new Message.TableReport(
                id,
                sinceMicros,
                baseline,
                left,
                baseline || repaired,
                carried && !moved,
                storedMicros,
                isHeld() && !followed);
    }

    /** A report from an earlier life can come late. */
    static Reported latest(Reported known, Reported news) {
        boolean earlier = news.incarnation() < known.incarnation()
                || (news.incarnation() == known.incarnation() && news.asked() < known.asked());
        return earlier ? known : news;
    }

    /** @return whether it was new */
    boolean learn(NodeId from, Reported reported) {
        boolean news = !reported.equals(reports.get(from));
        reports.merge(from, reported, TrackedTable::latest);
        floorMicros = Math.max(floorMicros, reported.report().sinceMicros());
        return news;
    }
}
