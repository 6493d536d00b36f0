/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.DeserializationHelper;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIteratorSerializer;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.Served;
import org.meteorshower.runtime.RequestRefusedException;

/** What a node answers about a part of a scan. */
final class ScanAnswer {
    private static final byte REFUSED = 0;
    private static final byte OPENED = 1;
    private static final byte FOUND = 2;
    private static final byte TOO_LARGE = 3;
    private static final byte CLOSED = 4;
    private static final byte LOWERED = 5;

    private static final String ANSWER = "an answer about a part of a scan";

    private ScanAnswer() {}

    /** A scan that is open at the node that was asked. */
    record Opened(long scanId, ReadInfo info) {
        byte[] encode() {
            return ScanForm.sealed(OPENED, out -> {
                out.writeLong(scanId);
                out.writeLong(info.cutMicros());
                out.writeUTF(info.served().name());
                out.writeLong(info.stalenessMicros());
            });
        }
    }

    /**
     * What was found.
     *
     * @param partitions of one command each, in the order of the tokens; fewer lists than commands where there were
     *     enough rows before the last one. Of the last list more may be left.
     */
    record Found(List<List<ImmutableBTreePartition>> partitions) {
        /** An answer that says so where they are too large for one. */
        byte[] encode(List<PartitionRangeReadCommand> commands) {
            byte[] bytes = ScanForm.sealed(FOUND, out -> {
                out.writeInt(partitions.size());
                for (int i = 0; i < partitions.size() && out.getLength() <= ReadResponse.MAX_BYTES; i++) {
                    out.writeInt(partitions.get(i).size());
                    for (ImmutableBTreePartition partition : partitions.get(i)) {
                        if (out.getLength() > ReadResponse.MAX_BYTES) {
                            break;
                        }
                        try (UnfilteredRowIterator rows = partition.unfilteredIterator()) {
                            UnfilteredRowIteratorSerializer.serializer.serialize(
                                    rows, commands.get(i).columnFilter(), out, ReadRequest.SERIALIZATION);
                        }
                    }
                }
            });
            return bytes.length > ReadResponse.MAX_BYTES ? ScanForm.sealed(TOO_LARGE, out -> {}) : bytes;
        }
    }

    /** The rows take more than one node may send another at once. */
    static final class TooLargeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooLargeException() {
            super("the rows take more than " + ReadResponse.MAX_BYTES + " bytes", null, false, false);
        }
    }

    /** @param newestMicros {@link Long#MIN_VALUE} for none */
    static byte[] lowered(long newestMicros) {
        return ScanForm.sealed(LOWERED, out -> out.writeLong(newestMicros));
    }

    /**
     * @throws RequestRefusedException if the node refused
     * @throws IllegalArgumentException if the bytes are damaged, or no such answer
     */
    static long lowered(byte[] bytes) throws RequestRefusedException {
        return answer(bytes, LOWERED, DataInputBuffer::readLong);
    }

    static byte[] closed() {
        return ScanForm.sealed(CLOSED, out -> {});
    }

    static byte[] refused(RequestRefusedException refused) {
        return ScanForm.sealed(REFUSED, out -> {
            out.writeUTF(refused.failure().name());
            String why = String.valueOf(refused.getMessage());
            out.writeUTF(why.length() <= 1_000 ? why : why.substring(0, 1_000));
        });
    }

    /**
     * @throws RequestRefusedException if the node refused
     * @throws IllegalArgumentException if the bytes are damaged, or no such answer
     */
    static Opened opened(byte[] bytes) throws RequestRefusedException {
        return answer(bytes, OPENED, in -> {
            long scanId = in.readLong();
            long cutMicros = in.readLong();
            Served served = Served.valueOf(in.readUTF());
            return new Opened(scanId, new ReadInfo(cutMicros, served, in.readLong()));
        });
    }

    /**
     * @param commands those that were sent
     * @throws RequestRefusedException if the node refused
     * @throws TooLargeException if the rows are too many for one answer
     * @throws IllegalArgumentException if the bytes are damaged, or no answer to these commands
     */
    static Found found(byte[] bytes, List<PartitionRangeReadCommand> commands) throws RequestRefusedException {
        return answer(bytes, FOUND, in -> {
            int count = in.readInt();
            if (count < 1 || count > commands.size()) {
                throw new IllegalArgumentException(ANSWER + " for " + count + " of " + commands.size() + " ranges");
            }
            List<List<ImmutableBTreePartition>> partitions = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                partitions.add(partitions(commands.get(i), in));
            }
            return new Found(partitions);
        });
    }

    private static List<ImmutableBTreePartition> partitions(PartitionRangeReadCommand command, DataInputBuffer in)
            throws IOException {
        List<ImmutableBTreePartition> partitions = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            try (UnfilteredRowIterator rows = UnfilteredRowIteratorSerializer.serializer.deserialize(
                    in,
                    ReadRequest.SERIALIZATION,
                    command.metadata(),
                    command.columnFilter(),
                    DeserializationHelper.Flag.FROM_REMOTE)) {
                if (!command.dataRange().contains(rows.partitionKey())) {
                    throw new IllegalArgumentException(ANSWER + " with a partition that was not asked for");
                }
                partitions.add(ImmutableBTreePartition.create(rows));
            }
        }
        return partitions;
    }

    private static <T> T answer(byte[] bytes, byte kind, ScanForm.Reading<T> reading) throws RequestRefusedException {
        Given<T> given = ScanForm.read(bytes, ANSWER, in -> {
            byte is = in.readByte();
            if (is == REFUSED) {
                Failure failure = Failure.valueOf(in.readUTF());
                return new Given<>(null, new RequestRefusedException(failure, in.readUTF()));
            } else if (is == kind) {
                return new Given<>(reading.from(in), null);
            } else if (is == TOO_LARGE) {
                return new Given<>(null, null);
            }
            throw new IllegalArgumentException(ANSWER + " of kind " + is + ", where " + kind + " was asked for");
        });
        if (given.refusal() != null) {
            throw given.refusal();
        } else if (given.content() == null) {
            throw new TooLargeException();
        }
        return given.content();
    }

    /**
     * What it says.
     *
     * @param content null where it is refused, or too large
     */
    private record Given<T>(@Nullable T content, @Nullable RequestRefusedException refusal) {}
}
