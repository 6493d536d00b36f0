/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Makes tokens as a server would, with an authentication code of zeros. */
final class Tokens {

    private Tokens() {}

    static ByteBuffer bytesAt(long cutMicros) {
        return ByteBuffer.allocate(26).put(0, (byte) 1).putLong(1, cutMicros);
    }

    /** The part of a group of some of the data centres. */
    static ByteBuffer bytesAt(int group, long place) {
        return group == 0
                ? bytesAt(place)
                : ByteBuffer.allocate(30).put(0, (byte) 2).putInt(1, group).putLong(5, place);
    }

    /** One behind the other. */
    static ByteBuffer joined(ByteBuffer... parts) {
        ByteBuffer all = ByteBuffer.allocate(
                Arrays.stream(parts).mapToInt(ByteBuffer::remaining).sum());
        Arrays.stream(parts).forEach(part -> all.put(part.duplicate()));
        return all.flip();
    }

    /** Of a session that has seen these parts of transactions and nothing else. */
    static SessionToken of(ByteBuffer... parts) {
        return SessionToken.parse(null, joined(parts));
    }

    static SessionToken at(long cutMicros) {
        return SessionToken.parse(bytesAt(cutMicros));
    }
}
