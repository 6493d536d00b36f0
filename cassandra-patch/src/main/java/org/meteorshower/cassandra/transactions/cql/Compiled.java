/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.List;
import org.apache.cassandra.schema.ColumnMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Statement;

/** Pieces of a plan that wait for their values. Immutable. */
final class Compiled {
    private Compiled() {}

    /** A value or a condition. */
    @FunctionalInterface
    interface Value {
        /** @param own the row that is being updated; null where none is */
        Expression bind(Binding binding, @Nullable Subject own);
    }

    /** A statement. */
    @FunctionalInterface
    interface Step {
        void addTo(Binding binding, List<Statement> body);
    }

    /** A row that a statement changes, or asks about. */
    @FunctionalInterface
    interface Subject {
        /** What its column holds at that point. */
        Expression valueOf(ColumnMetadata column);
    }

    /** Takes what the columns of a row are set to, in their order. */
    @FunctionalInterface
    interface Setter {
        void set(String column, Expression value, boolean isStatic);

        default void set(ColumnMetadata column, Expression value) {
            set(column.name.toString(), value, column.isStatic());
        }
    }

    /** What happens to a column of a row. */
    @FunctionalInterface
    interface Change {
        void addTo(Binding binding, Subject row, Setter to);
    }
}
