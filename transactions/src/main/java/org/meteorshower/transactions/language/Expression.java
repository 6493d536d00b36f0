/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.List;
import java.util.Set;

/**
 * Something with a value. Time and chance are no expressions: who submits a transaction puts them in as constants, so that
 * every data centre computes the same.
 */
public sealed interface Expression {
    record Constant(Value value) implements Expression {}

    /** A column of a row, as the transaction has left it so far. */
    record Column(RowKey row, String column) implements Expression {}

    record Exists(RowKey row) implements Expression {}

    /** What {@link Statement.Let} has bound. */
    record Variable(String name) implements Expression {}

    /** Of whole numbers; {@link Value#NOTHING} counts as nothing: the result is nothing. An overflow fails the transaction. */
    record Arithmetic(Operation operation, Expression left, Expression right) implements Expression {
        /** Which. */
        public enum Operation {
            PLUS,
            MINUS,
            TIMES
        }
    }

    /** A comparison with nothing is false, but for EQUAL and NOT_EQUAL. */
    record Comparison(Relation relation, Expression left, Expression right) implements Expression {
        /** Which. */
        public enum Relation {
            EQUAL,
            NOT_EQUAL,
            LESS,
            LESS_OR_EQUAL,
            GREATER,
            GREATER_OR_EQUAL
        }
    }

    record And(List<Expression> parts) implements Expression {
        public And {
            parts = List.copyOf(parts);
        }
    }

    record Or(List<Expression> parts) implements Expression {
        public Or {
            parts = List.copyOf(parts);
        }
    }

    record Not(Expression part) implements Expression {}

    record In(Expression item, List<Expression> choices) implements Expression {
        public In {
            choices = List.copyOf(choices);
        }
    }

    /** A list with one more item; nothing counts as the empty list. */
    record Appended(Expression list, Expression item) implements Expression {}

    /** Adds the rows that this expression reads. */
    default void addRows(Set<RowKey> rows) {
        if (this instanceof Column column) {
            rows.add(column.row());
        } else if (this instanceof Exists exists) {
            rows.add(exists.row());
        } else {
            parts().forEach(part -> part.addRows(rows));
        }
    }

    /** The expressions within this one. */
    default List<Expression> parts() {
        if (this instanceof Arithmetic arithmetic) {
            return List.of(arithmetic.left(), arithmetic.right());
        } else if (this instanceof Comparison comparison) {
            return List.of(comparison.left(), comparison.right());
        } else if (this instanceof And and) {
            return and.parts();
        } else if (this instanceof Or or) {
            return or.parts();
        } else if (this instanceof Not not) {
            return List.of(not.part());
        } else if (this instanceof Appended appended) {
            return List.of(appended.list(), appended.item());
        } else if (this instanceof In in) {
            return java.util.stream.Stream.concat(java.util.stream.Stream.of(in.item()), in.choices().stream())
                    .toList();
        }
        return List.of();
    }
}
