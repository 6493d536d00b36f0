/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.transactions;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An INSERT, UPDATE or DELETE of one row. Values are plain ones, which are bound, or {@link Expr}s. Immutable. */
public final class Change {
    private enum Verb {
        INSERT,
        UPDATE,
        DELETE
    }

    private final Verb verb;
    private final String table;
    private final String deleted;
    private final List<Piece> names;
    private final List<Piece> settings;
    private final List<Piece> key;

    private Change(Verb verb, String table, String deleted, List<Piece> names, List<Piece> settings, List<Piece> key) {
        this.verb = verb;
        this.table = Piece.path(table, "a table");
        this.deleted = deleted;
        this.names = List.copyOf(names);
        this.settings = List.copyOf(settings);
        this.key = List.copyOf(key);
    }

    public static Change insertInto(String table) {
        return new Change(Verb.INSERT, table, "", List.of(), List.of(), List.of());
    }

    public static Change update(String table) {
        return new Change(Verb.UPDATE, table, "", List.of(), List.of(), List.of());
    }

    /** The whole row, or these columns of it. */
    public static Change deleteFrom(String table, String... columns) {
        String deleted = Arrays.stream(columns)
                .map(column -> Piece.name(column, "a column") + " ")
                .collect(Collectors.joining(", "));
        return new Change(Verb.DELETE, table, deleted, List.of(), List.of(), List.of());
    }

    /** A column of an INSERT. */
    public Change value(String column, @Nullable Object value) {
        require(Verb.INSERT, "value");
        return new Change(
                verb,
                table,
                deleted,
                with(names, Piece.text(Piece.name(column, "a column"))),
                with(settings, Expr.pieceOf(value)),
                key);
    }

    /** {@code column = value} of an UPDATE; null takes the value away. */
    public Change set(String column, @Nullable Object value) {
        return changed(column, " = ", value);
    }

    /** {@code column += value}: of a number, or of members of a list, set or map. */
    public Change add(String column, Object value) {
        return changed(column, " += ", value);
    }

    /** {@code column -= value}. */
    public Change subtract(String column, Object value) {
        return changed(column, " -= ", value);
    }

    /** One column of the primary key, of an UPDATE or DELETE. */
    public Change where(String column, Object value) {
        if (verb == Verb.INSERT) {
            throw new IllegalStateException("an INSERT has its key among its values: .value(\"" + column + "\", …)");
        }
        Piece part = Piece.text(Piece.name(column, "a column") + " = ").and(Piece.value(value));
        return new Change(verb, table, deleted, names, settings, with(key, part));
    }

    private Change changed(String column, String sign, @Nullable Object value) {
        require(Verb.UPDATE, "set");
        Piece part = Piece.text(Piece.name(column, "a column") + sign).and(Expr.pieceOf(value));
        return new Change(verb, table, deleted, names, with(settings, part), key);
    }

    private void require(Verb expected, String method) {
        if (verb != expected) {
            throw new IllegalStateException("." + method + " is for " + expected + ", and this is " + verb);
        }
    }

    private static List<Piece> with(List<Piece> pieces, Piece more) {
        List<Piece> all = new ArrayList<>(pieces);
        all.add(more);
        return all;
    }

    Piece piece() {
        if ((verb == Verb.INSERT ? names : key).isEmpty() || (verb == Verb.UPDATE && settings.isEmpty())) {
            throw new IllegalArgumentException("the " + verb + " on " + table
                    + " does not say which row, or what becomes of it: name each column of the primary key");
        }
        return switch (verb) {
            case INSERT ->
                Piece.text("INSERT INTO " + table + " (")
                        .and(Piece.joined(names, ", "))
                        .and(") VALUES (")
                        .and(Piece.joined(settings, ", "))
                        .and(")");
            case UPDATE ->
                Piece.text("UPDATE " + table + " SET ")
                        .and(Piece.joined(settings, ", "))
                        .and(where());
            case DELETE -> Piece.text("DELETE " + deleted + "FROM " + table).and(where());
        };
    }

    private Piece where() {
        return Piece.text(" WHERE ").and(Piece.joined(key, " AND "));
    }

    @Override
    public String toString() {
        return piece().toString();
    }
}
