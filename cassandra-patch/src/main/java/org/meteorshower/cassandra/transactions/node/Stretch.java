/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;

/**
 * Some of a partition's places.
 *
 * @param above the place, or what is between two, that all are behind
 * @param below the one that all are before
 */
record Stretch(ByteBuffer above, ByteBuffer below) {
    /** No place is empty, and none begins with this byte. */
    static final Stretch EVERYTHING = new Stretch(ByteBuffer.allocate(0), ByteBuffer.wrap(new byte[] {(byte) 0xff}));

    /** About half way between the two, as numbers; null where nothing is. */
    @Nullable
    ByteBuffer middle() {
        byte[] low = ByteBufferUtil.getArray(above);
        byte[] high = ByteBufferUtil.getArray(below);
        int size = Math.max(low.length, high.length) + 1;
        BigInteger from = new BigInteger(1, Arrays.copyOf(low, size));
        BigInteger to = new BigInteger(1, Arrays.copyOf(high, size));
        BigInteger half = from.add(to).shiftRight(1);
        if (half.compareTo(from) <= 0 || half.compareTo(to) >= 0) {
            return null;
        }
        byte[] bytes = half.toByteArray(); // maybe with a zero in front, maybe without the zeros that it begins with
        byte[] middle = new byte[size];
        int taken = Math.min(size, bytes.length);
        System.arraycopy(bytes, bytes.length - taken, middle, size - taken, taken);
        return ByteBuffer.wrap(middle);
    }

    /** The part of it that ends with a place. */
    Stretch upTo(ByteBuffer place) {
        byte[] bytes = ByteBufferUtil.getArray(place);
        return new Stretch(
                above, ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length + 1))); // nothing is between the two
    }

    /** What is left when it was read up to a place. */
    Stretch behind(ByteBuffer place, boolean backward) {
        return backward ? new Stretch(above, place) : new Stretch(place, below);
    }
}
