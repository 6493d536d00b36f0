/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.BitSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A peer's stream as it arrives here: where it stands, and what came ahead of a gap. */
final class IncomingStream {
    /**
     * Which messages of the peer are awaited. {@link MessageReceiver} alone moves a stream from one phase to the next.
     */
    enum Phase {
        /** Asked for; the snapshot has not begun to arrive. */
        SUBSCRIBED,
        /** Some parts of the snapshot are here. */
        SNAPSHOT,
        /** The snapshot is here; status messages extend the coverage. */
        LIVE
    }

    Phase phase = Phase.SUBSCRIBED;

    /** The number that this node gave the stream when it asked for it. */
    long number;

    long senderIncarnation;
    final BitSet snapshotParts = new BitSet();

    /** Everything before this message of the stream is here; meaningful when LIVE. */
    long nextSeq = 1;

    final TreeMap<Long, Message.StatusMessage> early = new TreeMap<>();

    /** What these take. */
    private long earlyBytes;

    /** Of the peer, over all its streams towards this incarnation. Never shrinks. */
    Coverage coverage = Coverage.NONE;

    /**
     * The same with what came behind something missing: no cut can be read for it, but nothing later is awaited either.
     */
    Coverage told = Coverage.NONE;

    long lastHeardNanos;
    /** When the request for this stream was last sent, and how often it was repeated. */
    long lastSentNanos;

    int requestsRepeated;

    /** Whether the peer has left this node behind, and gives no stream: what it last said, until one begins. */
    boolean refused;

    /**
     * 0, or since when the peer waits for this node, after having left it behind: until this node is filled as of then,
     * the stream covers nothing.
     */
    long behindMicros;

    /** As of when this node holds all that the peer had retired without it; 0 where it was never filled from there. */
    long filledMicros;

    /** Whether the peer has said that it counts this node again, since it last said that something is missing. */
    boolean admitted;

    /** The largest number of a stream whose snapshot has arrived; 0 before the first. */
    long newestBegunNumber;

    /** When the last part of a snapshot arrived that was missing, or the coverage grew. */
    long lastAdvancedNanos;

    long lastReRequestedNanos;

    private @Nullable StreamId id;

    void restart(long newNumber, long nowNanos) {
        phase = Phase.SUBSCRIBED;
        number = newNumber;
        snapshotParts.clear();
        nextSeq = 1;
        early.clear();
        earlyBytes = 0;
        requestsRepeated = 0;
        lastAdvancedNanos = nowNanos;
    }

    /** The first part of its snapshot is here. */
    void begin(Message.Snapshot part) {
        phase = Phase.SNAPSHOT;
        refused = false;
        behindMicros = part.behindMicros();
        admitted = false;
        senderIncarnation = part.stream().senderIncarnation();
        snapshotParts.clear();
    }

    /** Whether something is missing that was retired before the stream. */
    boolean isBehind() {
        return behindMicros != 0 && behindMicros != filledMicros;
    }

    /** Whether this node holds what was missing, and does not know that the peer has heard of it. */
    boolean isToBeTold() {
        return behindMicros != 0 && behindMicros == filledMicros && !admitted;
    }

    void keepEarly(Message.StatusMessage message) {
        Message.StatusMessage before = early.put(message.seq(), message);
        earlyBytes += bytesOf(message) - (before == null ? 0 : bytesOf(before));
    }

    void dropFirstEarly() {
        earlyBytes -= bytesOf(early.pollFirstEntry().getValue());
    }

    long earlyBytes() {
        return earlyBytes;
    }

    private static long bytesOf(Message.StatusMessage message) {
        long announcements = message.payload().size();
        for (var repeated : message.redundant()) {
            announcements += repeated.size();
        }
        return Footprint.MESSAGE + Footprint.ANNOUNCEMENT * announcements;
    }

    /** Whether nothing later has come yet: one that was sent again, or held up, tells an old time of its journey. */
    boolean isNewest(Message.StatusMessage message) {
        return message.seq() >= nextSeq && (early.isEmpty() || message.seq() > early.lastKey());
    }

    /** The stream's name once it lives: each status message to the peer carries it. */
    @Nullable
    StreamId idIfLive(long incarnation) {
        if (phase != Phase.LIVE) {
            return null;
        }
        StreamId name = id;
        if (name == null || name.number() != number || name.senderIncarnation() != senderIncarnation) {
            name = new StreamId(senderIncarnation, incarnation, number);
            id = name;
        }
        return name;
    }
}
