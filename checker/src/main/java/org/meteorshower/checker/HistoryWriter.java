/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes a history as JSON lines, one operation a line (docs/HISTORY_FORMAT.md).
 *
 * <p>Threads: {@link #append} may be called by any number of threads; lines never mix. Each session must append its own
 * operations in program order, which it does when it appends before it starts the next one.
 */
public final class HistoryWriter implements AutoCloseable {
    private final JsonGenerator json;

    /** Writes to a stream, which {@link #close} closes. */
    public HistoryWriter(OutputStream out) throws IOException {
        json = new JsonFactory().createGenerator(new BufferedOutputStream(out, 1 << 16));
        json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
    }

    /** Creates a file, or replaces it. */
    public static HistoryWriter create(Path file) throws IOException {
        return new HistoryWriter(Files.newOutputStream(file));
    }

    /** Appends one operation; buffered until {@link #flush} or {@link #close}. */
    public synchronized void append(Operation op) throws IOException {
        json.writeStartObject();
        json.writeStringField("session", op.session());
        json.writeStringField("op", op.type().word());
        json.writeStringField("key", op.key());
        json.writeStringField("value", op.value());
        json.writeNumberField("start_ns", op.startNanos());
        if (op.endNanos() != Operation.NO_END) {
            json.writeNumberField("end_ns", op.endNanos());
        }
        json.writeStringField("status", op.status().word());
        if (op.version() != Operation.NO_VERSION) {
            json.writeNumberField("version", op.version());
        }
        json.writeEndObject();
    }

    /** Appends every operation of a history. */
    public void appendAll(History history) throws IOException {
        for (int op = 0; op < history.size(); op++) {
            append(history.get(op));
        }
    }

    /** Hands what was appended to the stream. */
    public synchronized void flush() throws IOException {
        json.flush();
    }

    @Override
    public synchronized void close() throws IOException {
        if (!json.isClosed()) {
            json.writeRaw('\n');
            json.close();
        }
    }
}
