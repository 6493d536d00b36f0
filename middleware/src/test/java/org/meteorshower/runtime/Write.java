/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;

/** An update of one row, one of a thousand partitions by its timestamp. */
record Write(long timestampMicros) implements Update {
    static final UUID TABLE = new UUID(0, 1);
    static final PartitionKey KEY = new PartitionKey(TABLE, new byte[] {1});

    static final UpdateCodec CODEC = new UpdateCodec() {
        @Override
        public byte[] encode(Update update) {
            return ByteBuffer.allocate(40)
                    .putLong(((Write) update).timestampMicros)
                    .array();
        }

        @Override
        public Update decode(ByteBuffer bytes) {
            return new Write(bytes.getLong());
        }
    };

    @Override
    public PartitionKey key() {
        return new PartitionKey(
                TABLE, ByteBuffer.allocate(8).putLong(timestampMicros % 997).array());
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
