/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker.transactions;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Writes histories of transactions, JSON lines (docs/HISTORY_FORMAT.md). */
public final class TransactionHistoryWriter {
    private TransactionHistoryWriter() {}

    /** Creates the file, or replaces it. */
    public static void write(List<RecordedTransaction> history, Path file) throws IOException {
        try (JsonGenerator json =
                new JsonFactory().createGenerator(new BufferedOutputStream(Files.newOutputStream(file)))) {
            json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
            for (RecordedTransaction transaction : history) {
                write(transaction, json);
            }
            json.writeRaw('\n');
        }
    }

    private static void write(RecordedTransaction transaction, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("session", transaction.session());
        json.writeArrayFieldStart("ops");
        for (RecordedTransaction.Step step : transaction.steps()) {
            write(step, json);
        }
        json.writeEndArray();
        json.writeNumberField("start_ns", transaction.startNanos());
        if (transaction.status() != RecordedTransaction.Status.UNKNOWN) {
            json.writeNumberField("end_ns", transaction.endNanos());
        }
        json.writeStringField("status", transaction.status().name().toLowerCase(Locale.ROOT));
        json.writeEndObject();
    }

    private static void write(RecordedTransaction.Step step, JsonGenerator json) throws IOException {
        json.writeStartArray();
        if (step instanceof RecordedTransaction.Append append) {
            json.writeString("append");
            json.writeString(append.list());
            json.writeString(append.value());
        } else if (step instanceof RecordedTransaction.Read read) {
            json.writeString("r");
            json.writeString(read.list());
            writeValues(read, json);
        }
        json.writeEndArray();
    }

    private static void writeValues(RecordedTransaction.Read read, JsonGenerator json) throws IOException {
        List<String> values = read.values();
        if (values == null) {
            json.writeNull();
            return;
        }
        json.writeStartArray();
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }
}
