/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** What the kernel asks: a header, and a body that is read from its beginning to its end. */
final class Request {
    private static final int HEADER = 40;

    final int operation;
    /** Names the request; 0 where no reply is wanted. */
    final long unique;
    /** The file or folder that it is about. */
    final long node;

    private final ByteBuffer bytes;

    /** @param bytes the whole of it, from position 0 to the limit; not to be changed before it is done with */
    Request(ByteBuffer bytes) {
        this.bytes = bytes.order(ByteOrder.nativeOrder());
        operation = bytes.getInt(4);
        unique = bytes.getLong(8);
        node = bytes.getLong(16);
        bytes.position(HEADER);
    }

    int int32() {
        return bytes.getInt();
    }

    long int64() {
        return bytes.getLong();
    }

    Request skip(int count) {
        bytes.position(bytes.position() + count);
        return this;
    }

    /** A name, which ends with a zero. */
    String name() {
        int from = bytes.position();
        int length = 0;
        while (bytes.get(from + length) != 0) {
            length++;
        }
        byte[] name = bytes(length);
        skip(1);
        return new String(name, StandardCharsets.UTF_8);
    }

    byte[] bytes(int count) {
        byte[] part = new byte[count];
        bytes.get(part);
        return part;
    }
}
