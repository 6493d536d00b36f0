/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import site.ycsb.DBException;

/** Reads YCSB's properties. What is wrong with one is said with its name, its value and what it may be. */
final class PropertyReader {
    private final Properties properties;

    PropertyReader(Properties properties) {
        this.properties = properties;
    }

    /** Null where it is missing or blank. */
    @Nullable
    String text(String name) {
        String value = properties.getProperty(name);
        return value == null || value.isBlank() ? null : value.strip();
    }

    List<String> list(String name) {
        String value = text(name);
        return value == null
                ? List.of()
                : Arrays.stream(value.split(","))
                        .map(String::strip)
                        .filter(part -> !part.isEmpty())
                        .toList();
    }

    int integer(String name, int preset, int least, int most) throws DBException {
        String value = text(name);
        if (value == null) {
            return preset;
        }
        String range = "a whole number from " + least + " to " + most;
        int number = parsed(name, value, range, Integer::parseInt);
        if (number < least || number > most) {
            throw wrong(name, value, range);
        }
        return number;
    }

    boolean flag(String name, boolean preset) throws DBException {
        String value = text(name);
        if (value == null) {
            return preset;
        }
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong(name, value, "true or false");
        };
    }

    /**
     * What the parser makes of the value; the preset where there is none. The parser throws IllegalArgumentException.
     */
    <T> T value(String name, T preset, String allowed, Function<String, T> parser) throws DBException {
        String value = text(name);
        return value == null ? preset : parsed(name, value, allowed, parser);
    }

    /** A slip of the finger must not measure something else than was meant. */
    void refuseUnknown(String prefix, Set<String> known) throws DBException {
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(prefix) && !known.contains(name)) {
                throw new DBException(
                        name + " is no property of this binding; there are " + String.join(", ", new TreeSet<>(known)));
            }
        }
    }

    private static <T> T parsed(String name, String value, String allowed, Function<String, T> parser)
            throws DBException {
        try {
            return parser.apply(value);
        } catch (IllegalArgumentException e) {
            throw new DBException(wrong(name, value, allowed).getMessage(), e);
        }
    }

    static DBException wrong(String name, String value, String allowed) {
        return new DBException(name + "=" + value + ": must be " + allowed);
    }
}
