/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stream of status messages towards one peer: what is still to be told, what was sent of late, and what the peer
 * has not acknowledged. Bounded by the resend window and the number of records.
 */
final class OutgoingStream {
    private static final long NEVER = Long.MAX_VALUE;

    /** More than come between two messages. */
    private static final int MOST_RECEIPTS = 4_096;

    private record Sent(long seq, List<MutationRecord> records) {}

    final StreamId id;
    private final int resendWindow;
    private final long windowBytes;
    private long lastSeq;
    private List<MutationRecord> pending = new ArrayList<>();
    private final ArrayDeque<Message.StatusMessage> window = new ArrayDeque<>();
    private final ArrayDeque<Sent> unacknowledged = new ArrayDeque<>();
    private final List<Long> receipts = new ArrayList<>();

    /** Of the last messages, the newest first. */
    private final ArrayDeque<List<Long>> sentReceipts = new ArrayDeque<>();

    private long acknowledgedSeq = -1;
    private long bytesInWindow;

    /** Empty once the peer has them all. */
    private List<Message.Snapshot> snapshotParts;

    private long snapshotSentNanos;
    private long promisedMicros;
    long lastSentNanos;

    /** So long after the last message the next one goes, for acknowledgements; {@link #NEVER} where none waits. */
    private long flushAfterMicros = NEVER;

    final AckPace acks;

    /** When the peer last asked for word, or there was something to tell it. */
    long wantedNanos;

    /**
     * @param snapshot the records that the stream's snapshot announces, under sequence number 0
     * @param snapshotParts what is sent of it right now
     * @param windowBytes what the messages that are kept for re-requests may take
     */
    OutgoingStream(
            StreamId id,
            List<MutationRecord> snapshot,
            List<Message.Snapshot> snapshotParts,
            int resendWindow,
            long windowBytes,
            long nowNanos) {
        this.id = id;
        this.snapshotParts = snapshotParts;
        this.resendWindow = resendWindow;
        this.windowBytes = windowBytes;
        this.lastSentNanos = nowNanos;
        this.snapshotSentNanos = nowNanos;
        this.wantedNanos = nowNanos;
        this.acks = new AckPace(nowNanos);
        this.promisedMicros = snapshotParts.get(0).snapshotMicros();
        unacknowledged.add(new Sent(0, snapshot));
    }

    /** The snapshot, for a peer that still asks for it; nothing where it has it, or the last copy may be on its way. */
    List<Message.Snapshot> snapshotAgain(long nowNanos, long pauseNanos) {
        if (snapshotParts.isEmpty() || nowNanos - snapshotSentNanos < pauseNanos) {
            return List.of();
        }
        snapshotSentNanos = nowNanos;
        return snapshotParts;
    }

    void announceLater(MutationRecord record) {
        pending.add(record);
    }

    boolean hasPending() {
        return !pending.isEmpty();
    }

    long nextSeq() {
        return lastSeq + 1;
    }

    /** Takes up to {@code limit} records to announce in the next message. */
    List<MutationRecord> take(int limit) {
        if (pending.isEmpty()) {
            return List.of();
        }
        if (pending.size() <= limit) {
            List<MutationRecord> all = pending;
            pending = new ArrayList<>();
            return all;
        }
        List<MutationRecord> first = new ArrayList<>(pending.subList(0, limit));
        pending = new ArrayList<>(pending.subList(limit, pending.size()));
        return first;
    }

    /** The payloads of the last {@code count} messages, newest first. */
    List<List<Announcement>> latestPayloads(int count) {
        List<List<Announcement>> payloads = new ArrayList<>(count);
        var newestFirst = window.descendingIterator();
        while (payloads.size() < count && newestFirst.hasNext()) {
            payloads.add(newestFirst.next().payload());
        }
        return payloads;
    }

    /** @return whether the next message carries it; not where too many wait */
    boolean carry(long receipt) {
        return receipts.size() < MOST_RECEIPTS && receipts.add(receipt);
    }

    /** What the next message carries, of the last {@code count} messages, too. */
    List<Long> takeReceipts(int count) {
        while (sentReceipts.size() > count) {
            sentReceipts.removeLast();
        }
        List<Long> own = List.copyOf(receipts);
        receipts.clear();
        List<Long> all = own;
        for (List<Long> earlier : sentReceipts) {
            if (!earlier.isEmpty()) {
                all = new ArrayList<>(all);
                all.addAll(earlier);
            }
        }
        sentReceipts.addFirst(own);
        return all;
    }

    /** Those that no message has carried, and none will. */
    List<Long> leftReceipts() {
        return List.copyOf(receipts);
    }

    void sent(Message.StatusMessage message, List<MutationRecord> records, long nowNanos) {
        lastSeq = message.seq();
        lastSentNanos = nowNanos;
        promisedMicros = Math.max(promisedMicros, message.msgTsMicros());
        flushAfterMicros = NEVER;
        window.addLast(message);
        bytesInWindow += bytesOf(message);
        while (window.size() > resendWindow || (bytesInWindow > windowBytes && window.size() > 1)) {
            bytesInWindow -= bytesOf(window.removeFirst());
        }
        if (!records.isEmpty()) {
            unacknowledged.addLast(new Sent(lastSeq, records));
        }
    }

    /** The peer has the stream up to {@code seq}; returns the records whose announcement it thereby has. */
    List<MutationRecord> acknowledged(long seq) {
        if (seq <= acknowledgedSeq || seq > lastSeq) {
            return List.of();
        }
        acknowledgedSeq = seq;
        snapshotParts = List.of();
        List<MutationRecord> done = new ArrayList<>();
        while (!unacknowledged.isEmpty() && unacknowledged.peekFirst().seq() <= seq) {
            done.addAll(unacknowledged.removeFirst().records());
        }
        return done;
    }

    /** Of one that is sent, as it is kept: what it repeats is that of the messages before it. */
    private static long bytesOf(Message.StatusMessage message) {
        return Footprint.MESSAGE
                + (long) Footprint.ANNOUNCEMENT * message.payload().size()
                + (long) Footprint.RECEIPT * message.receipts().size();
    }

    /** What is kept to be sent again; the records are counted where they are. */
    long keptBytes() {
        long bytes = bytesInWindow;
        for (Message.Snapshot part : snapshotParts) {
            bytes += (long) Footprint.ANNOUNCED_RECORD * part.applied().size();
        }
        return bytes;
    }

    Deque<Message.StatusMessage> window() {
        return window;
    }

    /** All that was stamped here by then has been told in this stream. */
    long promisedMicros() {
        return promisedMicros;
    }

    void flushAfter(long micros) {
        flushAfterMicros = Math.min(flushAfterMicros, micros);
    }

    boolean isFlushWanted() {
        return flushAfterMicros != NEVER;
    }

    /** After how long the next message is due. */
    long dueAfterMicros(long intervalMicros) {
        return Math.min(flushAfterMicros, intervalMicros);
    }

    long acknowledgedSeq() {
        return acknowledgedSeq;
    }

    /** The oldest message that can still be sent again, or null when none was sent. */
    @Nullable
    Long oldestResendable() {
        return window.isEmpty() ? null : Long.valueOf(window.peekFirst().seq());
    }
}
