/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.ByteAccount;

/**
 * Puts together what {@link LargeMessages} of other nodes send in pieces: one message from a node at a time, and no
 * more together than there is room for. What stands still for as long as a sender has patience is forgotten.
 * Thread-safe; called on the transport's threads.
 */
final class LargeArrivals {
    /** The pieces, and the whole that is made of them in the end. */
    private static final long TIMES_HELD = 2;

    private static final class Incoming {
        final long number;
        final int count;
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream(LargeMessages.PIECE_BYTES);
        int next;
        long nanos;

        Incoming(long number, int count, long nanos) {
            this.number = number;
            this.count = count;
            this.nanos = nanos;
        }

        long held() {
            return TIMES_HELD * count * LargeMessages.PIECE_BYTES;
        }
    }

    private final BiConsumer<NodeId, byte[]> receiver;
    private final ByteAccount held;
    private final LongSupplier nanoTime;

    /** Guarded by this. */
    private final Map<NodeId, Incoming> incoming = new HashMap<>();

    /**
     * @param receiver of whole messages; called by who brings the last piece
     * @param held what is being put together; one message of any size may be, where nothing else is
     */
    LargeArrivals(BiConsumer<NodeId, byte[]> receiver, ByteAccount held, LongSupplier nanoTime) {
        this.receiver = receiver;
        this.held = held;
        this.nanoTime = nanoTime;
    }

    /** Returns whether it was taken; if not, the rest of the message is in vain. */
    boolean received(NodeId from, CallForm.Piece piece) {
        Incoming whole = add(from, piece);
        if (whole == null) {
            return false;
        }
        if (whole.next == whole.count) {
            try {
                receiver.accept(from, whole.bytes.toByteArray());
            } finally {
                held.giveBack(whole.held());
            }
        }
        return true;
    }

    /**
     * Null if there is no room, or it is not the piece that comes next. Who has all of its pieces is no longer kept.
     */
    private synchronized @Nullable Incoming add(NodeId from, CallForm.Piece piece) {
        long now = nanoTime.getAsLong();
        Incoming message = piece.index() == 0 ? begin(from, piece, now) : incoming.get(from);
        if (message == null
                || message.number != piece.number()
                || message.next != piece.index()
                || message.count != piece.count()
                || piece.bytes().length > LargeMessages.PIECE_BYTES) {
            return null;
        }
        message.bytes.writeBytes(piece.bytes());
        message.nanos = now;
        message.next++;
        if (message.next == message.count) {
            incoming.remove(from);
        }
        return message;
    }

    private @Nullable Incoming begin(NodeId from, CallForm.Piece piece, long now) {
        Incoming begun = new Incoming(piece.number(), piece.count(), now);
        incoming.entrySet().removeIf(other -> {
            boolean over =
                    other.getKey().equals(from) || now - other.getValue().nanos > LargeMessages.PATIENCE.toNanos();
            if (over) {
                held.giveBack(other.getValue().held());
            }
            return over;
        });
        if (piece.count() < 1 || !held.take(begun.held())) {
            return null;
        }
        incoming.put(from, begun);
        return begun;
    }
}
