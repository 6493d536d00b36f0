/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.meteorshower.transactions.language.Bytes;

/** Reads what {@link DataOut} wrote, and believes nothing of it. Used by one thread. */
public final class DataIn {
    private final byte[] bytes;
    private int position;
    private final int end;

    public DataIn(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    public DataIn(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.position = from;
        this.end = end;
    }

    public int remaining() {
        return end - position;
    }

    public int u8() throws BadDataException {
        need(1);
        return bytes[position++] & 0xff;
    }

    public boolean bool() throws BadDataException {
        return number("a truth value", 1) == 1;
    }

    public long varint() throws BadDataException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = u8();
            if (shift == 63 && next > 1) {
                break;
            }
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new BadDataException("a number of more than 64 bits");
    }

    public long signed() throws BadDataException {
        long value = varint();
        return (value >>> 1) ^ -(value & 1);
    }

    /** A number that is not negative. */
    public long natural(String what) throws BadDataException {
        long value = varint();
        if (value < 0) {
            throw new BadDataException(what + " is negative");
        }
        return value;
    }

    /** A number 0..most. */
    public int number(String what, int most) throws BadDataException {
        long value = varint();
        if (value < 0 || value > most) {
            throw new BadDataException(what + " is " + Long.toUnsignedString(value) + ", more than " + most);
        }
        return (int) value;
    }

    /**
     * The number of things to follow, of which each takes at least so many bytes: so it is no larger than the input.
     */
    public int count(String what, int leastBytesEach) throws BadDataException {
        return number("the number of " + what, remaining() / leastBytesEach);
    }

    public long fixed64() throws BadDataException {
        need(8);
        long value = 0;
        for (int i = 0; i < 8; i++) {
            value = value << 8 | (bytes[position++] & 0xff);
        }
        return value;
    }

    public int fixed32() throws BadDataException {
        need(4);
        int value = 0;
        for (int i = 0; i < 4; i++) {
            value = value << 8 | (bytes[position++] & 0xff);
        }
        return value;
    }

    public byte[] raw(int count) throws BadDataException {
        need(count);
        position += count;
        return Arrays.copyOfRange(bytes, position - count, position);
    }

    public byte[] sized(String what) throws BadDataException {
        return raw(number("the length of " + what, remaining()));
    }

    /** The same, copied once. */
    public Bytes bytes(String what) throws BadDataException {
        int length = number("the length of " + what, remaining());
        position += length;
        return Bytes.copyOf(bytes, position - length, position);
    }

    public String text(String what) throws BadDataException {
        int length = number("the length of " + what, remaining());
        need(length);
        position += length;
        return new String(bytes, position - length, length, StandardCharsets.UTF_8);
    }

    /** To be called when everything was read. */
    public void end() throws BadDataException {
        if (position != end) {
            throw new BadDataException((end - position) + " bytes too many");
        }
    }

    private void need(int count) throws BadDataException {
        if (count < 0 || count > end - position) {
            throw new BadDataException("truncated: " + count + " bytes are needed and " + (end - position) + " left");
        }
    }
}
