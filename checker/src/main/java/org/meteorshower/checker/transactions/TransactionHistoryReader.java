/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker.transactions;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.BadHistoryException;

/** Reads histories of transactions, JSON lines (docs/HISTORY_FORMAT.md). */
public final class TransactionHistoryReader {
    private static final int MAX_LINE_CHARS = 1 << 22;

    private final JsonFactory json = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private TransactionHistoryReader() {}

    /**
     * Reads files as one history.
     *
     * @throws BadHistoryException naming file, line and reason, where a line is not as the format says
     * @throws IOException where a file cannot be opened or read
     */
    public static List<RecordedTransaction> read(List<Path> files) throws IOException, BadHistoryException {
        TransactionHistoryReader reader = new TransactionHistoryReader();
        List<RecordedTransaction> history = new ArrayList<>();
        for (Path file : files) {
            try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                int number = 0;
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    number++;
                    if (!line.isBlank()) {
                        history.add(reader.parse(line, file.toString(), number));
                    }
                }
            } catch (CharacterCodingException e) {
                throw new BadHistoryException(file.toString(), 0, "not UTF-8; a history is a text file of JSON lines");
            }
        }
        if (history.isEmpty()) {
            throw new BadHistoryException(files.toString(), 0, "no transactions: an empty history proves nothing");
        }
        return history;
    }

    private RecordedTransaction parse(String line, String file, int number) throws IOException, BadHistoryException {
        if (line.length() > MAX_LINE_CHARS) {
            throw new BadHistoryException(file, number, "the line is longer than " + MAX_LINE_CHARS + " characters");
        }
        try (JsonParser parser = json.createParser(line)) {
            return transaction(parser);
        } catch (JsonProcessingException e) {
            throw new BadHistoryException(file, number, "not a JSON object: " + e.getOriginalMessage());
        } catch (IllegalArgumentException e) {
            throw new BadHistoryException(file, number, String.valueOf(e.getMessage()));
        }
    }

    private static RecordedTransaction transaction(JsonParser parser) throws IOException {
        String session = null;
        List<RecordedTransaction.Step> steps = null;
        long start = -1;
        long end = -1;
        RecordedTransaction.Status status = null;
        require(parser.nextToken() == JsonToken.START_OBJECT, "a transaction is a JSON object");
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "session" -> session = parser.getText();
                case "ops" -> steps = steps(parser);
                case "start_ns" -> start = nanos(parser, field);
                case "end_ns" -> end = nanos(parser, field);
                case "status" -> status = status(parser.getText());
                default -> {
                    require(field.startsWith("x_"), "unknown field " + field + "; fields of your own begin with x_");
                    parser.skipChildren();
                }
            }
        }
        if (session == null || steps == null || status == null || start < 0) {
            throw new IllegalArgumentException("session, ops, start_ns and status are required");
        }
        require(
                status != RecordedTransaction.Status.OK || end >= start,
                "end_ns is required for ok, and not before start_ns");
        return new RecordedTransaction(session, steps, start, end, status);
    }

    private static long nanos(JsonParser parser, String field) throws IOException {
        require(parser.currentToken() == JsonToken.VALUE_NUMBER_INT, field + " is a whole number of nanoseconds");
        return parser.getLongValue();
    }

    private static RecordedTransaction.Status status(String word) {
        return switch (word) {
            case "ok" -> RecordedTransaction.Status.OK;
            case "fail" -> RecordedTransaction.Status.FAIL;
            case "unknown" -> RecordedTransaction.Status.UNKNOWN;
            default ->
                throw new IllegalArgumentException(
                        "status is ok, fail or unknown, not " + word.toLowerCase(Locale.ROOT));
        };
    }

    private static List<RecordedTransaction.Step> steps(JsonParser parser) throws IOException {
        List<RecordedTransaction.Step> steps = new ArrayList<>();
        require(parser.currentToken() == JsonToken.START_ARRAY, "ops is an array");
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            require(
                    parser.currentToken() == JsonToken.START_ARRAY,
                    "an op is [\"append\", list, value] or [\"r\", list, values]");
            parser.nextToken();
            String kind = parser.getText();
            parser.nextToken();
            String list = parser.getText();
            parser.nextToken();
            switch (kind) {
                case "append" -> {
                    require(parser.currentToken().isScalarValue(), "an append has one value");
                    steps.add(new RecordedTransaction.Append(list, parser.getText()));
                }
                case "r" -> steps.add(new RecordedTransaction.Read(list, values(parser)));
                default -> throw new IllegalArgumentException("an op is append or r, not " + kind);
            }
            require(parser.nextToken() == JsonToken.END_ARRAY, "an op has three parts");
        }
        return steps;
    }

    private static @Nullable List<String> values(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        require(parser.currentToken() == JsonToken.START_ARRAY, "a read has an array of values, or null");
        List<String> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            require(parser.currentToken().isScalarValue(), "values are numbers or strings");
            values.add(parser.getText());
        }
        return values;
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalArgumentException(what);
        }
    }
}
