/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import java.util.Collection;
import java.util.Collections;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The statements on the table, as text. */
final class Cql {
    /** The column of the key: YCSB's own binding calls it so. */
    static final String KEY = "y_id";

    static final String NAME_RULE = "letters, digits and _, a letter first";

    private Cql() {}

    /** The name itself. Throws IllegalArgumentException where it would have to be quoted. */
    static String name(String text) {
        if (!text.matches("[A-Za-z][A-Za-z0-9_]{0,47}")) {
            throw new IllegalArgumentException("'" + text + "' is no name for a column or table: use " + NAME_RULE);
        }
        return text;
    }

    /** @param fields null or empty: all */
    static String select(String table, @Nullable Collection<String> fields) {
        return "SELECT " + columns(fields) + " FROM " + table + " WHERE " + KEY + " = ?";
    }

    /** In the order of the partitioner's tokens, which says nothing about the order of keys. */
    static String scan(String table, @Nullable Collection<String> fields) {
        return "SELECT " + columns(fields) + " FROM " + table + " WHERE token(" + KEY + ") >= token(?) LIMIT ?";
    }

    /** Values in the order of the fields, then the key. */
    static String insert(String table, Collection<String> fields) {
        return "INSERT INTO " + table + " ("
                + fields.stream().map(field -> name(field) + ", ").collect(Collectors.joining()) + KEY + ") VALUES ("
                + "?, ".repeat(fields.size()) + "?)";
    }

    /** Values in the order of the fields, then the key. */
    static String update(String table, Collection<String> fields) {
        return "UPDATE " + table + " SET "
                + fields.stream().map(field -> name(field) + " = ?").collect(Collectors.joining(", ")) + " WHERE " + KEY
                + " = ?";
    }

    static String delete(String table) {
        return "DELETE FROM " + table + " WHERE " + KEY + " = ?";
    }

    private static String columns(@Nullable Collection<String> fields) {
        Collection<String> wanted = fields == null ? Collections.emptyList() : fields;
        return wanted.isEmpty() ? "*" : wanted.stream().map(Cql::name).collect(Collectors.joining(", "));
    }
}
