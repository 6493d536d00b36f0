/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Figures as programs read them. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final double THOUSANDTHS = 1_000;
    private static final double TEN_THOUSANDTHS = 10_000;

    private Json() {}

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Three digits after the point; null for what is no number, which JSON does not know. */
    public static void number(ObjectNode json, String name, double value) {
        number(json, name, value, THOUSANDTHS);
    }

    /** The same with four digits, for shares. */
    public static void finer(ObjectNode json, String name, double value) {
        number(json, name, value, TEN_THOUSANDTHS);
    }

    private static void number(ObjectNode json, String name, double value, double parts) {
        if (Double.isFinite(value)) {
            json.put(name, Math.round(value * parts) / parts);
        } else {
            json.putNull(name);
        }
    }

    /** Throws {@link UncheckedIOException}, which names the file, where it cannot be written. */
    public static void write(ObjectNode json, Path file) {
        try {
            MAPPER.writeValue(file.toFile(), json);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
