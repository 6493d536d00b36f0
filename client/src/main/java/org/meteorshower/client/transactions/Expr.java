/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.transactions;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value that is computed where the transaction runs: a column of a row that LET has bound, or of the row that an
 * UPDATE writes, and sums of such. Where a method takes an Object, that is an Expr or a plain value, which is bound.
 * Immutable.
 */
public final class Expr {
    private final Piece piece;

    private Expr(Piece piece) {
        this.piece = piece;
    }

    /**
     * {@code row.column} of a row bound by LET, or {@code column} of the row that an UPDATE writes.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public static Expr of(String path) {
        return new Expr(Piece.text(Piece.path(path, "a column, or of a row and a column with a dot between them")));
    }

    public Expr plus(Object other) {
        return computed(" + ", other);
    }

    public Expr minus(Object other) {
        return computed(" - ", other);
    }

    public Expr times(Object other) {
        return computed(" * ", other);
    }

    public Expr dividedBy(Object other) {
        return computed(" / ", other);
    }

    /** Equal; false where either is null, as all comparisons are. */
    public Condition isEqualTo(Object other) {
        return compared(" = ", other);
    }

    public Condition isNotEqualTo(Object other) {
        return compared(" != ", other);
    }

    public Condition isLessThan(Object other) {
        return compared(" < ", other);
    }

    public Condition isAtMost(Object other) {
        return compared(" <= ", other);
    }

    public Condition isGreaterThan(Object other) {
        return compared(" > ", other);
    }

    public Condition isAtLeast(Object other) {
        return compared(" >= ", other);
    }

    /** One of these. */
    public Condition isIn(Object... choices) {
        List<Piece> pieces = Arrays.stream(choices).map(Expr::pieceOf).toList();
        return new Condition(piece.and(" IN (").and(Piece.joined(pieces, ", ")).and(")"));
    }

    public Condition isNull() {
        return new Condition(piece.and(" IS NULL"));
    }

    public Condition isNotNull() {
        return new Condition(piece.and(" IS NOT NULL"));
    }

    static Piece pieceOf(@Nullable Object value) {
        return value instanceof Expr expr ? expr.piece : Piece.value(value);
    }

    private Expr computed(String sign, Object other) {
        return new Expr(Piece.text("(").and(piece).and(sign).and(pieceOf(other)).and(")"));
    }

    private Condition compared(String sign, Object other) {
        return new Condition(piece.and(sign).and(pieceOf(other)));
    }

    @Override
    public String toString() {
        return piece.toString();
    }
}
