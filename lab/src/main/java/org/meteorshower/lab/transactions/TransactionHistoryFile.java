/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.meteorshower.checker.transactions.RecordedTransaction;

/** Writes a history of transactions, for {@code meteor check --model strict-serializable} (docs/HISTORY_FORMAT.md). */
public final class TransactionHistoryFile {
    private static final JsonFactory JSON = new JsonFactory();

    private TransactionHistoryFile() {}

    /** Replaces the file. */
    public static void write(List<RecordedTransaction> history, Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            for (RecordedTransaction each : history) {
                StringWriter line = new StringWriter();
                try (JsonGenerator json = JSON.createGenerator(line)) {
                    write(each, json);
                }
                out.write(line.toString());
                out.newLine();
            }
        }
    }

    private static void write(RecordedTransaction each, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("session", each.session());
        json.writeArrayFieldStart("ops");
        for (RecordedTransaction.Step step : each.steps()) {
            json.writeStartArray();
            if (step instanceof RecordedTransaction.Append append) {
                json.writeString("append");
                json.writeString(append.list());
                json.writeString(append.value());
            } else if (step instanceof RecordedTransaction.Read read) {
                json.writeString("r");
                json.writeString(read.list());
                List<String> values = read.values();
                if (values == null) {
                    json.writeNull();
                } else {
                    json.writeArray(values.toArray(String[]::new), 0, values.size());
                }
            }
            json.writeEndArray();
        }
        json.writeEndArray();
        json.writeNumberField("start_ns", each.startNanos());
        if (each.status() == RecordedTransaction.Status.OK) {
            json.writeNumberField("end_ns", each.endNanos());
        }
        json.writeStringField("status", each.status().name().toLowerCase(Locale.ROOT));
        json.writeEndObject();
    }
}
