/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads one line of a history. Wrong content is an IllegalArgumentException, wrong JSON one of Jackson's. */
final class OperationParser {
    private static final String FIELDS =
            "session, op, key, value, start_ns, end_ns, status, version, and notes of your own that begin with x_";

    private @Nullable String session;
    private Operation.@Nullable Type type;
    private @Nullable String key;
    private @Nullable String value;
    private boolean valueSeen;
    private long start = -1;
    private boolean startSeen;
    private long end = Operation.NO_END;
    private Operation.@Nullable Status status;
    private long version = Operation.NO_VERSION;

    private OperationParser() {}

    static Operation parse(JsonFactory factory, String line) throws IOException {
        try (JsonParser json = factory.createParser(line)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("not a JSON object, which a line must be");
            }
            OperationParser parser = new OperationParser();
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String field = json.currentName();
                json.nextToken();
                parser.field(json, field);
            }
            if (json.nextToken() != null) {
                throw new IllegalArgumentException("text after the operation; one operation stands on a line");
            }
            return parser.finish();
        }
    }

    private void field(JsonParser json, String field) throws IOException {
        switch (field) {
            case "session" -> session = text(json, field);
            case "op" -> type = type(text(json, field));
            case "key" -> key = text(json, field);
            case "value" -> {
                value = json.currentToken() == JsonToken.VALUE_NULL ? null : text(json, field);
                valueSeen = true;
            }
            case "start_ns" -> {
                start = number(json, field);
                startSeen = true;
            }
            case "end_ns" -> end = json.currentToken() == JsonToken.VALUE_NULL ? Operation.NO_END : end(json);
            case "status" -> status = status(text(json, field));
            case "version" -> {
                if (json.currentToken() != JsonToken.VALUE_NULL) {
                    version = number(json, field);
                }
            }
            default -> {
                if (!field.startsWith("x_")) {
                    throw new IllegalArgumentException("unknown field \"" + field + "\"; known are " + FIELDS);
                }
                json.skipChildren();
            }
        }
    }

    private Operation finish() {
        if (session == null) {
            throw missing("session");
        } else if (type == null) {
            throw missing("op");
        } else if (key == null) {
            throw missing("key");
        } else if (status == null) {
            throw missing("status");
        } else if (!startSeen) {
            throw missing("start_ns");
        } else if (!valueSeen && (type == Operation.Type.WRITE || status == Operation.Status.OK)) {
            throw missing("value");
        }
        return new Operation(session, type, key, value, start, end, status, version);
    }

    private static IllegalArgumentException missing(String field) {
        return new IllegalArgumentException("field \"" + field + "\" is missing");
    }

    private static String text(JsonParser json, String field) throws IOException {
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw new IllegalArgumentException("field \"" + field + "\" must be a string, not " + json.getText());
        }
        return json.getText();
    }

    private static long end(JsonParser json) throws IOException {
        long nanos = number(json, "end_ns");
        if (nanos < 0) {
            throw new IllegalArgumentException("end_ns is " + nanos + "; it must be 0 or more, or absent");
        }
        return nanos;
    }

    private static long number(JsonParser json, String field) throws IOException {
        if (json.currentToken() != JsonToken.VALUE_NUMBER_INT
                || json.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            throw new IllegalArgumentException(
                    "field \"" + field + "\" must be a whole number of 64 bits, not " + json.getText());
        }
        return json.getLongValue();
    }

    private static Operation.Type type(String word) {
        return switch (word) {
            case "read" -> Operation.Type.READ;
            case "write" -> Operation.Type.WRITE;
            default -> throw new IllegalArgumentException("unknown op \"" + word + "\"; known are read and write");
        };
    }

    private static Operation.Status status(String word) {
        return switch (word) {
            case "ok" -> Operation.Status.OK;
            case "fail" -> Operation.Status.FAIL;
            case "unknown" -> Operation.Status.UNKNOWN;
            default ->
                throw new IllegalArgumentException("unknown status \"" + word + "\"; known are ok, fail and unknown");
        };
    }
}
