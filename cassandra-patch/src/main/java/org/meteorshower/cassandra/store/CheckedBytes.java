/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A checksum of what Cassandra's own readers are given. They trust their input: a damaged length makes them take
 * hundreds of megabytes. The network's frames and the journal's entries have checks too; this one also covers the way
 * between those and the encoder. It is no protection against a node that lies.
 */
public final class CheckedBytes {
    private CheckedBytes() {}

    /**
     * Writes the checksum of what lies behind its place.
     *
     * @param at where the four bytes of the checksum are
     * @return the same bytes
     */
    public static byte[] seal(byte[] bytes, int at) {
        ByteBuffer all = ByteBuffer.wrap(bytes);
        all.putInt(at, sum(all, at));
        return bytes;
    }

    public static void check(byte[] bytes, int at, String what) {
        check(ByteBuffer.wrap(bytes), at, what);
    }

    /**
     * Leaves the buffer's position where it is.
     *
     * @param at where the checksum is, counted from the buffer's position
     * @throws IllegalArgumentException if the checksum is missing or wrong
     */
    static void check(ByteBuffer bytes, int at, String what) {
        ByteBuffer all = bytes.slice();
        if (all.remaining() < at + Integer.BYTES || all.getInt(at) != sum(all, at)) {
            throw new IllegalArgumentException(
                    what + " is damaged: its checksum is wrong, or the sender runs another release of the plugin");
        }
    }

    private static int sum(ByteBuffer bytes, int at) {
        CRC32C sum = new CRC32C();
        sum.update(bytes.duplicate().position(at + Integer.BYTES));
        return (int) sum.getValue();
    }
}
