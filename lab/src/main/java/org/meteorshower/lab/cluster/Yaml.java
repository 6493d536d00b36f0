/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Just enough YAML to write a node's settings: nested mappings whose leaves are written as they are, so that a leaf may
 * itself be YAML in flow style, such as {@code {internode_encryption: all}}.
 */
final class Yaml {
    private Yaml() {}

    /** A text as a double-quoted scalar. */
    static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Puts a value under a dotted key, making the mappings on the way. */
    @SuppressWarnings("unchecked") // only this class builds the mappings, and only with such values
    static void put(Map<String, Object> into, String dottedKey, String value) {
        Map<String, Object> at = into;
        String[] parts = dottedKey.split("\\.", -1);
        for (int i = 0; i < parts.length - 1; i++) {
            Object next = at.computeIfAbsent(parts[i], k -> new LinkedHashMap<String, Object>());
            if (!(next instanceof Map)) {
                throw new IllegalArgumentException("the option " + dottedKey + " nests under " + parts[i]
                        + ", which has a value of its own: " + next);
            }
            at = (Map<String, Object>) next;
        }
        at.put(parts[parts.length - 1], value);
    }

    static String write(Map<String, ?> mapping) {
        StringBuilder text = new StringBuilder();
        write(mapping, "", text);
        return text.toString();
    }

    private static void write(Map<?, ?> mapping, String indent, StringBuilder text) {
        mapping.forEach((key, value) -> {
            text.append(indent).append(key).append(':');
            if (value instanceof Map<?, ?> nested) {
                text.append('\n');
                write(nested, indent + "  ", text);
            } else {
                text.append(' ').append(value).append('\n');
            }
        });
    }
}
