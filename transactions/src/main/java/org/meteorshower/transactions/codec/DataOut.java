/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.meteorshower.transactions.language.Bytes;

/** Bytes that grow as they are written. Used by one thread. {@link DataIn} reads them back. */
public final class DataOut {
    private static final byte[] NONE = {};

    /** Whether they are counted only, and not kept. */
    private final boolean counts;

    private byte[] bytes;
    private int size;

    public DataOut() {
        this(256);
    }

    public DataOut(int expectedBytes) {
        counts = false;
        bytes = new byte[Math.max(16, expectedBytes)];
    }

    private DataOut(boolean counts) {
        this.counts = counts;
        bytes = NONE;
    }

    /** One that knows how many bytes were written, and nothing else of them. */
    public static DataOut counting() {
        return new DataOut(true);
    }

    public int size() {
        return size;
    }

    /**
     * For reading only.
     *
     * @throws IllegalStateException if they were counted only
     */
    public byte[] toBytes() {
        if (counts) {
            throw new IllegalStateException("bytes that were counted only, " + size + " of them");
        }
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }

    /** So many bytes, or fewer, are about to be written. */
    public DataOut expect(int count) {
        room(count);
        return this;
    }

    public DataOut u8(int value) {
        room(1);
        put(value);
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
            put((int) (left | 0x80));
            left >>>= 7;
        }
        put((int) left);
        return this;
    }

    /** For numbers around zero: 0, -1, 1, -2 become 0, 1, 2, 3. */
    public DataOut signed(long value) {
        return varint((value << 1) ^ (value >> 63));
    }

    public DataOut fixed64(long value) {
        room(8);
        for (int shift = 56; shift >= 0; shift -= 8) {
            put((int) (value >>> shift));
        }
        return this;
    }

    public DataOut fixed32(int value) {
        room(4);
        for (int shift = 24; shift >= 0; shift -= 8) {
            put(value >>> shift);
        }
        return this;
    }

    /** Bytes without their length. */
    public DataOut raw(byte[] value) {
        room(value.length);
        if (!counts) {
            System.arraycopy(value, 0, bytes, size, value.length);
        }
        size += value.length;
        return this;
    }

    /** Bytes after their length. */
    public DataOut sized(byte[] value) {
        return varint(value.length).raw(value);
    }

    /** Bytes after their length. */
    public DataOut sized(Bytes value) {
        varint(value.size());
        room(value.size());
        if (!counts) {
            value.copyTo(bytes, size);
        }
        size += value.size();
        return this;
    }

    /** A text after its length. What is no text, such as half of a pair of surrogates, comes back as question marks. */
    public DataOut text(String value) {
        return sized(value.getBytes(StandardCharsets.UTF_8));
    }

    private void put(int value) {
        if (!counts) {
            bytes[size] = (byte) value;
        }
        size++;
    }

    private void room(int count) {
        if (!counts && count > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(size + count, 2 * bytes.length));
        }
    }
}
