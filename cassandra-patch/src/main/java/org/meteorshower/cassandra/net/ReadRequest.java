/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.io.IOError;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.net.MessagingService;
import org.meteorshower.cassandra.store.CheckedBytes;
import org.meteorshower.protocol.ReadMode;

/**
 * A read that a coordinator asks a replica to serve. The coordinator has checked the client's permissions.
 *
 * @param remainingMicros until the client's deadline
 * @param timed whether the answer is to tell how long it took ({@link TimedAnswer}); earlier releases do not ask for it
 */
record ReadRequest(
        SinglePartitionReadCommand command, long tokenMicros, ReadMode mode, long remainingMicros, boolean timed) {
    /** Changes with the form below, or with the serialisation of Cassandra's commands. */
    private static final byte FORM = 1;

    private static final byte TIMED = 1;

    static final int SERIALIZATION = MessagingService.VERSION_50;

    byte[] encode() {
        try (DataOutputBuffer out = new DataOutputBuffer(256)) {
            out.writeByte(FORM);
            out.writeInt(0); // the checksum's place
            out.writeLong(tokenMicros);
            out.writeUTF(mode.kind().name());
            out.writeLong(mode.thetaMicros());
            out.writeLong(remainingMicros);
            ReadCommand.serializer.serialize(command, out, SERIALIZATION);
            if (timed) {
                out.writeByte(TIMED); // earlier releases do not look so far
            }
            return CheckedBytes.seal(out.toByteArray(), 1);
        } catch (IOException e) {
            throw new IllegalStateException("a buffer in memory failed: " + e.getMessage(), e);
        }
    }

    /**
     * @throws IllegalArgumentException if the bytes are damaged, or no such request, or one about a table that is not
     *     known here
     */
    static ReadRequest decode(byte[] bytes) {
        try (DataInputBuffer in = new DataInputBuffer(ByteBuffer.wrap(bytes), false)) {
            byte form = in.readByte();
            if (form != FORM) {
                throw new IllegalArgumentException("a forwarded read of form " + form + ", where " + FORM
                        + " is understood: the sender runs another release of the plugin");
            }
            CheckedBytes.check(bytes, 1, "a forwarded read");
            in.readInt();
            long tokenMicros = in.readLong();
            ReadMode mode = mode(in.readUTF(), in.readLong());
            long remainingMicros = in.readLong();
            ReadCommand command = ReadCommand.serializer.deserialize(in, SERIALIZATION);
            if (command instanceof SinglePartitionReadCommand single) {
                return new ReadRequest(
                        single, tokenMicros, mode, remainingMicros, in.available() > 0 && in.readByte() == TIMED);
            }
            throw new IllegalArgumentException("a forwarded read of more than one partition");
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (IOException | IOError | RuntimeException | AssertionError e) {
            // Cassandra's own readers trust their input: they throw whatever it makes them run into, assertions
            // included.
            throw new IllegalArgumentException("bytes that are no forwarded read: " + e, e);
        }
    }

    private static ReadMode mode(String kind, long thetaMicros) {
        if (thetaMicros < 0) {
            throw new IllegalArgumentException("a forwarded read with a negative staleness bound");
        }
        return new ReadMode(ReadMode.Kind.valueOf(kind), thetaMicros);
    }
}
