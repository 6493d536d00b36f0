/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A row of a partition, named by values that follow from rows which are read earlier.
 *
 * @param values of all columns that it is ordered by
 */
public record ComputedRow(Partition partition, RowOrder order, List<Expression> values) {
    public ComputedRow {
        values = List.copyOf(values);
        if (!order.isWhole(values.size())) {
            throw new IllegalArgumentException(values.size() + " values do not name a row among those ordered by "
                    + order.columns().size() + " columns");
        }
    }

    void addRows(Set<RowKey> rows) {
        values.forEach(value -> value.addRows(rows));
    }

    /** @throws UnsatisfiedException if a value is nothing, or none of its column */
    RowKey key(Function<Expression, Value> valueOf) {
        List<Value.Typed> key = new ArrayList<>(values.size());
        for (Expression each : values) {
            Value value = valueOf.apply(each);
            if (value.equals(Value.NOTHING)) {
                throw Expressions.error("a row's key was computed, and is null: ask before whether what it is computed"
                        + " from is there");
            }
            key.add(order.value(key.size(), value));
        }
        return order.key(partition, key);
    }

    int weight() {
        return Weight.OBJECT + partition.weight() + order.weight() + Weight.ofParts(values);
    }
}
