/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.ArrayList;
import java.util.List;

/** Makes one value of those of several rows. Stateless. */
final class Folding {
    private Folding() {}

    /** @param found what a {@link Statement.Find} has bound */
    static Value of(Expression.Folded folded, Value found) {
        List<Value> rows = found.equals(Value.NOTHING) ? List.of() : items(found);
        if (folded.how() == Expression.Folded.Fold.ROWS) {
            return Numbers.bigint(rows.size());
        }
        List<Value> values = new ArrayList<>();
        for (Value row : rows) {
            List<Value> its = items(row);
            if (folded.place() >= its.size()) {
                throw Expressions.error(row + " has no value at " + folded.place());
            } else if (!isNothing(its.get(folded.place()))) {
                values.add(its.get(folded.place()));
            }
        }
        return of(folded.how(), values);
    }

    /** An empty number, which Cassandra allows, is nothing. */
    private static boolean isNothing(Value value) {
        return value.equals(Value.NOTHING)
                || (value instanceof Value.Typed typed
                        && typed.kind().isNumber()
                        && typed.bytes().size() == 0);
    }

    private static Value of(Expression.Folded.Fold how, List<Value> values) {
        if (how == Expression.Folded.Fold.VALUES) {
            return Numbers.bigint(values.size());
        }
        Value folded = Value.NOTHING;
        for (Value each : values) {
            folded = folded.equals(Value.NOTHING) ? each : both(how, folded, each);
        }
        return folded;
    }

    private static Value both(Expression.Folded.Fold how, Value one, Value other) {
        if (how == Expression.Folded.Fold.SUM) {
            if (one instanceof Value.Typed a && other instanceof Value.Typed b) {
                return Numbers.computed(Expression.Arithmetic.Operation.PLUS, a, b);
            }
            throw Expressions.error(one + " and " + other + " cannot be added up");
        }
        int order = Order.of(one, other);
        return (how == Expression.Folded.Fold.LEAST ? order <= 0 : order >= 0) ? one : other;
    }

    private static List<Value> items(Value list) {
        if (list instanceof Value.Items items) {
            return items.values();
        }
        throw Expressions.error(list + " is no list of rows");
    }
}
