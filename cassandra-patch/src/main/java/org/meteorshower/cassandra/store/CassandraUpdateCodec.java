/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import java.io.IOError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.DeserializationHelper;
import org.apache.cassandra.exceptions.UnknownTableException;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.net.MessagingService;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.UpdateCodec;

/**
 * Cassandra's own serialisation of partition updates, at one fixed version, which comes first. A checksum of the rest
 * comes next, then the table's name in the middleware. Thread-safe.
 */
public final class CassandraUpdateCodec implements UpdateCodec {
    /** Written on the wire and in the journal; every 5.0 node speaks it. */
    static final int VERSION = MessagingService.VERSION_50;

    private static final int CHECK_AT = Integer.BYTES;

    @Override
    public byte[] encode(Update update) {
        CassandraUpdate known = (CassandraUpdate) update;
        byte[] ready = known.takeBytes();
        return ready == null ? serialized(known) : ready;
    }

    static byte[] serialized(CassandraUpdate update) {
        try (DataOutputBuffer out = new DataOutputBuffer(256)) {
            out.writeInt(VERSION);
            out.writeInt(0); // the checksum's place
            out.writeLong(update.key().table().getMostSignificantBits());
            out.writeLong(update.key().table().getLeastSignificantBits());
            PartitionUpdate.serializer.serialize(update.partitionUpdate(), out, VERSION);
            return CheckedBytes.seal(out.toByteArray(), CHECK_AT);
        } catch (IOException e) {
            throw new IllegalStateException("a buffer in memory failed: " + e.getMessage(), e);
        }
    }

    @Override
    public Update decode(ByteBuffer bytes) {
        try (DataInputBuffer in = new DataInputBuffer(bytes, true)) {
            int version = in.readInt();
            if (version != VERSION) {
                throw new IllegalArgumentException("an update in serialisation version " + version + ", where "
                        + VERSION + " is understood: the sender runs another release");
            }
            CheckedBytes.check(bytes, CHECK_AT, "an update");
            in.readInt();
            UUID table = new UUID(in.readLong(), in.readLong());
            PartitionUpdate update =
                    PartitionUpdate.serializer.deserialize(in, version, DeserializationHelper.Flag.FROM_REMOTE);
            return new CassandraUpdate(table, update);
        } catch (UnknownTableException e) {
            throw new IllegalArgumentException("an update of table " + e.id + ", which this node does not know", e);
        } catch (IOException | IOError | RuntimeException | AssertionError e) {
            // Cassandra's own reader trusts its input: it throws whatever it makes it run into, assertions included.
            if (e instanceof IllegalArgumentException known) {
                throw known;
            }
            throw new IllegalArgumentException("bytes that are no update: " + e, e);
        }
    }
}
