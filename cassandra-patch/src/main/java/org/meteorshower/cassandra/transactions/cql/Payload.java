/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.token.TokenFormat.BadTokenException;
import org.meteorshower.transactions.log.SessionId;

/**
 * What a client says of its transactions beside the text, in the native protocol's custom payload. Numbers are 8 bytes, big-endian;
 * words are UTF-8. Used by one thread.
 *
 * @param token what it must see at least; 0 for nothing
 * @param session under which it repeats what it does not know the outcome of; null for none
 */
record Payload(
        boolean hasToken,
        long token,
        boolean isSnapshot,
        boolean speaks,
        @Nullable SessionId session,
        long sequence) {
    /** Both ways: how much of the order the client has seen; opaque; empty at first. */
    static final String TOKEN = "meteorshower.transactions.token";

    /** Request: {@code snapshot} or {@code strict}. */
    static final String MODE = "meteorshower.transactions.mode";

    /** Request: the client's session, as {@code lane.position.index}. */
    static final String SESSION = "meteorshower.transactions.session";

    /** Request: the transaction's number within the session, from 1. */
    static final String SEQUENCE = "meteorshower.transactions.sequence";

    /** Response to a snapshot: for how many microseconds nothing has been executed there. */
    static final String STALENESS = "meteorshower.transactions.staleness";

    static Payload of(@Nullable Map<String, ByteBuffer> payload, TokenFormat format) {
        if (payload == null) {
            return new Payload(false, 0, false, false, null, 0);
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
        try {
            return new Payload(
                    token != null,
                    token == null ? 0 : format.decode(token),
                    "snapshot".equals(mode),
                    token != null || mode != null,
                    session == null ? null : sessionOf(session),
                    sequence == null ? 0 : number(sequence));
        } catch (BadTokenException e) {
            throw Errors.invalid(String.valueOf(e.getMessage()));
        }
    }

    void answer(ResultMessage response, long newToken, TokenFormat format) {
        if (speaks) {
            Map<String, ByteBuffer> payload = new HashMap<>();
            payload.put(TOKEN, format.encode(Math.max(token, newToken)));
            response.setCustomPayload(payload);
        }
    }

    void staleness(ResultMessage response, long micros) {
        if (speaks) {
            Map<String, ByteBuffer> payload = new HashMap<>(response.getCustomPayload());
            payload.put(STALENESS, ByteBufferUtil.bytes(micros));
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

    private static SessionId sessionOf(String text) {
        if (!text.matches("\\d{1,2}\\.\\d{1,18}\\.\\d{1,9}")) {
            throw Errors.invalid(SESSION + " is '" + text + "': it is of the form lane.position.index");
        }
        String[] parts = text.split("\\.", -1);
        return new SessionId(Integer.parseInt(parts[0]), Long.parseLong(parts[1]), Integer.parseInt(parts[2]));
    }
}
