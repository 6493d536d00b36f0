/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.transactions;

import java.util.ArrayList;
import java.util.List;

/** What an IF asks: made by {@link Expr}, or here. Immutable. */
public final class Condition {
    private static final String AND = " AND ";
    private static final String OR = " OR ";

    /** At least one. Kept side by side, since a server takes only so many brackets within each other. */
    private final List<Piece> parts;

    /** Between the parts; says nothing where there is one. */
    private final String word;

    private Condition(List<Piece> parts, String word) {
        this.parts = List.copyOf(parts);
        this.word = word;
    }

    Condition(Piece piece) {
        this(List.of(piece), AND);
    }

    /** Whether there is a row under the name that LET has given. */
    public static Condition exists(String row) {
        return new Condition(Piece.text(Piece.name(row, "a row") + " IS NOT NULL"));
    }

    /** Whether there is no row under the name that LET has given. */
    public static Condition isMissing(String row) {
        return new Condition(Piece.text(Piece.name(row, "a row") + " IS NULL"));
    }

    public Condition and(Condition other) {
        return joined(AND, other);
    }

    public Condition or(Condition other) {
        return joined(OR, other);
    }

    private Condition joined(String by, Condition other) {
        List<Piece> all = new ArrayList<>(partsFor(by));
        all.addAll(other.partsFor(by));
        return new Condition(all, by);
    }

    private List<Piece> partsFor(String by) {
        return word.equals(by) ? parts : List.of(piece());
    }

    Piece piece() {
        return parts.size() == 1
                ? parts.get(0)
                : Piece.text("(").and(Piece.joined(parts, word)).and(")");
    }

    @Override
    public String toString() {
        return piece().toString();
    }
}
