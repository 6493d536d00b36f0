/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which tables are enabled, and whether they can be served: every replica has enabled the table, and what each held
 * before is known to be the same.
 */
final class TableStates {
    static final String MOVED =
            "the table's partitions have moved between nodes: it is served again once all its replicas"
                    + " know, and have been repaired, which the nodes do by themselves";

    static final String NOT_ENABLED = "the table is not enabled on this node";

    private static final String NO_BASELINE =
            "this node held data of the table when it was enabled: run a full repair of the table, then confirm"
                    + " the baseline";

    private static final long REPORT_EVERY_NANOS = 1_000_000_000L;

    /**
     * What a peer said of a table, in which of its lives, and which request of this life for a stream it had heard by
     * then.
     */
    private record Reported(long incarnation, long asked, Message.TableReport report) {}

    /** The last request for a stream that a peer is known to have made. */
    private record Asked(long incarnation, long number) {
        static final Asked NOTHING = new Asked(0, 0);

        boolean isAfter(Asked other) {
            return incarnation > other.incarnation || (incarnation == other.incarnation && number > other.number);
        }
    }

    private static final class Table {
        /** Since when it is tracked here, or its baseline is known: nobody reads it at older cuts. */
        long sinceMicros;

        boolean baseline;

        /** Whether it begins anew after a move, and its baseline is not known yet. */
        boolean moved;

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

        Table(long sinceMicros, boolean baseline, boolean ready) {
            this.sinceMicros = sinceMicros;
            this.floorMicros = sinceMicros;
            this.baseline = baseline;
            this.ready = ready;
        }
    }

    private final NodeId self;
    private final long incarnation;
    private final Placement placement;
    private final Turn turn;
    private final MessageReceiver receiver;
    private final LiveSettings settings;
    private final Map<UUID, Table> tables = new HashMap<>();
    private final Map<NodeId, Asked> asked = new HashMap<>();
    private final PeerTables peerTables = new PeerTables();
    private final EndedTables ended;

    /** Reports about tables that are not enabled here yet. Bounded by what the cluster's schema holds. */
    private final Map<UUID, Map<NodeId, Reported>> earlyReports = new HashMap<>();

    private long reportedNanos = Long.MIN_VALUE / 2;
    private boolean reportNow;

    /** Whether a peer reported anything new since readiness was looked at. */
    private boolean news;

    TableStates(
            NodeId self,
            long incarnation,
            Placement placement,
            Turn turn,
            MessageReceiver receiver,
            LiveSettings settings) {
        this.self = self;
        this.incarnation = incarnation;
        this.placement = placement;
        this.turn = turn;
        this.receiver = receiver;
        this.settings = settings;
        this.ended = new EndedTables(self, turn, receiver, peerTables);
    }

    void recover(UUID id, long sinceMicros, boolean baseline, boolean ready) {
        tables.put(id, new Table(sinceMicros, baseline, ready));
    }

    boolean isEnabled(UUID id) {
        return tables.containsKey(id);
    }

    void enable(UUID id, boolean empty) {
        if (tables.containsKey(id)) {
            return;
        }
        Table table = new Table(turn.tick(), empty, false);
        // What was announced of this table before was not kept: only new streams' snapshots tell all of it.
        table.streamsSince = receiver.restartAll();
        Map<NodeId, Reported> early = earlyReports.remove(id);
        if (early != null) {
            early.forEach((peer, report) -> learn(table, peer, report));
        }
        tables.put(id, table);
        changed(id, table);
    }

    void moved(UUID id) {
        enable(id, false);
        Table table = tables.get(id);
        if (table != null) {
            table.moved = true;
        }
    }

    /** This node goes by another name of the table now. */
    void left(UUID id) {
        Table table = tables.get(id);
        if (table != null) {
            table.left = true;
            reportNow = true;
        }
    }

    /** Whether this node may neither take writes of the table nor vouch for any. */
    boolean isHeld(UUID id) {
        Table table = tables.get(id);
        return table != null && table.moved && !table.baseline;
    }

    void confirmBaseline(UUID id) {
        Table table = tables.get(id);
        if (table != null && !table.baseline) {
            table.baseline = true;
            // What others retired before is told apart by nobody: reads here use cuts from now on. And so do those of
            // the
            // others, once they hear of it: what is in the baseline is shown at every cut, so none may be older than
            // the
            // timestamps in it, or a session could read one, write above its cut, and be overruled by what it has read.
            table.sinceMicros = Math.max(turn.tick(), turn.clock.highest());
            table.floorMicros = Math.max(table.floorMicros, table.sinceMicros);
            changed(id, table);
        }
    }

    /**
     * Returns whether the peers counted on this node's word for it until now: not where they know that it goes by
     * another name.
     */
    boolean disable(UUID id) {
        Table table = tables.remove(id);
        earlyReports.remove(id);
        turn.emit(new Effect.JournalTableDropped(id));
        reportNow = true;
        return table != null && !table.left;
    }

    /** After {@link #disable}: tells everybody at once, and notes who has given the table up, too. */
    void end(UUID id, Set<ReplicaGroup> groups, Set<NodeId> everybody) {
        ended.ended(id, groups);
        ended.heard();
        everybody.stream().filter(node -> !node.equals(self)).sorted().forEach(this::report);
    }

    /** Whether the table was disabled here, and another node may still serve it. */
    boolean isEnding(UUID id) {
        return ended.isEnding(id);
    }

    /** Data is coming in that nobody announced: from now on no reading of the store counts. */
    void foreignDataComing(UUID id) {
        Table table = tables.get(id);
        if (table != null) {
            table.foreignData = true;
            table.foreignDataComing++;
        }
    }

    /** Data came in that nobody announced: what it holds is told by the replicas' new streams. */
    void foreignData(UUID id) {
        Table table = tables.get(id);
        if (table != null) {
            table.foreignData = true;
            table.foreignDataComing = Math.max(0, table.foreignDataComing - 1);
            table.streamsSince = receiver.restartAll();
        }
    }

    private void changed(UUID id, Table table) {
        turn.emit(new Effect.JournalTable(id, table.sinceMicros, table.baseline, table.ready));
        reportNow = true;
    }

    boolean isNoneEnding() {
        return ended.none();
    }

    void received(NodeId from, Message.Tables message) {
        Set<UUID> givenUp = peerTables.heard(from, message);
        if (givenUp == null) {
            return; // late
        }
        if (!givenUp.isEmpty()) {
            givenUp.forEach(id -> withdrawn(from, id));
            receiver.askAnew(from);
        }
        ended.heard();
        long heard = message.askedIncarnation() == incarnation ? message.askedNumber() : 0;
        for (Message.TableReport report : message.tables()) {
            Table table = tables.get(report.table());
            Reported reported = new Reported(message.incarnation(), heard, report);
            if (table != null) {
                learn(table, from, reported);
            } else if (earlyReports.size() < 10_000) {
                earlyReports
                        .computeIfAbsent(report.table(), t -> new HashMap<>())
                        .merge(from, reported, TableStates::latest);
            }
        }
    }

    /** The peer's word for the table counts no more, also for what it covered: nobody needs that who can hear this. */
    private void withdrawn(NodeId from, UUID id) {
        Table table = tables.get(id);
        if (table != null) {
            table.reports.remove(from);
        }
        Map<NodeId, Reported> early = earlyReports.get(id);
        if (early != null) {
            early.remove(from);
        }
    }

    private void learn(Table table, NodeId from, Reported reported) {
        news |= !reported.equals(table.reports.get(from));
        table.reports.merge(from, reported, TableStates::latest);
        table.floorMicros = Math.max(table.floorMicros, reported.report().sinceMicros());
    }

    /** A report from an earlier life can come late. */
    private static Reported latest(Reported known, Reported news) {
        boolean earlier = news.incarnation() < known.incarnation()
                || (news.incarnation() == known.incarnation() && news.asked() < known.asked());
        return earlier ? known : news;
    }

    /**
     * Whether the peer, in its present life, knows all that it has ever stamped of the table and not retired; and said
     * so when it had been asked for the stream that its coverage is from, since it ends its streams when it gives a
     * table up.
     */
    boolean isVouchedForBy(NodeId peer, UUID id) {
        Table table = tables.get(id);
        Reported reported = table == null ? null : table.reports.get(peer);
        return reported != null
                && reported.report().baseline()
                && reported.incarnation() >= receiver.incarnationOf(peer)
                && reported.asked() >= receiver.newestBegunOf(peer);
    }

    /** Tells the peers about this node's tables when something changed, and again now and then. */
    void reportDue(Set<NodeId> peers) {
        ended.askDue();
        if (news) {
            news = false;
            noteReady();
        }
        if (!reportNow && turn.nanos() - reportedNanos < REPORT_EVERY_NANOS) {
            return;
        }
        reportNow = false;
        reportedNanos = turn.nanos();
        noteReady();
        for (NodeId peer : peers) {
            report(peer);
        }
    }

    /** A peer asks for a new stream: without a report before it, it does not count. */
    void asked(NodeId peer, Message.Subscribe request) {
        asked.merge(
                peer,
                new Asked(request.incarnation(), request.number()),
                (known, news) -> news.isAfter(known) ? news : known);
        report(peer);
    }

    private void report(NodeId peer) {
        List<Message.TableReport> reports = new ArrayList<>();
        tables.forEach(
                (id, table) -> reports.add(new Message.TableReport(id, table.sinceMicros, table.baseline, table.left)));
        // Also where there are none: then the peer learns that those are given up which it knows of.
        Asked last = asked.getOrDefault(peer, Asked.NOTHING);
        turn.send(peer, new Message.Tables(turn.tick(), incarnation, last.incarnation(), last.number(), reports));
    }

    /** Whether the table can be served by this group now. */
    boolean isServed(UUID id, ReplicaGroup group, NodeId self) {
        Table table = tables.get(id);
        return table != null
                && !table.left
                && (table.ready || isReady(table, group))
                && !table.foreignData
                && awaitedStream(table, group, self) == null;
    }

    /** Why the table cannot be served by this group now, or null if it can. */
    @Nullable
    String notReady(UUID id, ReplicaGroup group, NodeId self) {
        Table table = tables.get(id);
        if (table == null) {
            return NOT_ENABLED;
        }
        if (table.left) {
            return MOVED;
        }
        if (!table.ready && !isReady(table, group)) {
            return missing(table, group, self);
        }
        if (table.foreignData) {
            return table.foreignDataComing > 0
                    ? "data is coming in that no replica announced"
                    : "data came in that no replica announced: " + awaitedAfterForeignData(id, table);
        }
        NodeId awaited = awaitedStream(table, group, self);
        return awaited == null ? null : "waiting for a new stream of status messages from " + awaited;
    }

    /** A member that is heard, and whose stream since the table was tracked has not begun; null where there is none. */
    private @Nullable NodeId awaitedStream(Table table, ReplicaGroup group, NodeId self) {
        for (int i = 0; i < group.size(); i++) {
            NodeId member = group.members().get(i);
            if (!member.equals(self)
                    && !receiver.hasBegunSince(member, table.streamsSince)
                    && receiver.silentForMicros(member) <= settings.now().streamTimeoutMicros()) {
                return member;
            }
        }
        return null;
    }

    private String awaitedAfterForeignData(UUID id, Table table) {
        Set<NodeId> peers = new TreeSet<>(peersOf(id)); // which may be the receiver's own
        peers.removeIf(peer -> hasToldSince(peer, table));
        Set<NodeId> unconfirmed = new TreeSet<>(peers);
        unconfirmed.removeIf(peer -> {
            Reported reported = table.reports.get(peer);
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
    private void noteReady() {
        tables.forEach((id, table) -> {
            if (!table.ready) {
                boolean all = true;
                Set<ReplicaGroup> groups = placement.groupsOf(id);
                for (ReplicaGroup group : groups) {
                    all &= !group.contains(self) || isReady(table, group);
                }
                if (all && !(groups.isEmpty() && table.readyGroups.isEmpty())) {
                    table.ready = true;
                    turn.emit(new Effect.JournalTable(id, table.sinceMicros, table.baseline, true));
                }
            }
        });
    }

    private boolean isReady(Table table, ReplicaGroup group) {
        return table.readyGroups.contains(group)
                || (missing(table, group, self) == null && table.readyGroups.add(group));
    }

    /** Why no read of the table can be served before a person has done something, or null where waiting may help. */
    @Nullable
    String needsPerson(UUID id) {
        Table table = tables.get(id);
        return table == null || table.ready || table.baseline || table.moved ? null : NO_BASELINE;
    }

    Set<NodeId> reportedBy(UUID id) {
        Table table = tables.get(id);
        return table == null ? Set.of() : new HashSet<>(table.reports.keySet());
    }

    boolean hasForeignData(UUID id) {
        Table table = tables.get(id);
        return table != null && table.foreignData;
    }

    boolean hasBaseline(UUID id) {
        Table table = tables.get(id);
        return table != null && table.baseline;
    }

    private static @Nullable String missing(Table table, ReplicaGroup group, NodeId self) {
        if (table.moved && !table.baseline) {
            return MOVED;
        }
        if (!table.baseline) {
            return NO_BASELINE;
        }
        for (NodeId member : group.members()) {
            Reported reported = table.reports.get(member);
            if (!member.equals(self) && reported == null) {
                return "replica " + member + " has not reported the table as enabled";
            }
            if (reported != null && !reported.report().baseline()) {
                return "replica " + member
                        + " held data of the table when it was enabled: run a full repair of the table, then confirm the"
                        + " baseline";
            }
        }
        return null;
    }

    /**
     * The tables whose unannounced data is now known about: every peer that shares the table has begun a new stream
     * since, also one that cannot be heard just now: the data may have come from it. From then on their reads use cuts
     * from {@code nowMicros} on. A peer of other tables alone, or of an earlier name of this one, is not waited for: it
     * may be gone for good.
     *
     * <p>The data may hold mutations that a peer took after it had left this name for a later one. They are announced
     * under that one, so nothing will ever tell of them here: each peer must say, when it has been asked for the new
     * stream, that it goes by this name still. Where one does not, nothing is served until this node follows it. Nor
     * will anything tell of mutations that a peer holds and does not know to have stamped, since it has forgotten that,
     * or ran without being tracked: it must have its baseline, so that whatever it held is at every replica by then.
     */
    List<UUID> foreignDataKnown(long nowMicros) {
        List<UUID> known = new ArrayList<>();
        tables.forEach((id, table) -> {
            if (table.foreignData && table.foreignDataComing == 0 && haveAllTold(peersOf(id), table)) {
                table.foreignData = false;
                table.floorMicros = Math.max(table.floorMicros, nowMicros);
                known.add(id);
            }
        });
        return known;
    }

    private boolean haveAllTold(Set<NodeId> peers, Table table) {
        for (NodeId peer : peers) {
            if (!hasToldSince(peer, table)) {
                return false;
            }
        }
        return true;
    }

    private boolean hasToldSince(NodeId peer, Table table) {
        Reported reported = table.reports.get(peer);
        return receiver.hasBegunSince(peer, table.streamsSince)
                && reported != null
                && reported.asked() >= table.streamsSince
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

    long floorOf(UUID id) {
        Table table = tables.get(id);
        return table == null ? 0 : table.floorMicros;
    }
}
