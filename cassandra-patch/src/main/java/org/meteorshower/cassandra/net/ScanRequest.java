/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.runtime.RequestRefusedException;

/** What a node is asked of a scan that several read together. */
interface ScanRequest {
    byte OPEN = 0;
    byte READ = 1;
    byte CLOSE = 2;
    byte LOWER = 3;

    /** Of a scan: a ring has no more parts than this. */
    int MOST_RANGES = 1 << 20;

    String REQUEST = "a request for a part of a scan";

    static boolean isOne(byte[] request) {
        return request.length > 0 && request[0] == ScanForm.FORM;
    }

    /** @throws RequestRefusedException if this node cannot do so */
    byte[] handOver(Handler to) throws RequestRefusedException, InterruptedException;

    /** Who answers. */
    interface Handler {
        byte[] on(Open open) throws RequestRefusedException, InterruptedException;

        byte[] on(Lower lower) throws RequestRefusedException, InterruptedException;

        byte[] on(Read read) throws RequestRefusedException, InterruptedException;

        byte[] on(Close close);
    }

    /**
     * A scan is to be opened.
     *
     * @param ranges in the order of their tokens, none over another
     * @param remainingMicros until nobody waits for it any more
     */
    record Open(
            TableMetadata table, List<AbstractBounds<PartitionPosition>> ranges, long tokenMicros, long remainingMicros)
            implements ScanRequest {
        @Override
        public byte[] handOver(Handler to) throws RequestRefusedException, InterruptedException {
            return to.on(this);
        }

        byte[] encode() {
            return ScanForm.sealed(OPEN, out -> {
                table.id.serialize(out);
                out.writeLong(tokenMicros);
                out.writeLong(remainingMicros);
                out.writeInt(ranges.size());
                for (AbstractBounds<PartitionPosition> range : ranges) {
                    AbstractBounds.rowPositionSerializer.serialize(range, out, ReadRequest.SERIALIZATION);
                }
            });
        }
    }

    /** Which cut could it be read at, if not at a newer one than this? */
    record Lower(long scanId, long mostMicros) implements ScanRequest {
        @Override
        public byte[] handOver(Handler to) throws RequestRefusedException, InterruptedException {
            return to.on(this);
        }

        byte[] encode() {
            return ScanForm.sealed(LOWER, out -> {
                out.writeLong(scanId);
                out.writeLong(mostMicros);
            });
        }
    }

    /**
     * It is to be read, at this cut.
     *
     * @param commands one after the other, until there are as many rows as each of them asks for
     */
    record Read(long scanId, long cutMicros, List<PartitionRangeReadCommand> commands) implements ScanRequest {
        @Override
        public byte[] handOver(Handler to) throws RequestRefusedException, InterruptedException {
            return to.on(this);
        }

        byte[] encode() {
            return ScanForm.sealed(READ, out -> {
                out.writeLong(scanId);
                out.writeLong(cutMicros);
                out.writeInt(commands.size());
                for (PartitionRangeReadCommand command : commands) {
                    ReadCommand.serializer.serialize(command, out, ReadRequest.SERIALIZATION);
                }
            });
        }
    }

    /** Nobody needs it any more. */
    record Close(long scanId) implements ScanRequest {
        @Override
        public byte[] handOver(Handler to) {
            return to.on(this);
        }

        byte[] encode() {
            return ScanForm.sealed(CLOSE, out -> out.writeLong(scanId));
        }
    }

    /**
     * @throws IllegalArgumentException if the bytes are damaged, or no such request, or one about a table that is not
     *     known here
     */
    static ScanRequest decode(byte[] bytes) {
        return ScanForm.read(bytes, REQUEST, in -> {
            byte kind = in.readByte();
            return switch (kind) {
                case OPEN -> open(in);
                case READ -> {
                    long scanId = in.readLong();
                    long cutMicros = in.readLong();
                    yield new Read(scanId, cutMicros, commands(in));
                }
                case CLOSE -> new Close(in.readLong());
                case LOWER -> {
                    long scanId = in.readLong();
                    yield new Lower(scanId, in.readLong());
                }
                default ->
                    throw new IllegalArgumentException(
                            REQUEST + " of kind " + kind + ", which this release of the plugin does not know");
            };
        });
    }

    private static Open open(DataInputBuffer in) throws IOException {
        TableId id = TableId.deserialize(in);
        TableMetadata table = Schema.instance.getTableMetadata(id);
        if (table == null) {
            throw new IllegalArgumentException(REQUEST + " of table " + id + ", which this node does not know (yet)");
        }
        long tokenMicros = in.readLong();
        long remainingMicros = in.readLong();
        int count = count(in);
        List<AbstractBounds<PartitionPosition>> ranges = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ranges.add(
                    AbstractBounds.rowPositionSerializer.deserialize(in, table.partitioner, ReadRequest.SERIALIZATION));
        }
        return new Open(table, ranges, tokenMicros, remainingMicros);
    }

    private static List<PartitionRangeReadCommand> commands(DataInputBuffer in) throws IOException {
        int count = count(in);
        List<PartitionRangeReadCommand> commands = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (ReadCommand.serializer.deserialize(in, ReadRequest.SERIALIZATION)
                    instanceof PartitionRangeReadCommand range) {
                commands.add(range);
            } else {
                throw new IllegalArgumentException(REQUEST + " with a read of one partition");
            }
        }
        return commands;
    }

    private static int count(DataInputBuffer in) throws IOException {
        int count = in.readInt();
        if (count < 1 || count > MOST_RANGES) {
            throw new IllegalArgumentException(REQUEST + " with " + count + " ranges");
        }
        return count;
    }
}
