/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that grow as they are written. Used by one thread. {@link DataIn} reads them back. */
public final class DataOut {
    private byte[] bytes;
    private int size;

    public DataOut() {
        this(256);
    }

    public DataOut(int expectedBytes) {
        bytes = new byte[Math.max(16, expectedBytes)];
    }

    public int size() {
        return size;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    public DataOut u8(int value) {
        room(1);
        bytes[size++] = (byte) value;
        return this;
    }

    public DataOut bool(boolean value) {
        return u8(value ? 1 : 0);
    }

    /** Seven bits a byte, lowest first: small numbers are short. Negative ones take ten bytes. */
    public DataOut varint(long value) {
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
    public DataOut signed(long value) {
        return varint((value << 1) ^ (value >> 63));
    }

    public DataOut fixed64(long value) {
        room(8);
        for (int shift = 56; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (value >>> shift);
        }
        return this;
    }

    public DataOut fixed32(int value) {
        room(4);
        for (int shift = 24; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (value >>> shift);
        }
        return this;
    }

    /** Bytes without their length. */
    public DataOut raw(byte[] value) {
        room(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
        return this;
    }

    /** Bytes after their length. */
    public DataOut sized(byte[] value) {
        return varint(value.length).raw(value);
    }

    /** A text after its length. What is no text, such as half of a pair of surrogates, comes back as question marks. */
    public DataOut text(String value) {
        return sized(value.getBytes(StandardCharsets.UTF_8));
    }

    private void room(int count) {
        if (count > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(size + count, 2 * bytes.length));
        }
    }
}
