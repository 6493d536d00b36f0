/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decodes and encodes single entries of a custom payload. Never moves a buffer's position. */
final class Payload {

    private Payload() {}

    static ByteBuffer ofText(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)).asReadOnlyBuffer();
    }

    static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }

    /** The text under the key, or null if there is none. */
    static @Nullable String text(Map<String, ByteBuffer> payload, String key) {
        ByteBuffer bytes = payload.get(key);
        return bytes == null ? null : text(bytes);
    }

    /**
     * The microseconds under the key.
     *
     * @throws MalformedPayloadException if missing, not 8 bytes long, or negative
     */
    static long micros(Map<String, ByteBuffer> payload, String key) {
        ByteBuffer bytes = payload.get(key);
        if (bytes == null || bytes.remaining() != Long.BYTES) {
            throw new MalformedPayloadException(key + " should be " + Long.BYTES + " bytes, and "
                    + (bytes == null ? "is missing" : "is " + bytes.remaining())
                    + ": check that the coordinator's plugin and this client are of one version");
        }
        long micros = bytes.getLong(bytes.position());
        if (micros < 0) {
            throw new MalformedPayloadException(key + " is negative: " + micros
                    + "; check that the coordinator's plugin and this client are of one version");
        }
        return micros;
    }
}
