/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.cassandra.utils.FBUtilities;
import org.meteorshower.cassandra.store.CheckedBytes;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.runtime.RequestRefusedException;

/** What nodes say to each other about writes that get their timestamp at another node ({@link TicketCalls}). */
final class TicketForm {
    /** Other calls begin with other numbers. */
    private static final byte FORM = 5;

    private static final byte BEGIN = 1;
    private static final byte AWAIT = 2;
    private static final byte REFUSED = 3;
    private static final byte BEGUN = 4;
    private static final byte DONE = 5;

    /** In a batch; Cassandra refuses one that is nearly as large. */
    private static final int MOST_KEYS = 65_535;

    private static final int MOST_TEXT = 1_000;
    private static final int HEAD = 1 + Integer.BYTES;

    private TicketForm() {}

    /** A write is to begin there. */
    record Begin(List<PartitionKey> keys, long tokenMicros, boolean strict, long remainingMicros) {
        long bytes() {
            return keys.stream().mapToLong(key -> key.bytes().length).sum();
        }
    }

    /**
     * A write that began.
     *
     * @param life of the node where it did: no timestamp is given twice in one
     */
    record Begun(long life, long timestampMicros) {}

    /** What became of a write that began there is to be told. */
    record Await(Begun write, long remainingMicros) {}

    static boolean isOne(byte[] request) {
        return request.length > HEAD && request[0] == FORM;
    }

    // --- questions ---------------------------------------------------------------------------------------------

    static byte[] encode(Begin begin) {
        int length = 2 * Long.BYTES + 1 + Integer.BYTES;
        for (PartitionKey key : begin.keys) {
            length += 2 * Long.BYTES + Integer.BYTES + key.bytes().length;
        }
        byte[] bytes = empty(BEGIN, length);
        ByteBuffer out = body(bytes)
                .putLong(begin.tokenMicros)
                .putLong(begin.remainingMicros)
                .put((byte) (begin.strict ? 1 : 0))
                .putInt(begin.keys.size());
        for (PartitionKey key : begin.keys) {
            out.putLong(key.table().getMostSignificantBits())
                    .putLong(key.table().getLeastSignificantBits())
                    .putInt(key.bytes().length)
                    .put(key.bytes());
        }
        return CheckedBytes.seal(bytes, 1);
    }

    static byte[] encode(Await await) {
        byte[] bytes = empty(AWAIT, 3 * Long.BYTES);
        body(bytes)
                .putLong(await.write.life)
                .putLong(await.write.timestampMicros)
                .putLong(await.remainingMicros);
        return CheckedBytes.seal(bytes, 1);
    }

    /**
     * Whether it asks for a new write; else for what became of one.
     *
     * @throws IllegalArgumentException if the bytes are damaged
     */
    static boolean isBegin(byte[] request) {
        CheckedBytes.check(request, 1, "a question about a write");
        return request[HEAD] == BEGIN;
    }

    /** @throws IllegalArgumentException if the bytes are damaged, or no such question */
    static Begin begin(byte[] request) {
        ByteBuffer in = opened(request, BEGIN);
        try {
            long tokenMicros = in.getLong();
            long remainingMicros = in.getLong();
            byte strict = in.get();
            int count = in.getInt();
            if (strict < 0 || strict > 1 || count < 1 || count > MOST_KEYS) {
                throw new IllegalArgumentException("a question for a timestamp of " + count + " partitions");
            }
            List<PartitionKey> keys = new ArrayList<>(Math.min(count, in.remaining()));
            for (int i = 0; i < count; i++) {
                UUID table = new UUID(in.getLong(), in.getLong());
                byte[] key = new byte[length(in)];
                in.get(key);
                keys.add(new PartitionKey(table, key));
            }
            ended(in);
            return new Begin(keys, tokenMicros, strict == 1, remainingMicros);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a question for a timestamp that ends early", e);
        }
    }

    private static int length(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > Math.min(in.remaining(), FBUtilities.MAX_UNSIGNED_SHORT)) {
            throw new IllegalArgumentException("a partition key of " + length + " bytes");
        }
        return length;
    }

    /** @throws IllegalArgumentException if the bytes are damaged, or no such question */
    static Await await(byte[] request) {
        ByteBuffer in = opened(request, AWAIT);
        try {
            Await await = new Await(new Begun(in.getLong(), in.getLong()), in.getLong());
            ended(in);
            return await;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a question about a write that ends early", e);
        }
    }

    // --- answers -----------------------------------------------------------------------------------------------

    static byte[] encode(Begun begun) {
        byte[] bytes = empty(BEGUN, 2 * Long.BYTES);
        body(bytes).putLong(begun.life).putLong(begun.timestampMicros);
        return CheckedBytes.seal(bytes, 1);
    }

    /** @param tokenMicros the session's new token, or -1 where it is not known whether the write is done */
    static byte[] done(long tokenMicros) {
        byte[] bytes = empty(DONE, Long.BYTES);
        body(bytes).putLong(tokenMicros);
        return CheckedBytes.seal(bytes, 1);
    }

    static byte[] encode(RequestRefusedException refused) {
        String text = String.valueOf(refused.getMessage());
        String whole = refused.failure().name() + ' ' + text.substring(0, Math.min(MOST_TEXT, text.length()));
        byte[] words = whole.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = empty(REFUSED, words.length);
        body(bytes).put(words);
        return CheckedBytes.seal(bytes, 1);
    }

    /**
     * @throws RequestRefusedException if the node refused it
     * @throws IllegalArgumentException if the bytes are damaged, or no such answer
     */
    static Begun begun(byte[] answer) throws RequestRefusedException {
        checked(answer);
        if (answer[HEAD] == REFUSED) {
            throw refusal(answer);
        }
        ByteBuffer in = opened(answer, BEGUN);
        try {
            Begun begun = new Begun(in.getLong(), in.getLong());
            ended(in);
            return begun;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("an answer about a write that ends early", e);
        }
    }

    private static RequestRefusedException refusal(byte[] answer) {
        String whole = new String(answer, HEAD + 1, answer.length - HEAD - 1, StandardCharsets.UTF_8);
        int space = Math.max(0, whole.indexOf(' '));
        // One that this release does not know is none of valueOf's: that is an IllegalArgumentException.
        return new RequestRefusedException(Failure.valueOf(whole.substring(0, space)), whole.substring(space + 1));
    }

    /** @throws IllegalArgumentException if the bytes are damaged, or no such answer */
    static long doneMicros(byte[] answer) {
        checked(answer);
        ByteBuffer in = opened(answer, DONE);
        try {
            long micros = in.getLong();
            ended(in);
            return micros;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("an answer about a write that ends early", e);
        }
    }

    private static void checked(byte[] answer) {
        if (!isOne(answer)) {
            throw new IllegalArgumentException("no answer about a write");
        }
        CheckedBytes.check(answer, 1, "an answer about a write");
    }

    // --- both --------------------------------------------------------------------------------------------------

    /** With room for the checksum, and for so many bytes behind the head. */
    private static byte[] empty(byte kind, int length) {
        byte[] bytes = new byte[HEAD + 1 + length];
        bytes[0] = FORM;
        bytes[HEAD] = kind;
        return bytes;
    }

    private static ByteBuffer body(byte[] bytes) {
        return ByteBuffer.wrap(bytes, HEAD + 1, bytes.length - HEAD - 1);
    }

    private static ByteBuffer opened(byte[] bytes, byte kind) {
        if (bytes.length <= HEAD || bytes[0] != FORM || bytes[HEAD] != kind) {
            throw new IllegalArgumentException(
                    "not what was expected about a write: the sender runs another release of the plugin");
        }
        return body(bytes);
    }

    private static void ended(ByteBuffer in) {
        if (in.hasRemaining()) {
            throw new IllegalArgumentException("bytes behind the end of what was said about a write");
        }
    }
}
