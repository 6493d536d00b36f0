/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One level of the file: hands out its options by name, checks them, and knows which were never asked for. Used by one
 * thread.
 */
final class OptionMap {
    private final String prefix;
    private final Map<?, ?> values;
    private final Set<String> known = new LinkedHashSet<>();

    OptionMap(String prefix, Map<?, ?> values) {
        this.prefix = prefix;
        this.values = values;
    }

    OptionMap section(String name) throws ConfigException {
        Object value = take(name);
        if (value == null) {
            return new OptionMap(prefix + name + ".", Map.of());
        }
        if (value instanceof Map<?, ?> map) {
            return new OptionMap(prefix + name + ".", map);
        }
        throw wrong(name, value, "a group of options, each on an indented line below it");
    }

    int integer(String name, int fallback, int least, int most) throws ConfigException {
        return (int) number(name, fallback, least, most);
    }

    /** A part of a whole, 0 to 1. */
    double fraction(String name, double fallback) throws ConfigException {
        return fraction(name, fallback, 0, 1);
    }

    double fraction(String name, double fallback, double least, double most) throws ConfigException {
        return number(name, fallback, least, most);
    }

    /** An option in milliseconds, fractions allowed, as microseconds. */
    long millisAsMicros(String name, long fallbackMicros, double least, double most) throws ConfigException {
        return Math.round(1_000 * number(name, fallbackMicros / 1_000.0, least, most));
    }

    private double number(String name, double fallback, double least, double most) throws ConfigException {
        Object value = take(name);
        if (value == null) {
            return fallback;
        }
        String allowed = "a number from " + text(least) + " to " + text(most);
        if (!(value instanceof Number number)) {
            throw wrong(name, value, allowed);
        }
        if (!(number.doubleValue() >= least && number.doubleValue() <= most)) {
            throw wrong(name, value, allowed);
        }
        return number.doubleValue();
    }

    boolean bool(String name, boolean fallback) throws ConfigException {
        Object value = take(name);
        if (value == null) {
            return fallback;
        }
        if (value instanceof Boolean bool) {
            return bool;
        }
        throw wrong(name, value, "true or false");
    }

    @Nullable
    String string(String name) throws ConfigException {
        Object value = take(name);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw wrong(name, value, "a text (put it in quotes)");
    }

    /** Null if it is not there. */
    @Nullable
    Path path(String name) throws ConfigException {
        String text = string(name);
        try {
            return text == null ? null : Path.of(text);
        } catch (InvalidPathException e) {
            throw wrong(name, text, "a path");
        }
    }

    /** Null if it is not there. */
    <E extends Enum<E>> @Nullable E oneOf(String name, Class<E> type) throws ConfigException {
        Object value = take(name);
        if (value == null) {
            return null;
        }
        for (E constant : type.getEnumConstants()) {
            if (constant.name().toLowerCase(Locale.ROOT).equals(value)) {
                return constant;
            }
        }
        StringBuilder allowed = new StringBuilder("one of");
        for (E constant : type.getEnumConstants()) {
            allowed.append(' ').append(constant.name().toLowerCase(Locale.ROOT));
        }
        throw wrong(name, value, allowed.toString());
    }

    boolean has(String name) {
        return values.get(name) != null;
    }

    /** Empty if it is not there. */
    List<String> strings(String name) throws ConfigException {
        Object value = take(name);
        if (value == null) {
            return List.of();
        }
        List<String> texts = new ArrayList<>();
        if (value instanceof Collection<?> items) {
            for (Object item : items) {
                if (item instanceof String text) {
                    texts.add(text);
                }
            }
            if (texts.size() == items.size()) {
                return texts;
            }
        }
        throw wrong(name, value, "a list of texts, such as [dc1, dc2, dc3]");
    }

    @Nullable
    Map<?, ?> map(String name) throws ConfigException {
        Object value = take(name);
        if (value == null || value instanceof Map<?, ?>) {
            return (Map<?, ?>) value;
        }
        throw wrong(name, value, "a group of options, each on an indented line below it");
    }

    /** To be called after all options were asked for. */
    void refuseOthers() throws ConfigException {
        for (Object key : values.keySet()) {
            if (!(key instanceof String option) || !known.contains(option)) {
                String nearest = known.stream()
                        .min(Comparator.comparingInt(each -> Distance.between(each, name(key))))
                        .orElse("");
                throw new ConfigException("there is no option '" + prefix + name(key) + "'; the nearest one is '"
                        + prefix + nearest + "'. See docs/CONFIGURATION.md for all.");
            }
        }
    }

    /** Keys may be anything in YAML. */
    private static String name(Object key) {
        return key instanceof String text ? text : shown(key);
    }

    ConfigException wrong(String name, @Nullable Object value, String allowed) {
        boolean secret = name.equals("secret") || name.equals("token_secret") || name.equals("token_secrets");
        String shown = secret ? "(not shown)" : shown(value);
        return new ConfigException("option '" + prefix + name + "' is " + shown + ", and must be " + allowed);
    }

    /** A value as messages show it. Lists and groups are not shown: they may be long, and may contain themselves. */
    static String shown(@Nullable Object value) {
        if (value instanceof Map<?, ?>) {
            return "a group of options";
        }
        return value instanceof Collection<?> ? "a list" : "'" + value + "'";
    }

    private @Nullable Object take(String name) {
        known.add(name);
        return values.get(name);
    }

    private static String text(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
