/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;

/** An update of one row of a partition. */
record Write(long timestampMicros, long keyNumber) implements Update {
    /** Of one partition for all that are written so. */
    Write(long timestampMicros) {
        this(timestampMicros, 1);
    }

    static final UUID TABLE = new UUID(0, 1);
    static final PartitionKey KEY = new PartitionKey(TABLE, new byte[] {1});

    static final UpdateCodec CODEC = new UpdateCodec() {
        @Override
        public byte[] encode(Update update) {
            return ByteBuffer.allocate(40)
                    .putLong(((Write) update).timestampMicros)
                    .putLong(((Write) update).keyNumber)
                    .array();
        }

        @Override
        public Update decode(ByteBuffer bytes) {
            return new Write(bytes.getLong(), bytes.getLong());
        }
    };

    static PartitionKey keyOf(long number) {
        return new PartitionKey(TABLE, ByteBuffer.allocate(8).putLong(number).array());
    }

    @Override
    public PartitionKey key() {
        return keyOf(keyNumber);
    }

    @Override
    public MutationId id() {
        return new MutationId(timestampMicros, timestampMicros);
    }

    @Override
    public long oldestTimestampMicros() {
        return timestampMicros;
    }

    @Override
    public long shape() {
        return 1;
    }

    @Override
    public long row() {
        return 1;
    }

    @Override
    public int sizeBytes() {
        return 1;
    }
}
