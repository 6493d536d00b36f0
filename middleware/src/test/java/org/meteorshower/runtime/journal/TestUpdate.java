/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.UpdateCodec;

/** An update that is a number and some padding. */
record TestUpdate(UUID table, long number, int paddingBytes) implements Update {
    static final UUID TABLE = new UUID(1, 1);
    static final UUID UNKNOWN_TABLE = new UUID(1, 13);

    static TestUpdate of(long number) {
        return new TestUpdate(TABLE, number, 20);
    }

    @Override
    public PartitionKey key() {
        return new PartitionKey(
                table, ByteBuffer.allocate(8).putLong(number % 97).array());
    }

    @Override
    public MutationId id() {
        return new MutationId(number, ~number);
    }

    @Override
    public long oldestTimestampMicros() {
        return number;
    }

    @Override
    public long shape() {
        return 7;
    }

    @Override
    public long row() {
        return ANY_ROW;
    }

    @Override
    public int sizeBytes() {
        return 28 + paddingBytes;
    }

    static final UpdateCodec CODEC = new UpdateCodec() {
        @Override
        public byte[] encode(Update update) {
            TestUpdate test = (TestUpdate) update;
            ByteBuffer to = ByteBuffer.allocate(28 + test.paddingBytes);
            to.putLong(test.table.getMostSignificantBits()).putLong(test.table.getLeastSignificantBits());
            to.putLong(test.number).putInt(test.paddingBytes);
            while (to.hasRemaining()) {
                to.put((byte) test.number);
            }
            return to.array();
        }

        @Override
        public Update decode(ByteBuffer bytes) {
            if (bytes.remaining() < 28) {
                throw new IllegalArgumentException("no update in " + bytes.remaining() + " bytes");
            }
            UUID table = new UUID(bytes.getLong(), bytes.getLong());
            if (table.equals(UNKNOWN_TABLE)) {
                throw new IllegalArgumentException("no table " + table);
            }
            TestUpdate update = new TestUpdate(table, bytes.getLong(), bytes.getInt());
            if (bytes.remaining() != update.paddingBytes) {
                throw new IllegalArgumentException("padding of " + bytes.remaining());
            }
            while (bytes.hasRemaining()) {
                if (bytes.get() != (byte) update.number) {
                    throw new AssertionError("corrupt content got through");
                }
            }
            return update;
        }
    };
}
