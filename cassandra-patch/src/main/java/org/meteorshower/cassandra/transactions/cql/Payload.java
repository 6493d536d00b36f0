/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.token.TokenFormat.BadTokenException;

/**
 * What a client says of its transactions beside the text, in the native protocol's custom payload. Numbers are 8 bytes,
 * big-endian; words are UTF-8. Used by one thread.
 *
 * @param seen what it must see at least
 * @param speaks whether the client is one that is answered in kind
 * @param session under which it repeats what it does not know the outcome of; null for none
 */
record Payload(
        boolean hasToken,
        Places seen,
        boolean isSnapshot,
        boolean speaks,
        SessionNames.@Nullable Named session,
        long sequence) {
    /** Both ways: how much of the order the client has seen; opaque; empty at first. */
    static final String TOKEN = "meteorshower.transactions.token";

    /** Request: {@code snapshot} or {@code strict}. */
    static final String MODE = "meteorshower.transactions.mode";

    /** Request: the name of the client's session, as OPEN TRANSACTION SESSION has told it to the same role. */
    static final String SESSION = "meteorshower.transactions.session";

    /** Request: the transaction's number within the session, from 1. */
    static final String SEQUENCE = "meteorshower.transactions.sequence";

    /** Response to a transaction with a number: one byte, 1 if it came to an INSERT, UPDATE or DELETE, else 0. */
    static final String APPLIED = "meteorshower.transactions.applied";

    /**
     * Request: what the same client has seen of sequential reads and writes. That it is there tells that it keeps
     * tokens.
     */
    private static final String SEQUENTIAL_TOKEN = "meteorshower.token";

    /** Response to a snapshot: for how many microseconds nothing has been executed there. */
    static final String STALENESS = "meteorshower.transactions.staleness";

    /** @throws InvalidRequestException saying what of it makes no sense */
    static Payload of(@Nullable Map<String, ByteBuffer> payload, TokenFormat format, ClientState client) {
        if (payload == null) {
            return new Payload(false, Places.NONE, false, false, null, 0);
        }
        ByteBuffer token = payload.get(TOKEN);
        String mode = text(payload, MODE);
        if (mode != null && !mode.equals("snapshot") && !mode.equals("strict")) {
            throw Errors.invalid(MODE + " is '" + mode + "': use snapshot or strict");
        }
        String session = text(payload, SESSION);
        ByteBuffer sequence = payload.get(SEQUENCE);
        if ((session == null) != (sequence == null) || (sequence != null && sequence.remaining() != Long.BYTES)) {
            throw Errors.invalid(SESSION + " and " + SEQUENCE + " (8 bytes) come together");
        }
        boolean keepsTokens = token != null || payload.containsKey(SEQUENTIAL_TOKEN);
        try {
            return new Payload(
                    keepsTokens,
                    token == null ? Places.NONE : Places.decode(token, format),
                    "snapshot".equals(mode),
                    keepsTokens || mode != null || session != null,
                    session == null ? null : SessionNames.session(session, format.seal(), client),
                    sequence == null ? 0 : number(sequence));
        } catch (BadTokenException e) {
            throw Errors.invalid(String.valueOf(e.getMessage()));
        }
    }

    /** @param count of the group's order that the client has seen now */
    void answer(ResultMessage response, int group, long count, TokenFormat format) {
        if (speaks) {
            Map<String, ByteBuffer> payload = new HashMap<>();
            payload.put(TOKEN, seen.seen(group, count).encode(format));
            response.setCustomPayload(payload);
        }
    }

    void staleness(ResultMessage response, long micros) {
        add(response, STALENESS, ByteBufferUtil.bytes(micros));
    }

    void applied(ResultMessage response, boolean applied) {
        add(response, APPLIED, ByteBuffer.wrap(new byte[] {(byte) (applied ? 1 : 0)}));
    }

    private void add(ResultMessage response, String key, ByteBuffer value) {
        if (speaks) {
            Map<String, ByteBuffer> payload = new HashMap<>(response.getCustomPayload());
            payload.put(key, value);
            response.setCustomPayload(payload);
        }
    }

    private static long number(ByteBuffer bytes) {
        long number = bytes.getLong(bytes.position());
        if (number < 1) {
            throw Errors.invalid(SEQUENCE + " is " + number + ": numbers begin at 1");
        }
        return number;
    }

    private static @Nullable String text(Map<String, ByteBuffer> payload, String key) {
        ByteBuffer bytes = payload.get(key);
        try {
            return bytes == null ? null : ByteBufferUtil.string(bytes);
        } catch (CharacterCodingException e) {
            throw Errors.invalid(key + " must be UTF-8 text: " + e.getMessage());
        }
    }
}
