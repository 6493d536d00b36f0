/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.io.IOError;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.DeserializationHelper;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIteratorSerializer;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.read.FetchedPartition;
import org.meteorshower.cassandra.store.CheckedBytes;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.Served;
import org.meteorshower.runtime.RequestRefusedException;

/** A replica's answer to a forwarded read: rows and how they were served, or why not. */
final class ReadResponse {
    private static final byte FORM = 1;
    private static final byte REFUSED = 0;
    private static final byte EMPTY = 1;
    private static final byte ROWS = 2;

    /** A larger answer is refused: the coordinator's memory is shared by all its clients. */
    static final int MAX_BYTES = 8 << 20;

    /** What is called data has timestamps in full, and the like, which are written in fewer bytes. */
    private static final long MOST_DATA_BYTES = 4L * MAX_BYTES;

    private ReadResponse() {}

    /** @throws RequestRefusedException if the rows are too many to send */
    static byte[] encode(SinglePartitionReadCommand command, FetchedPartition fetched) throws RequestRefusedException {
        ReadInfo info = fetched.info();
        ImmutableBTreePartition rows = fetched.rows();
        if (rows != null) {
            refuseTooMany(rows); // before they are held a second time
        }
        try (DataOutputBuffer out = new DataOutputBuffer(256)) {
            out.writeByte(FORM);
            out.writeInt(0); // the checksum's place
            out.writeByte(rows == null ? EMPTY : ROWS);
            out.writeLong(info.cutMicros());
            out.writeUTF(info.served().name());
            out.writeLong(info.stalenessMicros());
            if (rows != null) {
                try (UnfilteredRowIterator all = rows.unfilteredIterator()) {
                    UnfilteredRowIteratorSerializer.serializer.serialize(
                            all, command.columnFilter(), out, ReadRequest.SERIALIZATION);
                }
            }
            if (out.getLength() > MAX_BYTES) {
                throw tooMany();
            }
            return CheckedBytes.seal(out.toByteArray(), 1);
        } catch (IOException e) {
            throw new IllegalStateException("a buffer in memory failed: " + e.getMessage(), e);
        }
    }

    /** By the values alone: what the whole takes is known when it is written. */
    private static void refuseTooMany(ImmutableBTreePartition rows) throws RequestRefusedException {
        long bytes = rows.staticRow().dataSize();
        for (Row row : rows) {
            bytes += row.dataSize();
            if (bytes > MOST_DATA_BYTES) {
                throw tooMany();
            }
        }
    }

    private static RequestRefusedException tooMany() {
        return new RequestRefusedException(
                Failure.OVERLOADED,
                "the rows take more than the " + MAX_BYTES
                        + " bytes that one node asks of another: use a smaller page, or connect to a replica.");
    }

    static byte[] encode(RequestRefusedException refused) {
        try (DataOutputBuffer out = new DataOutputBuffer(128)) {
            out.writeByte(FORM);
            out.writeInt(0);
            out.writeByte(REFUSED);
            out.writeUTF(refused.failure().name());
            out.writeUTF(shortened(String.valueOf(refused.getMessage())));
            return CheckedBytes.seal(out.toByteArray(), 1);
        } catch (IOException e) {
            throw new IllegalStateException("a buffer in memory failed: " + e.getMessage(), e);
        }
    }

    private static String shortened(String text) {
        return text.length() <= 1_000 ? text : text.substring(0, 1_000);
    }

    /**
     * @throws RequestRefusedException if the replica refused
     * @throws IllegalArgumentException if the bytes are damaged, or no answer to this command
     */
    static FetchedPartition decode(SinglePartitionReadCommand command, byte[] bytes) throws RequestRefusedException {
        try (DataInputBuffer in = new DataInputBuffer(ByteBuffer.wrap(bytes), false)) {
            byte form = in.readByte();
            if (form == FORM) {
                CheckedBytes.check(bytes, 1, "an answer to a forwarded read");
            }
            in.readInt();
            byte kind = in.readByte();
            if (form != FORM || kind < REFUSED || kind > ROWS) {
                throw new IllegalArgumentException("an answer of form " + form + ", kind " + kind
                        + ": the replica runs another release of the plugin");
            }
            if (kind == REFUSED) {
                Failure failure = Failure.valueOf(in.readUTF());
                throw new RequestRefusedException(failure, in.readUTF());
            }
            long cutMicros = in.readLong();
            Served served = Served.valueOf(in.readUTF());
            ReadInfo info = new ReadInfo(cutMicros, served, in.readLong());
            return new FetchedPartition(kind == ROWS ? rows(command, in) : null, info);
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (IOException | IOError | RuntimeException | AssertionError e) {
            // Cassandra's own readers trust their input: they throw whatever it makes them run into, assertions
            // included.
            throw new IllegalArgumentException("bytes that are no answer to a forwarded read: " + e, e);
        }
    }

    private static @Nullable ImmutableBTreePartition rows(SinglePartitionReadCommand command, DataInputBuffer in)
            throws IOException {
        try (UnfilteredRowIterator rows = UnfilteredRowIteratorSerializer.serializer.deserialize(
                in,
                ReadRequest.SERIALIZATION,
                command.metadata(),
                command.columnFilter(),
                DeserializationHelper.Flag.FROM_REMOTE)) {
            if (!rows.partitionKey().equals(command.partitionKey())) {
                throw new IllegalArgumentException("an answer about another partition than was asked for");
            }
            return ImmutableBTreePartition.create(rows);
        }
    }
}
