/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.transactions;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts a transaction together, in the order in which it runs: each step sees what those before it did. Rows are named
 * by their whole primary keys, since a transaction's rows must be known before it begins.
 *
 * <pre>{@code
 * TransactionStatement transfer = TransactionStatement.builder()
 *         .let("sender", select("balance").from("shop.accounts").where("id", from))
 *         .let("receiver", select("balance").from("shop.accounts").where("id", to))
 *         .returning("sender.balance", "receiver.balance")
 *         .when(Expr.of("sender.balance").isAtLeast(amount).and(Condition.exists("receiver")))
 *         .then(
 *                 update("shop.accounts").subtract("balance", amount).where("id", from),
 *                 update("shop.accounts").add("balance", amount).where("id", to))
 *         .build();
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class TransactionBuilder {
    private final List<Piece> steps = new ArrayList<>();

    /** An IF that may yet get an ELSE. */
    private @Nullable Piece choice;

    TransactionBuilder() {}

    /** Binds a row, as it is at that point, to a name. */
    public TransactionBuilder let(String row, RowQuery query) {
        return step(Piece.text("LET " + Piece.name(row, "a row") + " = (")
                .and(query.piece())
                .and(");"));
    }

    /** What the transaction answers: one row of these columns of bound rows, {@code row.column} each. */
    public TransactionBuilder returning(String... paths) {
        return returning(Arrays.stream(paths).map(Expr::of).toArray(Expr[]::new));
    }

    /** What the transaction answers: one row of these values. */
    public TransactionBuilder returning(Expr... values) {
        List<Piece> pieces = Arrays.stream(values).map(Expr::pieceOf).toList();
        return step(Piece.text("SELECT ").and(Piece.joined(pieces, ", ")).and(";"));
    }

    /** What the transaction answers: this row, if it is there at that point. */
    public TransactionBuilder returning(RowQuery query) {
        return step(query.piece().and(";"));
    }

    /** Changes that are made in any case. */
    public TransactionBuilder change(Change... changes) {
        for (Change each : changes) {
            step(each.piece().and(";"));
        }
        return this;
    }

    /** To be followed by {@link Choice#then}. */
    public Choice when(Condition condition) {
        return new Choice(this, condition);
    }

    /** What is done where the condition of the {@link Choice#then} just before does not hold. */
    public TransactionBuilder otherwise(Change... changes) {
        Piece open = choice;
        if (open == null) {
            throw new IllegalStateException("otherwise(…) follows when(…).then(…)");
        }
        choice = null;
        steps.add(open.and(" ELSE ").and(all(changes)).and("END IF"));
        return this;
    }

    /** @throws IllegalStateException if it has no step */
    public TransactionStatement build() {
        end();
        if (steps.isEmpty()) {
            throw new IllegalStateException("an empty transaction: add what it shall read or change");
        }
        return TransactionStatement.of(
                Piece.text("BEGIN TRANSACTION ").and(Piece.joined(steps, " ")).and(" COMMIT TRANSACTION"));
    }

    private TransactionBuilder step(Piece piece) {
        end();
        steps.add(piece);
        return this;
    }

    private void end() {
        Piece open = choice;
        if (open != null) {
            choice = null;
            steps.add(open.and(" END IF"));
        }
    }

    private static Piece all(Change... changes) {
        Piece all = Piece.text("");
        for (Change change : changes) {
            all = all.and(change.piece()).and("; ");
        }
        return all;
    }

    /** A condition that waits for what shall be done where it holds. */
    public static final class Choice {
        private final TransactionBuilder builder;
        private final Condition condition;

        private Choice(TransactionBuilder builder, Condition condition) {
            this.builder = builder;
            this.condition = condition;
        }

        public TransactionBuilder then(Change... changes) {
            builder.end();
            builder.choice =
                    Piece.text("IF ").and(condition.piece()).and(" THEN ").and(all(changes));
            return builder;
        }
    }
}
