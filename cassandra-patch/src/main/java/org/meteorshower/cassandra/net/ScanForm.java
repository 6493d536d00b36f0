/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.io.IOError;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.meteorshower.cassandra.store.CheckedBytes;

/** How what nodes say to each other of a scan that they read together is put into bytes, and read. */
final class ScanForm {
    /** All other calls begin with other numbers. */
    static final byte FORM = 7;

    private ScanForm() {}

    @FunctionalInterface
    interface Content {
        void writeTo(DataOutputBuffer out) throws IOException;
    }

    @FunctionalInterface
    interface Reading<T> {
        T from(DataInputBuffer in) throws IOException;
    }

    /** What such bytes begin with, then this. */
    static byte[] sealed(byte kind, Content content) {
        try (DataOutputBuffer out = new DataOutputBuffer(256)) {
            out.writeByte(FORM);
            out.writeInt(0); // the checksum's place
            out.writeByte(kind);
            content.writeTo(out);
            return CheckedBytes.seal(out.toByteArray(), 1);
        } catch (IOException e) {
            throw new IllegalStateException("a buffer in memory failed: " + e.getMessage(), e);
        }
    }

    /**
     * @param reading begins with what kind they are of
     * @throws IllegalArgumentException if they are damaged, or cannot be read
     */
    static <T> T read(byte[] bytes, String what, Reading<T> reading) {
        CheckedBytes.check(bytes, 1, what);
        try (DataInputBuffer in = new DataInputBuffer(ByteBuffer.wrap(bytes), false)) {
            byte form = in.readByte();
            if (form != FORM) {
                throw new IllegalArgumentException(
                        what + " of form " + form + ", where " + FORM + " is understood: it is of another release");
            }
            in.readInt();
            return reading.from(in);
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (IOException | IOError | RuntimeException | AssertionError e) {
            // Cassandra's own readers trust their input: they throw whatever it makes them run into, assertions
            // included.
            throw new IllegalArgumentException("bytes that are not " + what + ": " + e, e);
        }
    }
}
