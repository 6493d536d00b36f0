/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.apache.cassandra.utils.NoSpamLogger;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.Fatal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what is too large for a parcel piece by piece, the next when the last is acknowledged. One message to a node at
 * a time, and no more together than there is room for; what comes on top is dropped, as is what does not arrive whole:
 * the core asks again. Thread-safe.
 */
final class LargeMessages implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LargeMessages.class);
    static final int PIECE_BYTES = 1 << 20;
    static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST_WAITING = 64;

    /** Asks another node. */
    interface Calls {
        CompletableFuture<byte[]> call(NodeId to, byte[] request, Duration timeout);
    }

    private final Calls calls;
    private final ByteAccount held;
    private final AtomicLong numbers = new AtomicLong();
    private final Set<NodeId> sending = ConcurrentHashMap.newKeySet();
    private final ExecutorService thread = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            new NamedThreadFactory("MeteorShower-Snapshots"));

    /** @param held what is on its way; one message of any size may be, where nothing else is */
    LargeMessages(Calls calls, ByteAccount held) {
        this.calls = calls;
        this.held = held;
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
        } catch (RuntimeException | Error e) {
            sending.remove(to); // else nothing large would go there any more
            warn("a snapshot could not be sent, so that node {} cannot catch up: {}", to, e.toString());
            Fatal.report(e);
        }
    }

    private void begin(NodeId to, byte[] message) {
        int count = Math.max(1, (message.length + PIECE_BYTES - 1) / PIECE_BYTES);
        if (count > CallForm.MOST_PIECES) {
            sending.remove(to);
            warn("a snapshot of {} bytes is larger than can be sent: node {} cannot catch up", message.length, to);
        } else if (!held.take(message.length)) {
            sending.remove(to);
            warn("a snapshot of {} bytes for node {} waits until others have been sent", message.length, to);
        } else {
            try {
                next(to, message, numbers.incrementAndGet(), 0, count);
            } catch (RuntimeException | Error e) {
                held.giveBack(message.length);
                throw e;
            }
        }
    }

    private static void warn(String text, Object... of) {
        NoSpamLogger.log(log, NoSpamLogger.Level.WARN, 60, TimeUnit.SECONDS, "MeteorShower transactions: " + text, of);
    }

    private void next(NodeId to, byte[] message, long number, int index, int count) {
        byte[] piece =
                Arrays.copyOfRange(message, index * PIECE_BYTES, Math.min(message.length, (index + 1) * PIECE_BYTES));
        var unused = calls.call(to, new CallForm.Piece(number, index, count, piece).encode(), PATIENCE)
                .whenComplete((answer, failure) -> {
                    if (failure != null || index + 1 == count) {
                        ended(to, message);
                    } else {
                        try {
                            next(to, message, number, index + 1, count);
                        } catch (RuntimeException | Error e) {
                            ended(to, message);
                            Fatal.report(e);
                            throw e;
                        }
                    }
                });
    }

    private void ended(NodeId to, byte[] message) {
        held.giveBack(message.length);
        sending.remove(to);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
