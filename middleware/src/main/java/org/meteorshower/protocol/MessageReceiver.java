/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes in the peers' streams (§4.2.2, message receiver): asks for them, puts them in order, mends gaps, and keeps the
 * coverage, the interval of cuts at which everything that a peer had applied is known here.
 *
 * <p>Coverage grows over successive streams of one peer, also over the peer's restarts: what a peer has stamped it
 * forgets only after this node acknowledged it, so a new stream's snapshot holds all that was missed.
 */
final class MessageReceiver {
    private static final int MAX_SNAPSHOT_PARTS = 1_000_000;

    /** When something last came from a node, by the elapsed clock. */
    private static final class Heard {
        long nanos;
    }

    /** A request repeated under its own number brings the missing parts only; a new number begins a new snapshot. */
    private static final int MAX_REPEATED_REQUESTS = 5;

    private final long incarnation;
    private final LiveSettings settings;
    private final Turn turn;
    private final Delays delays;
    private final SkewWatch skews;
    private final PeerClocks peerClocks;
    private final BiConsumer<NodeId, Announcement> onAnnouncement;
    private final Consumer<NodeId> onSnapshot;
    private final BiConsumer<NodeId, Message.StatusMessage> onTaken;
    private final Map<NodeId, IncomingStream> streams = new LinkedHashMap<>();
    private final Map<NodeId, Heard> heard = new HashMap<>();
    private long lastNumber;
    private boolean advanced;

    MessageReceiver(
            long incarnation,
            LiveSettings settings,
            Turn turn,
            Delays delays,
            SkewWatch skews,
            PeerClocks peerClocks,
            BiConsumer<NodeId, Announcement> onAnnouncement,
            Consumer<NodeId> onSnapshot,
            BiConsumer<NodeId, Message.StatusMessage> onTaken) {
        this.incarnation = incarnation;
        this.settings = settings;
        this.turn = turn;
        this.delays = delays;
        this.skews = skews;
        this.peerClocks = peerClocks;
        this.onAnnouncement = onAnnouncement;
        this.onSnapshot = onSnapshot;
        this.onTaken = onTaken;
    }

    void retain(Set<NodeId> peers) {
        streams.keySet().retainAll(peers);
        skews.retain(peers);
        peerClocks.retain(peers);
        for (NodeId peer : peers) {
            if (!streams.containsKey(peer)) {
                IncomingStream stream = new IncomingStream();
                stream.lastHeardNanos = turn.nanos();
                streams.put(peer, stream);
                ask(peer, stream);
            }
        }
    }

    /** Asks all peers for new streams; coverage goes on. Returns the number that all of them are at least. */
    long restartAll() {
        long number = lastNumber + 1;
        streams.forEach(this::ask);
        return number;
    }

    private void ask(NodeId peer, IncomingStream stream) {
        stream.restart(++lastNumber, turn.nanos());
        sendRequest(peer, stream);
    }

    /** The same request as long as that may help: parts of the snapshot that are here stay, lost ones come again. */
    private void askAgain(NodeId peer, IncomingStream stream) {
        if (stream.requestsRepeated < MAX_REPEATED_REQUESTS) {
            stream.requestsRepeated++;
            sendRequest(peer, stream);
        } else {
            ask(peer, stream);
        }
    }

    private void sendRequest(NodeId peer, IncomingStream stream) {
        stream.lastSentNanos = turn.nanos();
        turn.send(peer, new Message.Subscribe(turn.tick(), incarnation, stream.number));
    }

    /**
     * A new stream tells of all that the peer has: of what it may have told before; of the other tables, where it has
     * ended its stream since it has given one up. Coverage goes on.
     */
    void askAnew(NodeId peer) {
        IncomingStream stream = streams.get(peer);
        if (stream != null && stream.phase != IncomingStream.Phase.SUBSCRIBED) {
            ask(peer, stream);
        }
    }

    /** Any node answers a request with a report of its tables, also one that is no peer. */
    void askForReport(NodeId node) {
        IncomingStream stream = streams.get(node);
        long number = stream == null ? ++lastNumber : stream.number;
        turn.send(node, new Message.Subscribe(turn.tick(), incarnation, number));
    }

    void heardFrom(NodeId peer) {
        heard.computeIfAbsent(peer, p -> new Heard()).nanos = turn.nanos();
    }

    /** A peer asks for a stream: if it has restarted, the stream from its earlier life is over. */
    void peerSubscribed(NodeId peer, long peerIncarnation) {
        IncomingStream stream = streams.get(peer);
        if (stream != null
                && stream.phase != IncomingStream.Phase.SUBSCRIBED
                && peerIncarnation > stream.senderIncarnation) {
            ask(peer, stream);
        } else if (stream != null
                && stream.phase == IncomingStream.Phase.SUBSCRIBED
                && turn.nanos() - stream.lastSentNanos > 100_000_000L) {
            // It is there after all: our request may have met a closed door. The same request, so that an answer
            // which is on its way already still counts; but not for ever, since the peer may have given that stream up
            // while this node was silent, and then answers under a new number only.
            askAgain(peer, stream);
        }
    }

    /** The peer has left this node behind. One that comes late tells nothing: a stream has begun since. */
    void refused(NodeId peer, Message.Stale refusal) {
        IncomingStream stream = streams.get(peer);
        if (stream != null && refusal.incarnation() == incarnation && stream.phase == IncomingStream.Phase.SUBSCRIBED) {
            stream.refused = true;
        }
    }

    /** Whether the peer has left this node behind, by what it last said, and this node has not been filled since. */
    boolean isRefusedBy(NodeId peer) {
        IncomingStream stream = streams.get(peer);
        return stream != null && (stream.refused || stream.isBehind());
    }

    /** Whether the peer's stream lacks what it has retired without this node, which has not been filled since. */
    boolean isBehind(NodeId peer) {
        IncomingStream stream = streams.get(peer);
        return stream != null && stream.isBehind();
    }

    /** Whether the peer does not count this node, by what is known here. */
    boolean isLeftBehindBy(NodeId peer) {
        IncomingStream stream = streams.get(peer);
        return isRefusedBy(peer) || (stream != null && stream.isToBeTold());
    }

    /** As of when this node holds all that the peer had retired without it; 0 where it was never filled from there. */
    long filledMicros(NodeId peer) {
        IncomingStream stream = streams.get(peer);
        return stream == null ? 0 : stream.filledMicros;
    }

    /** The peer counts this node again. */
    void admittedBy(NodeId peer) {
        IncomingStream stream = streams.get(peer);
        if (stream != null) {
            stream.admitted = true;
        }
    }

    /** This node holds all that the peer had retired when it began to wait for it, then. */
    void filled(NodeId peer, long awaitedMicros) {
        IncomingStream stream = streams.get(peer);
        if (stream != null) {
            stream.filledMicros = awaitedMicros;
        }
    }

    void snapshot(NodeId peer, Message.Snapshot part) {
        IncomingStream stream = streams.get(peer);
        if (stream == null || !isCurrent(stream, part.stream()) || stream.phase == IncomingStream.Phase.LIVE) {
            return;
        }
        if (part.part() < 0
                || part.part() >= part.parts()
                || part.parts() > MAX_SNAPSHOT_PARTS
                || part.snapshotMicros() > part.hlcMicros()) {
            refuse(peer, "part " + part.part() + " of " + part.parts() + " of a snapshot");
            return;
        }
        if (stream.phase == IncomingStream.Phase.SNAPSHOT
                && part.stream().senderIncarnation() < stream.senderIncarnation) {
            return;
        }
        if (stream.phase == IncomingStream.Phase.SUBSCRIBED
                || part.stream().senderIncarnation() > stream.senderIncarnation) {
            stream.begin(part);
            onSnapshot.accept(peer);
        }
        stream.lastHeardNanos = turn.nanos();
        if (stream.snapshotParts.get(part.part())) {
            return;
        }
        stream.snapshotParts.set(part.part());
        stream.lastAdvancedNanos = turn.nanos();
        stream.requestsRepeated = 0;
        part.applied().forEach(announcement -> onAnnouncement.accept(peer, announcement));
        if (stream.snapshotParts.cardinality() == part.parts()) {
            stream.phase = IncomingStream.Phase.LIVE;
            stream.newestBegunNumber = stream.number;
            cover(stream, part.snapshotMicros());
            takeEarly(peer, stream);
        }
    }

    void status(NodeId peer, Message.StatusMessage message) {
        IncomingStream stream = streams.get(peer);
        if (stream == null || !isCurrent(stream, message.stream())) {
            return;
        }
        if (stream.isNewest(message)) {
            measured(peer, message, new Now(turn.wallMicros(), turn.nanos()));
        }
        if (message.msgTsMicros() > message.hlcMicros()) {
            refuse(peer, "a promise beyond the clock of the node that makes it");
            return;
        }
        stream.lastHeardNanos = turn.nanos();
        if (stream.phase != IncomingStream.Phase.LIVE) {
            keepEarly(peer, stream, message);
        } else if (message.stream().senderIncarnation() > stream.senderIncarnation) {
            ask(peer, stream); // one request reached two lives of the peer: the stream of the earlier one is over
        } else if (message.stream().senderIncarnation() < stream.senderIncarnation || message.seq() < stream.nextSeq) {
            return; // of an earlier life, or a repetition
        } else if (message.seq() - stream.nextSeq <= message.redundant().size()) {
            take(peer, stream, message);
            takeEarly(peer, stream);
        } else if (message.seq() - stream.nextSeq > settings.now().resendWindow()) {
            ask(peer, stream); // the peer keeps too few to fill this gap
        } else {
            keepEarly(peer, stream, message);
            reRequest(peer, stream);
        }
    }

    private void measured(NodeId peer, Message.StatusMessage message, Now now) {
        long roundTripMicros = delays.heard(peer, message.echo(), now);
        if (roundTripMicros < 0) {
            return;
        }
        // No physical clock is ahead of its node's hybrid one, and how far that may be is bounded.
        long sentWallMicros = Math.min(message.echo().sentWallMicros(), message.hlcMicros());
        peerClocks.heard(peer, sentWallMicros, roundTripMicros, now);
        String trouble = skews.heard(peer, sentWallMicros, roundTripMicros, now);
        if (trouble != null) {
            turn.alarm(Effect.AlarmKind.CLOCKS_APART, trouble);
        }
    }

    private void refuse(NodeId peer, String what) {
        turn.alarm(
                Effect.AlarmKind.PROTOCOL,
                peer + " sent " + what + "; it was refused: check that both nodes run the same version");
    }

    private boolean isCurrent(IncomingStream stream, StreamId id) {
        return id.receiverIncarnation() == incarnation && id.number() == stream.number;
    }

    /** Takes a message and, from its redundant part, those missing right before it. */
    private void take(NodeId peer, IncomingStream stream, Message.StatusMessage message) {
        for (long seq = stream.nextSeq; seq < message.seq(); seq++) {
            announced(peer, message.redundant().get((int) (message.seq() - seq) - 1));
        }
        announced(peer, message.payload());
        stream.nextSeq = message.seq() + 1;
        cover(stream, message.msgTsMicros());
        onTaken.accept(peer, message);
    }

    private void announced(NodeId peer, List<Announcement> announcements) {
        for (Announcement announcement : announcements) {
            onAnnouncement.accept(peer, announcement);
        }
    }

    private void cover(IncomingStream stream, long micros) {
        Coverage before = stream.coverage;
        stream.lastAdvancedNanos = turn.nanos();
        stream.told = stream.told.upTo(micros);
        if (!stream.isBehind()) {
            stream.coverage = before.upTo(micros);
            advanced |= !before.equals(stream.coverage);
        }
    }

    private void keepEarly(NodeId peer, IncomingStream stream, Message.StatusMessage message) {
        if (stream.phase == IncomingStream.Phase.LIVE) {
            stream.keepEarly(message);
            if (stream.early.size() > settings.now().reorderWindow() || isTooMuch(stream)) {
                ask(peer, stream);
            }
        } else if (stream.early.size() < settings.now().reorderWindow() && !isTooMuch(stream)) {
            // What does not fit is asked for again when the snapshot is here.
            stream.keepEarly(message);
        }
    }

    private boolean isTooMuch(IncomingStream stream) {
        return stream.earlyBytes() > Footprint.mostOfAStream(settings.now());
    }

    long keptBytes() {
        return streams.values().stream().mapToLong(IncomingStream::earlyBytes).sum();
    }

    private void takeEarly(NodeId peer, IncomingStream stream) {
        while (!stream.early.isEmpty()) {
            Message.StatusMessage first = stream.early.firstEntry().getValue();
            if (first.seq() >= stream.nextSeq) {
                if (first.stream().senderIncarnation() == stream.senderIncarnation
                        && first.seq() - stream.nextSeq > first.redundant().size()) {
                    return;
                }
                if (first.stream().senderIncarnation() == stream.senderIncarnation) {
                    take(peer, stream, first);
                }
            }
            stream.dropFirstEarly();
        }
    }

    private void reRequest(NodeId peer, IncomingStream stream) {
        if (turn.nanos() - stream.lastReRequestedNanos < roundTripNanos(peer) || stream.early.isEmpty()) {
            return;
        }
        stream.lastReRequestedNanos = turn.nanos();
        turn.send(
                peer,
                new Message.ReRequest(
                        turn.tick(),
                        new StreamId(stream.senderIncarnation, incarnation, stream.number),
                        stream.nextSeq,
                        stream.early.firstKey() - 1));
    }

    private long roundTripNanos(NodeId peer) {
        return Math.max(5_000_000L, 2_500L * delays.oneWayMicros(peer));
    }

    /** Mends what time has shown to be broken: unanswered requests, gaps that stay, peers that went silent. */
    void mend() {
        long now = turn.nanos();
        for (Map.Entry<NodeId, IncomingStream> entry : streams.entrySet()) {
            NodeId peer = entry.getKey();
            IncomingStream stream = entry.getValue();
            if (stream.phase != IncomingStream.Phase.LIVE) {
                if (now - Math.max(stream.lastSentNanos, stream.lastAdvancedNanos) > askAgainNanos(peer)) {
                    askAgain(peer, stream);
                }
            } else if (now - stream.lastHeardNanos > 1_000 * settings.now().streamTimeoutMicros()) {
                ask(peer, stream);
            } else if (!stream.early.isEmpty()) {
                if (now - stream.lastAdvancedNanos > Math.max(askAgainNanos(peer), 4 * roundTripNanos(peer))) {
                    ask(peer, stream);
                } else {
                    reRequest(peer, stream);
                }
            }
        }
    }

    private long askAgainNanos(NodeId peer) {
        return Math.max(1_000_000_000L, 2 * roundTripNanos(peer));
    }

    Coverage coverageOf(NodeId peer) {
        IncomingStream stream = streams.get(peer);
        return stream == null ? Coverage.NONE : stream.coverage;
    }

    /** As {@link #coverageOf}, but with what came behind something that is missing. */
    Coverage toldBy(NodeId peer) {
        IncomingStream stream = streams.get(peer);
        return stream == null ? Coverage.NONE : stream.told;
    }

    /** Whether some stream of the peer's with this number, or a later one, has begun: its snapshot has arrived. */
    boolean hasBegunSince(NodeId peer, long number) {
        IncomingStream stream = streams.get(peer);
        return stream != null && stream.newestBegunNumber >= number;
    }

    /** The number of the newest stream of the peer's that the coverage is from, or 0 before its first. */
    long newestBegunOf(NodeId peer) {
        IncomingStream stream = streams.get(peer);
        return stream == null ? 0 : stream.newestBegunNumber;
    }

    /** Which life of the peer's the coverage is from, or 0 before its first stream. */
    long incarnationOf(NodeId peer) {
        IncomingStream stream = streams.get(peer);
        return stream == null ? 0 : stream.senderIncarnation;
    }

    boolean isLive(NodeId peer) {
        IncomingStream stream = streams.get(peer);
        return stream != null && stream.phase == IncomingStream.Phase.LIVE;
    }

    /** For people. */
    String phaseOf(NodeId peer) {
        IncomingStream stream = streams.get(peer);
        if (stream == null) {
            return "none";
        }
        if (stream.isBehind() && !stream.refused) {
            return "behind";
        }
        return stream.refused ? "refused" : stream.phase.name().toLowerCase(Locale.ROOT);
    }

    long silentForMicros(NodeId peer) {
        Heard last = heard.get(peer);
        return last == null ? Long.MAX_VALUE : (turn.nanos() - last.nanos) / 1_000;
    }

    /** Whether it has sent anything within the time after which a peer counts as gone. */
    boolean isHeard(NodeId peer) {
        return silentForMicros(peer) <= settings.now().streamTimeoutMicros();
    }

    StatusMessageDispatcher.Acknowledgement acknowledgementFor(NodeId peer) {
        IncomingStream stream = streams.get(peer);
        @Nullable StreamId id = stream == null ? null : stream.idIfLive(incarnation);
        return new StatusMessageDispatcher.Acknowledgement(id, id == null || stream == null ? -1 : stream.nextSeq - 1);
    }

    /** Whether any coverage grew since this was last asked. */
    boolean advancedSinceAsked() {
        boolean answer = advanced;
        advanced = false;
        return answer;
    }

    Set<NodeId> peers() {
        return Collections.unmodifiableSet(streams.keySet());
    }
}
