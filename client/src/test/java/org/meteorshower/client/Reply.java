/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.error.ReadTimeout;
import com.datastax.oss.protocol.internal.response.error.Unavailable;
import com.datastax.oss.protocol.internal.response.error.WriteFailure;
import com.datastax.oss.protocol.internal.response.error.WriteTimeout;
import com.datastax.oss.protocol.internal.response.result.Void;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a fake node answers. */
record Reply(Message message, Map<String, ByteBuffer> payload) {

    /** The node says nothing at all, as one that is paused. */
    static final Reply SILENCE = null;

    /** The node closes the connection instead of answering. */
    static final Reply HANG_UP = new Reply(null, Map.of());

    private static final int QUORUM = ProtocolConstants.ConsistencyLevel.QUORUM;

    static Reply of(Message message) {
        return new Reply(message, Map.of());
    }

    static Reply done() {
        return of(Void.INSTANCE);
    }

    static Reply row(String value) {
        return of(Rows.of(List.of(value), null));
    }

    static Reply rows(List<String> values, String nextPage) {
        return of(Rows.of(values, nextPage));
    }

    static Reply unavailable() {
        return of(new Unavailable("too few replicas", QUORUM, 2, 1));
    }

    static Reply writeTimeout() {
        return of(new WriteTimeout("late", QUORUM, 1, 2, "SIMPLE"));
    }

    static Reply writeFailure() {
        return of(new WriteFailure("failed", QUORUM, 1, 2, 1, Map.of(), "SIMPLE"));
    }

    static Reply readTimeout() {
        return of(new ReadTimeout("late", QUORUM, 1, 2, false));
    }

    static Reply error(int code) {
        return of(new Error(code, "error " + code));
    }

    Reply with(String key, ByteBuffer value) {
        Map<String, ByteBuffer> more = new HashMap<>(payload);
        more.put(key, value);
        return new Reply(message, more);
    }

    Reply with(String key, String text) {
        return with(key, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    Reply with(String key, long micros) {
        return with(key, ByteBuffer.allocate(Long.BYTES).putLong(0, micros));
    }

    Reply atCut(long cutMicros) {
        return with(PayloadKeys.TOKEN, Tokens.bytesAt(cutMicros));
    }
}
