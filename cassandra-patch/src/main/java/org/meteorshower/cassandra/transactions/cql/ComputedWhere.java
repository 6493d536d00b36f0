/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.RangeForm;
import org.meteorshower.transactions.language.ComputedRange;
import org.meteorshower.transactions.language.ComputedRow;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.RowOrder;

/**
 * A WHERE whose clustering columns follow from rows that LETs have bound. Of the rest Cassandra makes what it makes of
 * any WHERE: the partition is known before the transaction runs. Immutable.
 */
final class ComputedWhere {
    private final TableMetadata table;
    private final RowOrder order;
    private final Fragment text;
    private final List<Compiled.Value> equal;
    private final @Nullable Bound from;
    private final @Nullable Bound to;

    private record Bound(Compiled.Value value, boolean included) {}

    private ComputedWhere(
            TableMetadata table,
            RowOrder order,
            Fragment text,
            List<Compiled.Value> equal,
            @Nullable Bound from,
            @Nullable Bound to) {
        this.table = table;
        this.order = order;
        this.text = text;
        this.equal = List.copyOf(equal);
        this.from = from;
        this.to = to;
    }

    /** Of a statement that reads or deletes some rows of a partition. */
    static ComputedWhere ofRange(Script.Address address, TableMetadata table, ValueCompiler values) {
        return new Reading(address, table, values).where(false);
    }

    /** Of a statement that changes columns of one row. */
    static ComputedWhere ofRow(Script.Address address, TableMetadata table, ValueCompiler values) {
        ComputedWhere where = new Reading(address, table, values).where(true);
        if (!where.isRow()) {
            throw Errors.invalid("columns are changed in rows that are named by their whole primary key, with = where a"
                    + " part of it is computed: " + address.text() + " ...");
        }
        return where;
    }

    /** Of an INSERT: a value for each clustering column. */
    static ComputedWhere ofValues(TableMetadata table, Fragment text, List<Compiled.Value> values) {
        return new ComputedWhere(table, orderOf(table), text, values, null, null);
    }

    /** Takes a WHERE apart. */
    private static final class Reading {
        private final Script.Address address;
        private final TableMetadata table;
        private final ValueCompiler values;
        private final Map<ColumnMetadata, List<Script.Relation>> ours = new LinkedHashMap<>();
        private final List<Compiled.Value> equal = new ArrayList<>();
        private @Nullable Bound from;
        private @Nullable Bound to;

        Reading(Script.Address address, TableMetadata table, ValueCompiler values) {
            this.address = address;
            this.table = table;
            this.values = values;
        }

        ComputedWhere where(boolean named) {
            Fragment text = text(named);
            RowOrder order = orderOf(table);
            for (ColumnMetadata column : table.clusteringColumns()) {
                List<Script.Relation> its = ours.remove(column);
                if (its == null) {
                    break;
                } else if (its.size() == 1 && its.get(0).sign().equals("=")) {
                    equal.add(compiled(column, its.get(0)));
                } else {
                    its.forEach(relation -> bound(column, relation));
                    break;
                }
            }
            if (!ours.isEmpty()) {
                throw Errors.invalid(
                        ours.keySet().iterator().next().name
                                + " is compared, and not each clustering column before it with =: rows are found by their order");
            }
            return new ComputedWhere(table, order, text, equal, from, to);
        }

        /** What Cassandra is told: nothing of what is computed, but that it is there where a row must be named. */
        private Fragment text(boolean named) {
            Fragment text = address.text();
            String before = "WHERE";
            for (Script.Relation relation : address.where()) {
                ColumnMetadata column = relation.column() == null
                        ? null
                        : table.getColumn(new ColumnIdentifier(relation.column(), true));
                Fragment part = relation.text();
                if (column != null && column.isClusteringColumn()) {
                    List<Script.Relation> its = ours.computeIfAbsent(column, added -> new ArrayList<>());
                    its.add(relation);
                    if (!named || its.size() > 1) {
                        continue;
                    }
                    part = Fragment.of(column.name.toCQLString() + " = null");
                } else if (relation.value() != null && refers(relation.value())) {
                    throw partitionUnknown(relation.text());
                }
                text = text.and(before).and(part);
                before = "AND";
            }
            return text.and(address.rest());
        }

        private void bound(ColumnMetadata column, Script.Relation relation) {
            String sign = relation.sign();
            if (sign.equals("=")) {
                throw twice(column);
            }
            Bound bound = new Bound(compiled(column, relation), sign.endsWith("="));
            if (sign.startsWith(">") != column.type.isReversed()) {
                from = once(from, bound, column);
            } else {
                to = once(to, bound, column);
            }
        }

        private static Bound once(@Nullable Bound before, Bound now, ColumnMetadata column) {
            if (before != null) {
                throw twice(column);
            }
            return now;
        }

        private static RuntimeException twice(ColumnMetadata column) {
            return Errors.invalid(column.name + " is compared more often than with one value (=), or a least and a"
                    + " greatest one");
        }

        private Compiled.Value compiled(ColumnMetadata column, Script.Relation relation) {
            return values.compile(
                    java.util.Objects.requireNonNull(relation.value()), column.type.unwrap(), column.name.toString());
        }
    }

    private static RowOrder orderOf(TableMetadata table) {
        try {
            return RangeForm.orderOf(table);
        } catch (IllegalArgumentException e) {
            throw Errors.invalid("parts of a key cannot be computed: " + e.getMessage());
        }
    }

    /** That part of a partition's key is computed. */
    static RuntimeException partitionUnknown(Object what) {
        return Errors.invalid(
                "which partition a row is of must be known before the transaction runs, for it has that to"
                        + " itself: " + what
                        + " cannot be computed from rows. Only clustering columns can. Read the key first,"
                        + " bind it, and ask in the transaction whether it still holds");
    }

    /** Whether it is computed from what only the transaction knows. */
    static boolean refers(Script.Syntax value) {
        return value instanceof Script.Arithmetic sum
                ? refers(sum.left()) || refers(sum.right())
                : !(value instanceof Script.Leaf);
    }

    /** The statement for Cassandra. */
    Fragment text() {
        return text;
    }

    /** Whether it names a row by its whole key. */
    boolean isRow() {
        return equal.size() == table.clusteringColumns().size();
    }

    /** Of this range of all rows of a partition those that it means. */
    ComputedRange within(Range whole, Binding binding) {
        List<Expression> same = bind(equal, binding);
        return new ComputedRange(
                whole.partition(),
                whole.order(),
                edge(same, from, binding),
                edge(same, to, binding),
                whole.backward(),
                whole.most());
    }

    /** The row that it names. */
    ComputedRow row(ByteBuffer partitionKey, Binding binding) {
        return new ComputedRow(RangeForm.partitionOf(table, partitionKey), order, bind(equal, binding));
    }

    private static ComputedRange.Edge edge(List<Expression> same, @Nullable Bound bound, Binding binding) {
        if (bound == null) {
            return new ComputedRange.Edge(same, true);
        }
        List<Expression> values = new ArrayList<>(same);
        values.add(bound.value.bind(binding, null));
        return new ComputedRange.Edge(values, bound.included);
    }

    private static List<Expression> bind(List<Compiled.Value> values, Binding binding) {
        return values.stream().map(value -> value.bind(binding, null)).toList();
    }
}
