/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.UpdateCodec;

/** An update that is a text. */
record StringUpdate(String text) implements Update {
    static final UpdateCodec CODEC = new UpdateCodec() {
        @Override
        public byte[] encode(Update update) {
            return ("=" + ((StringUpdate) update).text).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Update decode(ByteBuffer bytes) {
            String text = StandardCharsets.UTF_8.decode(bytes).toString();
            if (!text.startsWith("=") || text.equals("=unknown table")) {
                throw new IllegalArgumentException("no such table");
            }
            return new StringUpdate(text.substring(1));
        }
    };

    @Override
    public PartitionKey key() {
        return new PartitionKey(new UUID(1, 1), new byte[] {1});
    }

    @Override
    public MutationId id() {
        return new MutationId(1, text.hashCode());
    }

    @Override
    public long oldestTimestampMicros() {
        return 1;
    }

    @Override
    public long shape() {
        return 1;
    }

    @Override
    public long row() {
        return ANY_ROW;
    }

    @Override
    public int sizeBytes() {
        return text.length();
    }
}
