/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.apache.cassandra.utils.NoSpamLogger;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.transport.NettyTransport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what is too large for a parcel piece by piece, the next when the last is acknowledged, and puts it together again. One message
 * to a node, and one from a node, at a time; what comes on top is dropped, as is what does not arrive whole: the core asks again.
 * Thread-safe.
 */
final class LargeMessages implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LargeMessages.class);
    private static final int PIECE_BYTES = 1 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST_WAITING = 64;

    private static final class Incoming {
        final long number;
        final int count;
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int next;

        Incoming(long number, int count) {
            this.number = number;
            this.count = count;
        }
    }

    private final NettyTransport transport;
    private final BiConsumer<NodeId, byte[]> receiver;
    private final AtomicLong numbers = new AtomicLong();
    private final Set<NodeId> sending = ConcurrentHashMap.newKeySet();
    private final Map<NodeId, Incoming> incoming = new ConcurrentHashMap<>();
    private final ExecutorService thread = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            new NamedThreadFactory("MeteorShower-Snapshots"));

    /** @param receiver of whole messages; called on the transport's threads */
    LargeMessages(NettyTransport transport, BiConsumer<NodeId, byte[]> receiver) {
        this.transport = transport;
        this.receiver = receiver;
    }

    /** @param message encoded on a thread of this class */
    void send(NodeId to, Supplier<byte[]> message) {
        if (!sending.add(to)) {
            return;
        }
        try {
            thread.execute(() -> encodeAndBegin(to, message));
        } catch (RejectedExecutionException e) {
            sending.remove(to);
        }
    }

    private void encodeAndBegin(NodeId to, Supplier<byte[]> message) {
        try {
            begin(to, message.get());
        } catch (RuntimeException | OutOfMemoryError e) {
            sending.remove(to); // else nothing large would go there any more
            NoSpamLogger.log(
                    log,
                    NoSpamLogger.Level.ERROR,
                    60,
                    TimeUnit.SECONDS,
                    "MeteorShower transactions: a snapshot could not be sent, so that node {} cannot catch up: {}",
                    to,
                    e.toString());
        }
    }

    private void begin(NodeId to, byte[] message) {
        int count = Math.max(1, (message.length + PIECE_BYTES - 1) / PIECE_BYTES);
        if (count > CallForm.MOST_PIECES) {
            sending.remove(to);
            NoSpamLogger.log(
                    log,
                    NoSpamLogger.Level.ERROR,
                    60,
                    TimeUnit.SECONDS,
                    "MeteorShower transactions: a snapshot of {} bytes is larger than can be sent: node {} cannot catch up",
                    message.length,
                    to);
            return;
        }
        next(to, message, numbers.incrementAndGet(), 0, count);
    }

    private void next(NodeId to, byte[] message, long number, int index, int count) {
        byte[] piece =
                Arrays.copyOfRange(message, index * PIECE_BYTES, Math.min(message.length, (index + 1) * PIECE_BYTES));
        var unused = transport
                .call(to, new CallForm.Piece(number, index, count, piece).encode(), PATIENCE)
                .whenComplete((answer, failure) -> {
                    if (failure != null || index + 1 == count) {
                        sending.remove(to);
                    } else {
                        next(to, message, number, index + 1, count);
                    }
                });
    }

    void received(NodeId from, CallForm.Piece piece) {
        Incoming message = incoming.get(from);
        if (piece.index() == 0) {
            message = new Incoming(piece.number(), piece.count());
            incoming.put(from, message);
        }
        if (message == null
                || message.number != piece.number()
                || message.next != piece.index()
                || message.count != piece.count()) {
            return;
        }
        message.bytes.writeBytes(piece.bytes());
        message.next++;
        if (message.next == message.count) {
            incoming.remove(from);
            receiver.accept(from, message.bytes.toByteArray());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
