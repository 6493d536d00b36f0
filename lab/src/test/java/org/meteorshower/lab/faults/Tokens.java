/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Session tokens as docs/CLIENT.md describes them, made by somebody who should not make any. */
final class Tokens {
    private static final int CODE_BYTES = 16;

    private Tokens() {}

    /** As a server would make it. */
    static ByteBuffer authentic(String secretHex, long cutMicros) throws Exception {
        byte[] signed = ByteBuffer.allocate(10)
                .put((byte) 1)
                .putLong(cutMicros)
                .put((byte) 0)
                .array();
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(HexFormat.of().parseHex(secretHex), "HmacSHA256"));
        return ByteBuffer.allocate(signed.length + CODE_BYTES)
                .put(signed)
                .put(mac.doFinal(signed), 0, CODE_BYTES)
                .flip();
    }

    /** A copy with other bits in one byte. */
    static ByteBuffer altered(ByteBuffer token, int at) {
        byte[] bytes = bytes(token);
        bytes[at] ^= 0x55;
        return ByteBuffer.wrap(bytes);
    }

    static ByteBuffer truncated(ByteBuffer token, int length) {
        return ByteBuffer.wrap(Arrays.copyOf(bytes(token), length));
    }

    static ByteBuffer withCut(ByteBuffer token, long cutMicros) {
        return ByteBuffer.wrap(bytes(token)).putLong(1, cutMicros);
    }

    private static byte[] bytes(ByteBuffer token) {
        byte[] bytes = new byte[token.remaining()];
        token.duplicate().get(bytes);
        return bytes;
    }
}
