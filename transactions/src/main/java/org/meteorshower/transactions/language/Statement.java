/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.List;
import java.util.Set;

/** A step of a transaction's body. Steps see what earlier steps have written. */
public sealed interface Statement {
    /** Binds a value to a name. */
    record Let(String name, Expression value) implements Statement {}

    /** Sets a column; {@link Value#NOTHING} takes it away. */
    record Put(RowKey row, String column, Expression value) implements Statement {}

    record Delete(RowKey row) implements Statement {}

    record If(Expression condition, List<Statement> then, List<Statement> otherwise) implements Statement {
        public If {
            then = List.copyOf(then);
            otherwise = List.copyOf(otherwise);
        }
    }

    /** Where it does not hold, nothing of the transaction happens. */
    record Require(Expression condition) implements Statement {}

    /** Adds a value to the transaction's answer. */
    record Return(Expression value) implements Statement {}

    /** Adds the rows that this statement reads or writes, in any branch. */
    default void addRows(Set<RowKey> rows) {
        if (this instanceof Let let) {
            let.value().addRows(rows);
        } else if (this instanceof Put put) {
            rows.add(put.row());
            put.value().addRows(rows);
        } else if (this instanceof Delete delete) {
            rows.add(delete.row());
        } else if (this instanceof If choice) {
            choice.condition().addRows(rows);
            choice.then().forEach(statement -> statement.addRows(rows));
            choice.otherwise().forEach(statement -> statement.addRows(rows));
        } else if (this instanceof Require require) {
            require.condition().addRows(rows);
        } else if (this instanceof Return answer) {
            answer.value().addRows(rows);
        }
    }

    /** Whether it can write, in any branch. */
    default boolean writes() {
        return this instanceof Put
                || this instanceof Delete
                || (this instanceof If choice
                        && (choice.then().stream().anyMatch(Statement::writes)
                                || choice.otherwise().stream().anyMatch(Statement::writes)));
    }
}
