/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/** Reads what {@link WireOutput} wrote, and trusts nothing: never reads or allocates beyond the bytes there are. */
final class WireInput {
    private final byte[] bytes;
    private final int end;
    private int position;

    WireInput(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    WireInput(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.position = from;
        this.end = end;
    }

    int remaining() {
        return end - position;
    }

    int u8() throws BadMessageException {
        need(1);
        return bytes[position++] & 0xff;
    }

    long varint() throws BadMessageException {
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
        throw new BadMessageException("a number of more than 64 bits");
    }

    long signed() throws BadMessageException {
        long value = varint();
        return (value >>> 1) ^ -(value & 1);
    }

    /** A number 0..most. */
    int number(String what, int most) throws BadMessageException {
        long value = varint();
        if (value < 0 || value > most) {
            throw new BadMessageException(what + " is " + Long.toUnsignedString(value) + ", more than " + most);
        }
        return (int) value;
    }

    /** The number of things to follow, of which each takes at least so many bytes. */
    int count(String what, int leastBytesEach) throws BadMessageException {
        return number("the number of " + what, remaining() / leastBytesEach);
    }

    long fixed64() throws BadMessageException {
        need(8);
        long value = 0;
        for (int i = 0; i < 8; i++) {
            value = value << 8 | (bytes[position++] & 0xff);
        }
        return value;
    }

    UUID uuid() throws BadMessageException {
        return new UUID(fixed64(), fixed64());
    }

    byte[] raw(int count) throws BadMessageException {
        need(count);
        position += count;
        return Arrays.copyOfRange(bytes, position - count, position);
    }

    byte[] sized(String what, int most) throws BadMessageException {
        return raw(number("the length of " + what, Math.min(most, remaining())));
    }

    String text(String what, int mostBytes) throws BadMessageException {
        return new String(sized(what, mostBytes), StandardCharsets.UTF_8);
    }

    void end() throws BadMessageException {
        if (position != end) {
            throw new BadMessageException((end - position) + " bytes too many");
        }
    }

    private void need(int count) throws BadMessageException {
        if (count > end - position) {
            throw new BadMessageException(
                    "truncated: " + count + " bytes are needed and " + (end - position) + " left");
        }
    }
}
