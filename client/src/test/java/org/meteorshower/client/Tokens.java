/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import java.nio.ByteBuffer;

/** Makes tokens as a server would, with an authentication code of zeros. */
final class Tokens {

    private Tokens() {}

    static ByteBuffer bytesAt(long cutMicros) {
        return ByteBuffer.allocate(26).put(0, (byte) 1).putLong(1, cutMicros);
    }

    static SessionToken at(long cutMicros) {
        return SessionToken.parse(bytesAt(cutMicros));
    }
}
