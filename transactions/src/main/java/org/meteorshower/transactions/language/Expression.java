/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Something with a value. Time and chance are no expressions: who submits a transaction puts them in as constants, so
 * that every data centre computes the same.
 */
public sealed interface Expression {
    /** Calls the visitor's method for this kind. */
    <R> R accept(Visitor<R> visitor);

    /** The expressions within this one. */
    List<Expression> parts();

    /** Adds the rows that this expression reads. */
    void addRows(Set<RowKey> rows);

    /** About how many bytes it takes on the heap, see {@link Weight}. */
    int weight();

    /**
     * Makes something of each kind of expression. No method has a default: who visits expressions says what comes of a
     * new kind.
     */
    interface Visitor<R> {
        R on(Constant constant);

        R on(Column column);

        R on(Exists exists);

        R on(Variable variable);

        R on(Arithmetic arithmetic);

        R on(Comparison comparison);

        R on(And and);

        R on(Or or);

        R on(Not not);

        R on(In in);

        R on(Appended appended);

        R on(IsNothing test);

        R on(Choice choice);

        R on(Converted converted);

        R on(Combined combined);

        R on(Element element);

        R on(Replaced replaced);

        R on(Own own);

        R on(Folded folded);

        R on(Ending ending);
    }

    /** One without others in it. */
    sealed interface Leaf extends Expression {
        @Override
        default List<Expression> parts() {
            return List.of();
        }

        @Override
        default void addRows(Set<RowKey> rows) {}
    }

    /** One that is made of others, and of nothing else that counts. */
    sealed interface Compound extends Expression {
        @Override
        default void addRows(Set<RowKey> rows) {
            parts().forEach(part -> part.addRows(rows));
        }

        @Override
        default int weight() {
            return Weight.ofParts(parts());
        }
    }

    /** One that is made of another one. */
    sealed interface Single extends Compound {
        Expression part();

        @Override
        default List<Expression> parts() {
            return List.of(part());
        }
    }

    record Constant(Value value) implements Leaf {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public int weight() {
            return Weight.OBJECT + Weight.of(value);
        }
    }

    /** A column of a row, as the transaction has left it so far. */
    record Column(RowKey row, String column) implements Leaf {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public void addRows(Set<RowKey> rows) {
            rows.add(row);
        }

        @Override
        public int weight() {
            return Weight.OBJECT + Weight.of(row) + Weight.of(column);
        }
    }

    record Exists(RowKey row) implements Leaf {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public void addRows(Set<RowKey> rows) {
            rows.add(row);
        }

        @Override
        public int weight() {
            return Weight.OBJECT + Weight.of(row);
        }
    }

    /** What {@link Statement.Let} has bound. */
    record Variable(String name) implements Leaf {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public int weight() {
            return Weight.OBJECT + Weight.of(name);
        }
    }

    /**
     * Of numbers of one kind; {@link Value#NOTHING} counts as nothing: the result is nothing. An overflow of
     * {@link Value.Whole} fails the transaction; typed numbers behave as Cassandra's, whose integers wrap around. PLUS
     * joins texts.
     */
    record Arithmetic(Operation operation, Expression left, Expression right) implements Compound {
        /** Which. */
        public enum Operation {
            PLUS,
            MINUS,
            TIMES,
            DIVIDE,
            REMAINDER
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public List<Expression> parts() {
            return List.of(left, right);
        }
    }

    /** A comparison with nothing is false, but for EQUAL and NOT_EQUAL. */
    record Comparison(Relation relation, Expression left, Expression right) implements Compound {
        /** Which. */
        public enum Relation {
            EQUAL,
            NOT_EQUAL,
            LESS,
            LESS_OR_EQUAL,
            GREATER,
            GREATER_OR_EQUAL
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public List<Expression> parts() {
            return List.of(left, right);
        }
    }

    record And(List<Expression> parts) implements Compound {
        public And {
            parts = List.copyOf(parts);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }
    }

    record Or(List<Expression> parts) implements Compound {
        public Or {
            parts = List.copyOf(parts);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }
    }

    record Not(Expression part) implements Single {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }
    }

    record In(Expression item, List<Expression> choices) implements Compound {
        public In {
            choices = List.copyOf(choices);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public List<Expression> parts() {
            return Stream.concat(Stream.of(item), choices.stream()).toList();
        }
    }

    /** A list with one more item; nothing counts as the empty list. */
    record Appended(Expression list, Expression item) implements Compound {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public List<Expression> parts() {
            return List.of(list, item);
        }
    }

    record IsNothing(Expression part) implements Single {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }
    }

    /** One of two; only that one is computed. */
    record Choice(Expression condition, Expression then, Expression otherwise) implements Compound {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public List<Expression> parts() {
            return List.of(condition, then, otherwise);
        }
    }

    /** A number as one of another kind that {@linkplain Kind#holds holds} it. */
    record Converted(Kind kind, Expression part) implements Single {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }
    }

    /** Two lists, sets or maps, or one without the other; one without members is nothing. */
    record Combined(How how, Expression left, Expression right) implements Compound {
        /** Which. */
        public enum How {
            JOIN,
            REMOVE
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public List<Expression> parts() {
            return List.of(left, right);
        }
    }

    /** A list's item by its place, a map's value by its key, a set's member if it is there; else nothing. */
    record Element(Expression of, Expression key) implements Compound {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public List<Expression> parts() {
            return List.of(of, key);
        }
    }

    /** A list or map with one value in a place changed; nothing takes it away. A list must have that place. */
    record Replaced(Expression in, Expression key, Expression value) implements Compound {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public List<Expression> parts() {
            return List.of(in, key, value);
        }
    }

    /** A column of the row that a {@link Statement.Change} is changing, as it is at that point. */
    record Own(String column) implements Leaf {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public int weight() {
            return Weight.OBJECT + Weight.of(column);
        }
    }

    /** A value that a column holds until then; nothing stays nothing. Of what is put into columns, and not within. */
    record Ending(Expression part, long untilMillis) implements Single {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }
    }

    /**
     * One value of the rows that a {@link Statement.Find} has found. Nothing does not count; where there is nothing
     * else a sum, a least and a greatest are nothing.
     *
     * @param place of what is taken of each row; of {@link Fold#ROWS} it does not matter
     */
    record Folded(Fold how, int place, Expression rows) implements Compound {
        /** What is made of the values. */
        public enum Fold {
            /** How many rows there are, a {@link Kind#BIGINT}. */
            ROWS,
            /** How many values there are, a {@link Kind#BIGINT}. */
            VALUES,
            SUM,
            LEAST,
            GREATEST
        }

        @Override
        public List<Expression> parts() {
            return List.of(rows);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }
    }
}
