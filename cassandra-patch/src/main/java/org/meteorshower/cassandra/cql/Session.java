/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.token.CoordinatorToken;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.token.TokenFormat.BadTokenException;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Served;

/**
 * The session that a request belongs to: the client's own, where its payload brings a token, else the one that this
 * coordinator holds for all others. Used by one thread, for one request.
 */
final class Session {
    private final TokenFormat format;
    private final CoordinatorToken shared;
    private final long tokenMicros;
    private final ReadMode mode;

    /** Whether the client speaks of sessions or modes at all; only then it is answered in kind. */
    private final boolean answers;

    /** Whether it brought its own token. */
    private final boolean own;

    private Session(
            TokenFormat format,
            CoordinatorToken shared,
            long tokenMicros,
            ReadMode mode,
            boolean answers,
            boolean own) {
        this.format = format;
        this.shared = shared;
        this.tokenMicros = tokenMicros;
        this.mode = mode;
        this.answers = answers;
        this.own = own;
    }

    /** @throws InvalidRequestException if the payload's token or mode makes no sense */
    static Session of(@Nullable Map<String, ByteBuffer> payload, TokenFormat format, CoordinatorToken shared) {
        ByteBuffer token = payload == null ? null : payload.get(PayloadKeys.TOKEN);
        ByteBuffer mode = payload == null ? null : payload.get(PayloadKeys.MODE);
        try {
            return new Session(
                    format,
                    shared,
                    token == null ? shared.cutMicros() : format.decode(token),
                    mode == null ? ReadMode.SEQUENTIAL : ModeText.parse(ByteBufferUtil.string(mode)),
                    token != null || mode != null,
                    token != null);
        } catch (BadTokenException | IllegalArgumentException e) {
            throw Refusal.badSession(String.valueOf(e.getMessage()));
        } catch (CharacterCodingException e) {
            throw Refusal.badSession(PayloadKeys.MODE + " must be UTF-8 text: " + e.getMessage());
        }
    }

    long tokenMicros() {
        return tokenMicros;
    }

    ReadMode mode() {
        return mode;
    }

    boolean isStrict() {
        return mode.kind() == ReadMode.Kind.STRICT;
    }

    /** The read's session has now seen everything up to its latest cut. */
    void answerRead(ResultMessage response, @Nullable ReadInfo info, long latestCutMicros, boolean elsewhere) {
        Map<String, ByteBuffer> payload = seen(latestCutMicros);
        if (info != null && answers && info.served() == Served.PLAIN) {
            payload.put(PayloadKeys.PLAIN, ByteBufferUtil.bytes(PayloadKeys.FOR_A_WHILE));
        } else if (info != null && answers) {
            payload.put(
                    PayloadKeys.SERVED,
                    ByteBufferUtil.bytes(info.served().name().toLowerCase(Locale.ROOT)));
            payload.put(PayloadKeys.CUT, ByteBufferUtil.bytes(info.cutMicros()));
            payload.put(PayloadKeys.STALENESS, ByteBufferUtil.bytes(info.stalenessMicros()));
            if (elsewhere) {
                payload.put(PayloadKeys.FORWARDED, ByteBufferUtil.bytes((byte) 1));
            }
        }
        attach(response, payload);
    }

    /** The write has been acknowledged: whatever the session does next comes after it. */
    void answerWrite(ResultMessage response, long timestampMicros, long newTokenMicros) {
        Map<String, ByteBuffer> payload = seen(newTokenMicros);
        if (answers) {
            payload.put(PayloadKeys.TIMESTAMP, ByteBufferUtil.bytes(timestampMicros));
        }
        attach(response, payload);
    }

    /**
     * Cassandra has answered, on its own path. What came of it is told to the session all the same: a node that has not
     * heard yet that the table is disabled can then not answer it from before. Only those are told who speak of
     * sessions.
     */
    void answerPlain(ResultMessage response, long overSinceMicros) {
        if (own) {
            Map<String, ByteBuffer> payload = new HashMap<>();
            if (response.getCustomPayload() != null) {
                payload.putAll(response.getCustomPayload());
            }
            payload.put(PayloadKeys.TOKEN, format.encode(Math.max(tokenMicros, overSinceMicros)));
            payload.put(PayloadKeys.PLAIN, ByteBufferUtil.bytes(PayloadKeys.NOT_OURS));
            response.setCustomPayload(payload);
        }
    }

    private Map<String, ByteBuffer> seen(long micros) {
        Map<String, ByteBuffer> payload = new HashMap<>();
        if (!own) {
            shared.advanceTo(micros);
        }
        if (answers) {
            payload.put(PayloadKeys.TOKEN, format.encode(Math.max(tokenMicros, micros)));
        }
        return payload;
    }

    private static void attach(ResultMessage response, Map<String, ByteBuffer> payload) {
        if (!payload.isEmpty()) {
            response.setCustomPayload(payload);
        }
    }
}
