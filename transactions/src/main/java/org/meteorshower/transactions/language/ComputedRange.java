/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Range} whose bounds follow from rows that are read earlier.
 *
 * @param from the first, in the order of the columns, whichever way it is read
 * @param to the last
 * @param backward whether it is read from the last to the first
 * @param most as many are taken; {@link Range#ALL} for all
 */
public record ComputedRange(Partition partition, RowOrder order, Edge from, Edge to, boolean backward, int most)
        implements Span {

    public ComputedRange {
        Range.requireFew(most);
        order.requireFew(from.values.size());
        order.requireFew(to.values.size());
    }

    /**
     * Where it begins or ends.
     *
     * @param values of the first columns, as many as there are; none leaves it open
     * @param included whether rows that have these values are in it
     */
    public record Edge(List<Expression> values, boolean included) {
        public static final Edge OPEN = new Edge(List.of(), true);

        public Edge {
            values = List.copyOf(values);
        }
    }

    @Override
    public ComputedRange many() {
        return new ComputedRange(partition, order, from, to, backward, Range.MANY);
    }

    @Override
    public ComputedRange all() {
        return new ComputedRange(partition, order, from, to, backward, Range.ALL);
    }

    @Override
    public boolean isRow() {
        return from.equals(to) && from.included && order.isWhole(from.values.size());
    }

    @Override
    public void addRows(Set<RowKey> rows) {
        from.values.forEach(value -> value.addRows(rows));
        to.values.forEach(value -> value.addRows(rows));
    }

    /**
     * With its values. Null where one of them is nothing: no row compares with that.
     *
     * @throws UnsatisfiedException if one is no value of its column
     */
    @Nullable
    Range range(Function<Expression, Value> valueOf) {
        Range.Edge first = edge(from, valueOf);
        Range.Edge last = edge(to, valueOf);
        return first == null || last == null ? null : new Range(partition, order, first, last, backward, most);
    }

    private Range.@Nullable Edge edge(Edge edge, Function<Expression, Value> valueOf) {
        List<Value.Typed> values = new ArrayList<>(edge.values.size());
        for (Expression each : edge.values) {
            Value value = valueOf.apply(each);
            if (value.equals(Value.NOTHING)) {
                return null;
            }
            values.add(order.value(values.size(), value));
        }
        return new Range.Edge(values, edge.included);
    }

    @Override
    public int weight() {
        return Weight.OBJECT * 4
                + partition.weight()
                + order.weight()
                + Weight.ofParts(from.values)
                + Weight.ofParts(to.values);
    }
}
