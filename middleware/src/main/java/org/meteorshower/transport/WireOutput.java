/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/** Writes numbers and bytes into an array that grows. Not thread-safe. */
final class WireOutput {
    private static final byte[] NONE = {};

    private byte[] bytes;
    private int size;

    /** For something whose size is not known yet. */
    WireOutput() {
        bytes = NONE;
    }

    WireOutput(int expectedBytes) {
        bytes = new byte[Math.max(16, expectedBytes)];
    }

    byte[] toBytes() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }

    /** Makes room at once for about so many bytes. */
    WireOutput expect(int expectedBytes) {
        room(Math.max(16, expectedBytes));
        return this;
    }

    WireOutput u8(int value) {
        room(1);
        bytes[size++] = (byte) value;
        return this;
    }

    /** Seven bits a byte, lowest first: small numbers are short. Negative ones take ten bytes. */
    WireOutput varint(long value) {
        room(10);
        long left = value;
        while ((left & ~0x7fL) != 0) {
            bytes[size++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        bytes[size++] = (byte) left;
        return this;
    }

    /** For numbers around zero: 0, -1, 1, -2 become 0, 1, 2, 3. */
    WireOutput signed(long value) {
        return varint((value << 1) ^ (value >> 63));
    }

    WireOutput fixed64(long value) {
        room(8);
        for (int shift = 56; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (value >>> shift);
        }
        return this;
    }

    WireOutput uuid(UUID value) {
        return fixed64(value.getMostSignificantBits()).fixed64(value.getLeastSignificantBits());
    }

    WireOutput raw(byte[] value) {
        room(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
        return this;
    }

    WireOutput sized(byte[] value) {
        return varint(value.length).raw(value);
    }

    WireOutput text(String value) {
        return sized(value.getBytes(StandardCharsets.UTF_8));
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(
                    bytes, Math.max(size + more, (int) Math.min(Integer.MAX_VALUE - 8, 2L * bytes.length)));
        }
    }
}
