/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads what names a row within its partition; what is not there ends it. Used by one thread. */
final class KeyReader {
    private final byte[] bytes;
    private int at;

    KeyReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /** As many ones as the first byte begins with, so many bytes follow; the rest is the number. */
    long varint() {
        if (at >= bytes.length) {
            at = Integer.MAX_VALUE;
            return 0;
        }
        int first = bytes[at++];
        int more = Integer.numberOfLeadingZeros(~first & 0xff) - 24;
        long value = more >= 7 ? 0 : first & (0xff >>> (more + 1));
        for (int i = 0; i < more && at < bytes.length; i++) {
            value = value << 8 | (bytes[at++] & 0xff);
        }
        return value;
    }

    @Nullable
    Bytes take(long size) {
        if (size < 0 || at > bytes.length || size > bytes.length - at) {
            return null;
        }
        byte[] taken = Arrays.copyOfRange(bytes, at, at + (int) size);
        at += (int) size;
        return Bytes.copyOf(taken);
    }

    boolean isAtEnd() {
        return at == bytes.length;
    }
}
