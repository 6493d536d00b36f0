/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * An answer with the time that it took the node asked, so that the caller knows how long it was on its way. Only who
 * asks for it gets it: earlier releases do not. A time that is damaged is measured wrongly, and does no other harm.
 */
final class TimedAnswer {
    /** Answers that tell no time begin with another number. */
    private static final byte FORM = 2;

    private static final int HEAD = 1 + Long.BYTES;

    private TimedAnswer() {}

    static byte[] of(long servedMicros, byte[] answer) {
        return ByteBuffer.allocate(HEAD + answer.length)
                .put(FORM)
                .putLong(servedMicros)
                .put(answer)
                .array();
    }

    static boolean isOne(byte[] bytes) {
        return bytes.length >= HEAD && bytes[0] == FORM;
    }

    /** 0 where it is not told. */
    static long servedMicros(byte[] bytes) {
        return isOne(bytes) ? ByteBuffer.wrap(bytes).getLong(1) : 0;
    }

    /** The answer itself. */
    static byte[] content(byte[] bytes) {
        return isOne(bytes) ? Arrays.copyOfRange(bytes, HEAD, bytes.length) : bytes;
    }
}
