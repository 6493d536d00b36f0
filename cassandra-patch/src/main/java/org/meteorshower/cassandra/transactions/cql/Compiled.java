/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.List;
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
        Expression bind(Binding binding, @Nullable Place own);
    }

    /** A statement. */
    @FunctionalInterface
    interface Step {
        void addTo(Binding binding, List<Statement> body);
    }

    /** What happens to a column of a row. */
    @FunctionalInterface
    interface Change {
        void addTo(Binding binding, Place row, List<Statement> body);
    }
}
