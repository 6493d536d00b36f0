/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.transactions;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A piece of CQL and the values of its bind markers, in the order of the text. Values never become text, and names only
 * where they are names. Immutable.
 */
final class Piece {
    private static final String NAME = "(?:[A-Za-z][A-Za-z0-9_]*|\"(?:[^\"]|\"\")+\")";
    private static final Pattern ONE_NAME = Pattern.compile(NAME);
    private static final Pattern PATH = Pattern.compile(NAME + "(?:\\." + NAME + ")?");

    private final String cql;
    private final List<@Nullable Object> values;

    private Piece(String cql, List<@Nullable Object> values) {
        this.cql = cql;
        this.values = Collections.unmodifiableList(values); // List.copyOf takes no nulls
    }

    static Piece of(String cql, @Nullable Object... values) {
        return new Piece(cql, new ArrayList<>(Arrays.asList(values)));
    }

    static Piece text(String cql) {
        return new Piece(cql, new ArrayList<>());
    }

    /** A marker for a value. */
    static Piece value(@Nullable Object value) {
        return of("?", value);
    }

    /** @throws IllegalArgumentException if this is no name of CQL */
    static String name(String text, String what) {
        return checked(ONE_NAME, text, what);
    }

    /** A name, or two with a dot between them. */
    static String path(String text, String what) {
        return checked(PATH, text, what);
    }

    private static String checked(Pattern form, String text, String what) {
        if (!form.matcher(text).matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is not the name of " + what
                    + ": names are letters, digits and _, or anything within double quotes");
        }
        return text;
    }

    Piece and(Piece other) {
        List<@Nullable Object> all = new ArrayList<>(values);
        all.addAll(other.values);
        return new Piece(cql + other.cql, all);
    }

    Piece and(String more) {
        return and(text(more));
    }

    static Piece joined(List<Piece> pieces, String between) {
        List<@Nullable Object> all = new ArrayList<>();
        pieces.forEach(piece -> all.addAll(piece.values));
        return new Piece(pieces.stream().map(piece -> piece.cql).collect(Collectors.joining(between)), all);
    }

    String cql() {
        return cql;
    }

    List<@Nullable Object> values() {
        return values;
    }

    @Override
    public String toString() {
        return cql;
    }
}
