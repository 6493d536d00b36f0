/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;

/**
 * The partition that a mutation or a read is about: a table and the bytes of a partition key.
 *
 * <p>The byte array is not copied: whoever makes a key must not change the array afterwards.
 */
public final class PartitionKey {
    private final UUID table;
    private final byte[] bytes;
    private final int hash;

    public PartitionKey(UUID table, byte[] bytes) {
        this.table = table;
        this.bytes = bytes;
        this.hash = 31 * table.hashCode() + Arrays.hashCode(bytes);
    }

    public UUID table() {
        return table;
    }

    /** The key's bytes; not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof PartitionKey that
                        && hash == that.hash
                        && table.equals(that.table)
                        && Arrays.equals(bytes, that.bytes));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return table.getLeastSignificantBits() + ":" + HexFormat.of().formatHex(bytes);
    }
}
