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

    /**
     * Of numbers of one kind; {@link Value#NOTHING} counts as nothing: the result is nothing. An overflow of {@link Value.Whole}
     * fails the transaction; typed numbers behave as Cassandra's, whose integers wrap around. PLUS joins texts.
     */
    record Arithmetic(Operation operation, Expression left, Expression right) implements Expression {
        /** Which. */
        public enum Operation {
            PLUS,
            MINUS,
            TIMES,
            DIVIDE,
            REMAINDER
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

    record IsNothing(Expression part) implements Expression {}

    /** One of two; only that one is computed. */
    record Choice(Expression condition, Expression then, Expression otherwise) implements Expression {}

    /** A number as one of another kind that {@linkplain Kind#holds holds} it. */
    record Converted(Kind kind, Expression part) implements Expression {}

    /** Two lists, sets or maps, or one without the other; one without members is nothing. */
    record Combined(How how, Expression left, Expression right) implements Expression {
        /** Which. */
        public enum How {
            JOIN,
            REMOVE
        }
    }

    /** A list's item by its place, a map's value by its key, a set's member if it is there; else nothing. */
    record Element(Expression of, Expression key) implements Expression {}

    /** A list or map with one value in a place changed; nothing takes it away. A list must have that place. */
    record Replaced(Expression in, Expression key, Expression value) implements Expression {}

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
        return laterParts();
    }

    private List<Expression> laterParts() {
        if (this instanceof IsNothing test) {
            return List.of(test.part());
        } else if (this instanceof Choice choice) {
            return List.of(choice.condition(), choice.then(), choice.otherwise());
        } else if (this instanceof Converted converted) {
            return List.of(converted.part());
        } else if (this instanceof Combined combined) {
            return List.of(combined.left(), combined.right());
        } else if (this instanceof Element element) {
            return List.of(element.of(), element.key());
        } else if (this instanceof Replaced replaced) {
            return List.of(replaced.in(), replaced.key(), replaced.value());
        }
        return List.of();
    }
}
