/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pushes status messages to the peers (§4.2.2, status message dispatcher): every Δ to each that needs them, also when
 * there is nothing to tell; at once where an acknowledgement waits for it; and seldom to peers at which nothing happens
 * ({@link Attention}).
 *
 * <p>Guarantee: a message with {@code msgTs} = m goes out only after everything that this node stamped at m or before,
 * and that the peer shares, was announced in the stream.
 */
final class StatusMessageDispatcher {
    private static final long LEAST_SNAPSHOT_PAUSE_NANOS = 100_000_000L;

    private final NodeId self;
    private final long incarnation;
    private final LiveSettings settings;
    private final Turn turn;
    private final StatusMap statusMap;
    private final Delays delays;
    private final Map<NodeId, OutgoingStream> streams = new LinkedHashMap<>();

    /** Of each peer the newest stream that ever began. It outlives the stream: its name is never given to another. */
    private final Map<NodeId, StreamId> newest = new HashMap<>();

    private final Map<NodeId, StreamId> refusedAsStale = new HashMap<>();
    private final LeftBehind leftBehind;
    private final Leases leases;

    StatusMessageDispatcher(
            NodeId self,
            long incarnation,
            LiveSettings settings,
            Turn turn,
            StatusMap statusMap,
            Delays delays,
            LeftBehind leftBehind,
            Leases leases) {
        this.leases = leases;
        this.self = self;
        this.incarnation = incarnation;
        this.settings = settings;
        this.turn = turn;
        this.statusMap = statusMap;
        this.delays = delays;
        this.leftBehind = leftBehind;
    }

    /** This node has stamped the mutation: each replica of it will be told. */
    void announce(MutationRecord record) {
        for (NodeId member : record.group().members()) {
            OutgoingStream stream = streams.get(member);
            if (stream != null) {
                stream.announceLater(record);
                stream.wantedNanos = turn.nanos();
            }
        }
    }

    void subscribed(NodeId peer, Message.Subscribe request) {
        StreamId id = new StreamId(incarnation, request.incarnation(), request.number());
        if (leftBehind.isTurnedAway(peer, request.incarnation())) {
            if (!id.equals(refusedAsStale.put(peer, id))) {
                turn.send(peer, new Message.Stale(turn.tick(), request.incarnation()));
            }
            return;
        }
        StreamId before = newest.get(peer);
        if (before != null && isNotAfter(id, before)) {
            repeatSnapshot(peer, id);
            return; // late, or repeated
        }
        lives(peer, request.incarnation());
        List<MutationRecord> snapshot = new ArrayList<>();
        for (MutationRecord record : statusMap.all()) {
            int me = record.group().indexOf(self);
            if (me >= 0 && record.isAppliedAt(me) && record.group().contains(peer)) {
                snapshot.add(record);
            }
        }
        List<Message.Snapshot> parts = parts(id, snapshot, leftBehind.behindMicros(peer));
        newest.put(peer, id);
        ended(
                peer,
                streams.put(
                        peer,
                        new OutgoingStream(
                                id,
                                snapshot,
                                parts,
                                settings.now().resendWindow(),
                                Footprint.mostOfAStream(settings.now()),
                                turn.nanos())));
        parts.forEach(part -> turn.send(peer, part));
    }

    /**
     * What the peer acknowledged in an earlier life it may have lost with that: it counts no more, and nothing is
     * retired before the peer has it again. Else it would stamp late what it had only heard of, and take silence for a
     * no.
     */
    void lives(NodeId peer, long incarnation) {
        StreamId before = newest.get(peer);
        if (before != null && before.receiverIncarnation() < incarnation) {
            statusMap.toBeAcknowledgedAnewBy(peer);
        }
    }

    /**
     * The peer asked again because parts are missing: all come again, since what is here by then is not lost with them.
     */
    private void repeatSnapshot(NodeId peer, StreamId id) {
        OutgoingStream current = streams.get(peer);
        if (current != null && current.id.equals(id)) {
            long pauseNanos = Math.max(LEAST_SNAPSHOT_PAUSE_NANOS, 2_000 * delays.oneWayMicros(peer));
            current.snapshotAgain(turn.nanos(), pauseNanos).forEach(part -> turn.send(peer, part));
        }
    }

    private static boolean isNotAfter(StreamId asked, StreamId current) {
        return asked.receiverIncarnation() < current.receiverIncarnation()
                || (asked.receiverIncarnation() == current.receiverIncarnation() && asked.number() <= current.number());
    }

    private List<Message.Snapshot> parts(StreamId id, List<MutationRecord> snapshot, long behindMicros) {
        long snapshotMicros = turn.tick();
        int limit = settings.now().announcementsPerMessage();
        int count = Math.max(1, (snapshot.size() + limit - 1) / limit);
        List<Message.Snapshot> parts = new ArrayList<>(count);
        for (int part = 0; part < count; part++) {
            List<MutationRecord> some = snapshot.subList(part * limit, Math.min(snapshot.size(), (part + 1) * limit));
            parts.add(new Message.Snapshot(
                    turn.clock.value(), id, snapshotMicros, part, count, announcements(some), behindMicros));
        }
        return parts;
    }

    private List<Announcement> announcements(List<MutationRecord> records) {
        if (records.isEmpty()) {
            return List.of(); // as in most messages, and in a window of them
        }
        List<Announcement> announcements = new ArrayList<>(records.size());
        for (MutationRecord record : records) {
            announcements.add(new Announcement(
                    record.key,
                    record.id,
                    record.oldestTimestampMicros,
                    record.shape,
                    record.row,
                    record.appliedAt(record.group().indexOf(self))));
        }
        return announcements;
    }

    /**
     * @param together whether what is due soon goes out with what is due now: on a quiet node the peers' turns come to
     *     fall together, and it wakes up once for all of them
     */
    void dispatchDue(MessageReceiver receiver, boolean together) {
        boolean early = together && isAnyDue();
        List<NodeId> silent = new ArrayList<>();
        for (Map.Entry<NodeId, OutgoingStream> entry : streams.entrySet()) {
            NodeId peer = entry.getKey();
            OutgoingStream stream = entry.getValue();
            if (leftBehind.isTurnedAway(peer)
                    || receiver.silentForMicros(peer) > 2 * settings.now().streamTimeoutMicros()) {
                silent.add(peer); // it will ask again when it is back: until then nothing piles up here
                continue;
            }
            long sinceMicros = (turn.nanos() - stream.lastSentNanos) / 1_000;
            long intervalMicros = early ? intervalMicros(stream) * 3 / 4 : intervalMicros(stream);
            if (sinceMicros >= stream.dueAfterMicros(intervalMicros)) {
                dispatch(peer, stream, receiver);
            }
        }
        silent.forEach(this::end);
    }

    private boolean isAnyDue() {
        return microsToNextDispatch() <= 0;
    }

    private long intervalMicros(OutgoingStream stream) {
        boolean wanted = turn.nanos() - stream.wantedNanos < Attention.HELD_NANOS;
        return wanted
                ? settings.now().dispatchIntervalMicros()
                : Math.max(
                        settings.now().dispatchIntervalMicros(), settings.now().restIntervalMicros());
    }

    /**
     * When the next status message is due; not positive where one is overdue. Large where there is nobody to send one
     * to.
     */
    long microsToNextDispatch() {
        long least =
                Math.max(settings.now().dispatchIntervalMicros(), settings.now().restIntervalMicros());
        for (OutgoingStream stream : streams.values()) {
            long sinceMicros = (turn.nanos() - stream.lastSentNanos) / 1_000;
            least = Math.min(least, stream.dueAfterMicros(intervalMicros(stream)) - sinceMicros);
        }
        return least;
    }

    /** Whether an acknowledgement waits for a status message that may not follow the last one so soon. */
    boolean isFlushWanted() {
        for (OutgoingStream stream : streams.values()) {
            if (stream.isFlushWanted()) {
                return true;
            }
        }
        return false;
    }

    /** The peer asks for word: now, and at Δ for a while. */
    void pulled(NodeId peer, MessageReceiver receiver) {
        OutgoingStream stream = streams.get(peer);
        if (stream != null) {
            stream.wantedNanos = turn.nanos();
            flush(peer, receiver);
        }
    }

    /**
     * What the peer waits for goes out now, or very soon where something went out just now.
     *
     * @return whether all that is to be told has gone out, in a stream that the peer is known to follow
     */
    boolean flush(NodeId peer, MessageReceiver receiver) {
        OutgoingStream stream = streams.get(peer);
        if (stream == null || leftBehind.isTurnedAway(peer)) {
            return false; // what was retired without the peer may not have been told in its stream
        }
        if ((turn.nanos() - stream.lastSentNanos) / 1_000 >= settings.now().minFlushMicros()) {
            dispatch(peer, stream, receiver);
            return stream.acknowledgedSeq() >= 0;
        }
        stream.flushAfter(settings.now().minFlushMicros());
        return false;
    }

    /**
     * A mutation that the coordinator sent is in the store here. Where the last message has told of it, that will do;
     * else one goes out now or, where many of these come, a little later and for several.
     *
     * @param receipt goes along with the message, or is returned where none would go
     * @return whether the coordinator hears of it in the stream; else only an acknowledgement tells it
     */
    boolean acknowledge(NodeId coordinator, MutationRecord record, long receipt, MessageReceiver receiver) {
        OutgoingStream stream = streams.get(coordinator);
        if (stream == null
                || stream.acknowledgedSeq() < 0
                || leftBehind.isTurnedAway(coordinator)
                || record.group().strictAtHome()) {
            turn.giveBack(coordinator, receipt);
            return flush(coordinator, receiver);
        }
        stream.acks.asked(turn.nanos());
        boolean busy = stream.acks.isBusy(settings.now());
        long leastMicros = busy
                ? AckPace.leastMicros(settings.now(), delays.oneWayMicros(coordinator))
                : settings.now().minFlushMicros();
        boolean told =
                stream.promisedMicros() >= record.appliedAt(record.group().indexOf(self));
        boolean due = (turn.nanos() - stream.lastSentNanos) / 1_000 >= leastMicros;
        // Where the stamp is told, and the way so long that more is gathered, an answer of its own is there sooner.
        boolean goes = told ? busy && leastMicros <= settings.now().minFlushMicros() : busy || due;
        boolean carried = goes && receipt != Event.Acknowledging.NO_RECEIPT && stream.carry(receipt);
        if (!carried) {
            turn.giveBack(coordinator, receipt);
        }
        if (told && !carried) {
            return true;
        } else if (due) {
            dispatch(coordinator, stream, receiver);
        } else {
            stream.flushAfter(leastMicros);
        }
        return told || busy || due;
    }

    private void end(NodeId peer) {
        ended(peer, streams.remove(peer));
    }

    private void ended(NodeId peer, @Nullable OutgoingStream stream) {
        if (stream != null) {
            stream.leftReceipts().forEach(receipt -> turn.giveBack(peer, receipt));
        }
    }

    private void dispatch(NodeId peer, OutgoingStream stream, MessageReceiver receiver) {
        do {
            List<MutationRecord> records = stream.take(settings.now().announcementsPerMessage());
            // Where there is more to tell than fits, this message must not promise that all is told.
            long msgTs = stream.hasPending() ? 0 : turn.tick();
            Acknowledgement ack = receiver.acknowledgementFor(peer);
            Message.StatusMessage message = new Message.StatusMessage(
                    turn.clock.value(),
                    stream.id,
                    stream.nextSeq(),
                    msgTs,
                    announcements(records),
                    stream.latestPayloads(settings.now().redundancy()),
                    ack.stream(),
                    ack.seq(),
                    delays.echoFor(peer, new Now(turn.wallMicros(), turn.nanos())),
                    msgTs == 0 ? Message.Lease.NONE : leases.tell(peer, stream.id.receiverIncarnation()),
                    stream.takeReceipts(settings.now().redundancy()));
            stream.sent(message, records, turn.nanos());
            turn.send(peer, message);
        } while (stream.hasPending());
    }

    void acknowledged(NodeId peer, @Nullable StreamId id, long seq) {
        OutgoingStream stream = streams.get(peer);
        if (stream == null || !stream.id.equals(id)) {
            return;
        }
        for (MutationRecord record : stream.acknowledged(seq)) {
            int member = record.group().indexOf(peer);
            if (member >= 0) {
                record.acknowledgedBy(member);
            }
        }
    }

    void resend(NodeId peer, Message.ReRequest request) {
        OutgoingStream stream = streams.get(peer);
        if (stream == null || !stream.id.equals(request.stream())) {
            return; // the peer will miss an answer and ask for a new stream
        }
        for (Message.StatusMessage message : stream.window()) {
            if (message.seq() >= request.fromSeq() && message.seq() <= request.toSeq()) {
                turn.send(peer, message);
            }
        }
    }

    /** Ends the streams towards nodes that share nothing any more, or that were left behind. */
    void retain(Set<NodeId> peers) {
        for (NodeId peer : streamingTo()) {
            if (!peers.contains(peer)) {
                end(peer);
            }
        }
    }

    void drop(NodeId peer) {
        end(peer);
        refusedAsStale.remove(peer);
    }

    /**
     * Nothing more is promised in the streams that there are: mutations of a table that was given up here are not told
     * of any more. The peers ask for new ones when they hear of that.
     */
    void endAll() {
        streamingTo().forEach(this::end);
    }

    long keptBytes() {
        return streams.values().stream().mapToLong(OutgoingStream::keptBytes).sum();
    }

    boolean isStreamingTo(NodeId peer) {
        return streams.containsKey(peer);
    }

    Set<NodeId> streamingTo() {
        return new HashSet<>(streams.keySet());
    }

    /** What this node has of a peer's stream: all up to {@code seq}. */
    record Acknowledgement(@Nullable StreamId stream, long seq) {}
}
