/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.microbenchmarks;

import java.util.UUID;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;

/** A write of the only row of a partition. */
record Value(PartitionKey key, MutationId id) implements Update {
    static final UUID TABLE = new UUID(0, 1);
    static final long ROW = 7;

    static PartitionKey key(int number) {
        return new PartitionKey(
                TABLE, new byte[] {(byte) (number >> 24), (byte) (number >> 16), (byte) (number >> 8), (byte) number});
    }

    static Value of(PartitionKey key, long timestampMicros) {
        return new Value(key, new MutationId(timestampMicros, timestampMicros * 31));
    }

    @Override
    public long oldestTimestampMicros() {
        return id.timestampMicros();
    }

    @Override
    public long shape() {
        return 1;
    }

    @Override
    public long row() {
        return ROW;
    }

    @Override
    public int sizeBytes() {
        return 100;
    }
}
