/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which tables are enabled, what the peers report of theirs, and which data came in unannounced. */
final class TableStates {
    private static final long REPORT_EVERY_NANOS = 1_000_000_000L;

    /** Of tables that have just moved: reads wait for what is said there. */
    private static final long REPORT_OFTEN_NANOS = 50_000_000L;

    /** The last request for a stream that a peer is known to have made. */
    private record Asked(long incarnation, long number) {
        static final Asked NOTHING = new Asked(0, 0);

        boolean isAfter(Asked other) {
            return incarnation > other.incarnation || (incarnation == other.incarnation && number > other.number);
        }
    }

    private final NodeId self;
    private final long incarnation;
    private final Turn turn;
    private final MessageReceiver receiver;
    private final StatusMap statusMap;
    private final Map<UUID, TrackedTable> tables = new HashMap<>();
    private final Map<NodeId, Asked> asked = new HashMap<>();
    private final PeerTables peerTables = new PeerTables();
    private final EndedTables ended;
    private final Readiness readiness;
    final TableFilling filling;
    final TableMoves moves;

    /** Reports about tables that are not enabled here yet. Bounded by what the cluster's schema holds. */
    private final Map<UUID, Map<NodeId, TrackedTable.Reported>> earlyReports = new HashMap<>();

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
            StatusMap statusMap) {
        this.self = self;
        this.incarnation = incarnation;
        this.turn = turn;
        this.receiver = receiver;
        this.statusMap = statusMap;
        this.ended = new EndedTables(self, turn, receiver, peerTables);
        this.readiness = new Readiness(self, placement, turn, receiver);
        this.filling = new TableFilling(tables, readiness, turn, receiver);
        this.moves = new TableMoves(tables, turn, statusMap, filling, this::begin, this::changed);
    }

    void recover(Recovery.RecoveredTable recovered) {
        TrackedTable table = new TrackedTable(recovered.sinceMicros(), recovered.baseline(), recovered.ready());
        table.live = recovered.live();
        tables.put(recovered.table(), table);
    }

    Set<UUID> ids() {
        return new HashSet<>(tables.keySet());
    }

    boolean isEnabled(UUID id) {
        return tables.containsKey(id);
    }

    void enable(UUID id, boolean empty) {
        if (!tables.containsKey(id)) {
            begin(id, new TrackedTable(turn.tick(), empty, false));
        }
    }

    private void begin(UUID id, TrackedTable table) {
        // What was announced of this table before was not kept: only new streams' snapshots tell all of it.
        table.streamsSince = receiver.restartAll();
        Map<NodeId, TrackedTable.Reported> early = earlyReports.remove(id);
        if (early != null) {
            early.forEach((peer, report) -> news |= table.learn(peer, report));
        }
        tables.put(id, table);
        changed(id, table);
    }

    /** This node holds data, which the nodes bring together by themselves. */
    void filled(UUID id, boolean live) {
        TrackedTable table = tables.get(id);
        if (table == null) {
            table = new TrackedTable(turn.tick(), false, false);
            table.live = live;
            begin(id, table);
        }
        table.byNodes = true;
    }

    /** This node has repaired what it holds of it. */
    void repaired(UUID id) {
        TrackedTable table = tables.get(id);
        if (table != null) {
            table.repaired = true;
            filling.beginsToAwait();
            reportNow = true;
        }
    }

    /**
     * The nodes have brought the table together, and its baseline is to be confirmed. From now on no read here is
     * Cassandra's own. What those that were have shown was stamped at others, whose clocks may be ahead: it is to be
     * above those that this node reads from now on.
     *
     * @return whether others are to be heard before: {@link TableFilling#areAllHeardSince}
     */
    boolean close(UUID id) {
        TrackedTable table = tables.get(id);
        if (table == null || !table.isBeingFilled()) {
            return false;
        }
        table.closed = true;
        table.streamsSince = receiver.restartAll();
        reportNow = true;
        return true;
    }

    /** This node goes by another name of the table now. */
    void left(UUID id) {
        TrackedTable table = tables.get(id);
        if (table != null) {
            table.left = true;
            reportNow = true;
        }
    }

    void confirmBaseline(UUID id) {
        TrackedTable table = tables.get(id);
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
        TrackedTable table = tables.remove(id);
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
        TrackedTable table = tables.get(id);
        if (table != null) {
            table.foreignData = true;
            table.foreignDataComing++;
        }
    }

    /** Data came in that nobody announced: what it holds is told by the replicas' new streams. */
    void foreignData(UUID id) {
        TrackedTable table = tables.get(id);
        if (table != null) {
            table.foreignData = true;
            table.foreignDataComing = Math.max(0, table.foreignDataComing - 1);
            table.streamsSince = receiver.restartAll();
        }
    }

    private void changed(UUID id, TrackedTable table) {
        turn.emit(table.toJournal(id));
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
            TrackedTable table = tables.get(report.table());
            TrackedTable.Reported reported = new TrackedTable.Reported(message.incarnation(), heard, report);
            if (table != null) {
                news |= table.learn(from, reported);
            } else if (earlyReports.size() < 10_000) {
                earlyReports
                        .computeIfAbsent(report.table(), t -> new HashMap<>())
                        .merge(from, reported, TrackedTable::latest);
            }
        }
    }

    /** The peer's word for the table counts no more, also for what it covered: nobody needs that who can hear this. */
    private void withdrawn(NodeId from, UUID id) {
        TrackedTable table = tables.get(id);
        if (table != null) {
            table.reports.remove(from);
        }
        Map<NodeId, TrackedTable.Reported> early = earlyReports.get(id);
        if (early != null) {
            early.remove(from);
        }
    }

    /**
     * Whether the peer, in its present life, knows all that it has ever stamped of the table and not retired; and said
     * so when it had been asked for the stream that its coverage is from, since it ends its streams when it gives a
     * table up.
     */
    boolean isVouchedForBy(NodeId peer, UUID id) {
        TrackedTable table = tables.get(id);
        TrackedTable.Reported reported = table == null ? null : table.reports.get(peer);
        return reported != null && reported.report().baseline() && reported.isOfStreamOf(peer, receiver);
    }

    /** Tells the peers about this node's tables when something changed, and again now and then. */
    void reportDue(Set<NodeId> peers) {
        ended.askDue();
        if (news) {
            news = false;
            noteReady();
        }
        long everyNanos = moves.isReportingOften() ? REPORT_OFTEN_NANOS : REPORT_EVERY_NANOS;
        if (!reportNow && turn.nanos() - reportedNanos < everyNanos) {
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
        tables.forEach((id, table) -> {
            reports.add(table.toReport(id, moves.storedHereMicros(id, table)));
        });
        // Also where there are none: then the peer learns that those are given up which it knows of.
        Asked last = asked.getOrDefault(peer, Asked.NOTHING);
        turn.send(peer, new Message.Tables(turn.tick(), incarnation, last.incarnation(), last.number(), reports));
    }

    /** Whether the table can be served by this group now. */
    boolean isServed(UUID id, ReplicaGroup group) {
        TrackedTable table = tables.get(id);
        return table != null && readiness.isServed(table, group);
    }

    /** Why the table cannot be served by this group now, or null if it can. */
    @Nullable
    String notReady(UUID id, ReplicaGroup group) {
        TrackedTable table = tables.get(id);
        return table == null ? Readiness.NOT_ENABLED : readiness.notReady(id, table, group);
    }

    private void noteReady() {
        tables.forEach(readiness::note);
    }

    /** Why no read of the table can be served before a person has done something, or null where waiting may help. */
    @Nullable
    String needsPerson(UUID id) {
        TrackedTable table = tables.get(id);
        return table == null || table.ready || table.baseline || table.moved || table.byNodes
                ? null
                : Readiness.NO_BASELINE;
    }

    /** Whether the node goes by this name of a table, by what it has said. */
    boolean hasReported(NodeId node, UUID id) {
        TrackedTable table = tables.get(id);
        return table != null && table.reports.containsKey(node);
    }

    /**
     * Whether the node, by what it last said, goes by no name of a table that this one does not go by, and by those of
     * all that have strict reads at home here. One that does not may read what this node tells nothing of.
     */
    boolean goesByTheSame(NodeId node) {
        Set<UUID> theirs = peerTables.namesOf(node);
        if (theirs == null || !theirs.stream().allMatch(this::goesBy)) {
            return false;
        }
        for (Map.Entry<UUID, TrackedTable> each : tables.entrySet()) {
            if (!each.getValue().left
                    && !theirs.contains(each.getKey())
                    && each.getValue().isStrictAtHome(() -> statusMap.groupsOf(each.getKey()))) {
                return false;
            }
        }
        return true;
    }

    private boolean goesBy(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null && !table.left;
    }

    Set<NodeId> reportedBy(UUID id) {
        TrackedTable table = tables.get(id);
        return table == null ? Set.of() : new HashSet<>(table.reports.keySet());
    }

    boolean hasForeignData(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null && table.foreignData;
    }

    boolean hasBaseline(UUID id) {
        TrackedTable table = tables.get(id);
        return table != null && table.baseline;
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
            if (table.foreignData && table.foreignDataComing == 0 && readiness.haveAllTold(id, table)) {
                table.foreignData = false;
                table.floorMicros = Math.max(table.floorMicros, nowMicros);
                known.add(id);
            }
        });
        return known;
    }

    long floorOf(UUID id) {
        TrackedTable table = tables.get(id);
        return table == null ? 0 : table.floorMicros;
    }
}
