/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.transactions;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One row of a table, by its whole primary key: {@code select("balance").from("shop.accounts").where("id", 7)}.
 * Immutable.
 */
public final class RowQuery {
    private final List<String> columns;
    private final String table;
    private final List<String> keyColumns;
    private final List<Piece> key;

    private RowQuery(List<String> columns, String table, List<String> keyColumns, List<Piece> key) {
        this.columns = List.copyOf(columns);
        this.table = table;
        this.keyColumns = List.copyOf(keyColumns);
        this.key = List.copyOf(key);
    }

    /** These columns; all of them where none is named. */
    public static Columns select(String... columns) {
        return new Columns(Arrays.stream(columns)
                .map(column -> Piece.name(column, "a column"))
                .toList());
    }

    /** Which columns, of no table yet. */
    public record Columns(List<String> names) {
        public Columns {
            names = List.copyOf(names);
        }

        /** @param table with its keyspace before it, so that it means the same in all data centres */
        public RowQuery from(String table) {
            return new RowQuery(names, Piece.path(table, "a table"), List.of(), List.of());
        }
    }

    /** One column of the primary key. */
    public RowQuery where(String column, Object value) {
        List<String> moreColumns = new ArrayList<>(keyColumns);
        moreColumns.add(Piece.name(column, "a column"));
        List<Piece> more = new ArrayList<>(key);
        more.add(Piece.text(column + " = ").and(Piece.value(value)));
        return new RowQuery(columns, table, moreColumns, more);
    }

    /**
     * The same, with the columns of its key among those selected. These are null where the row is missing, and nowhere
     * else.
     */
    public RowQuery withKey() {
        Set<String> all = new LinkedHashSet<>(columns);
        all.addAll(keyColumns);
        return columns.isEmpty() ? this : new RowQuery(List.copyOf(all), table, keyColumns, key);
    }

    /** The columns of the key that were named, in that order. */
    public List<String> keyColumns() {
        return keyColumns;
    }

    Piece piece() {
        if (key.isEmpty()) {
            throw new IllegalArgumentException(
                    "which row of " + table + "? Name each column of its primary key: .where(column, value)");
        }
        return Piece.text(head()).and(Piece.joined(key, " AND "));
    }

    private String head() {
        return "SELECT " + (columns.isEmpty() ? "*" : String.join(", ", columns)) + " FROM " + table + " WHERE ";
    }

    @Override
    public String toString() {
        return head() + Piece.joined(key, " AND ").cql();
    }
}
