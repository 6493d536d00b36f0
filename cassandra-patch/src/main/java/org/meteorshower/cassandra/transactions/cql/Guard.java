/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Expression;

/** What a single write asks of its row before it is done: {@code IF NOT EXISTS}, {@code IF v = 1}. Immutable. */
final class Guard {
    private final RowNames names;
    private final @Nullable Boolean exists;
    private final Compiled.@Nullable Value condition;
    private final List<ColumnMetadata> columns = new ArrayList<>();

    /** @param condition null where it asks for the row alone */
    Guard(RowNames names, Script.Guarded guarded, Compiled.@Nullable Value condition) {
        this.names = names;
        this.exists = guarded.exists();
        this.condition = condition;
        if (guarded.condition() != null) {
            Set<String> asked = new TreeSet<>();
            addColumns(guarded.condition(), asked);
            asked.forEach(column -> columns.add(table().getExistingColumn(new ColumnIdentifier(column, true))));
        }
    }

    TableMetadata table() {
        return names.table();
    }

    /** What it asks about: the row, the static columns of its partition, or both. */
    List<Place> asked(Binding binding) {
        Place row = names.place(binding);
        List<Place> asked = new ArrayList<>();
        if (isOfRow() || columns.stream().anyMatch(column -> !column.isStatic())) {
            asked.add(row);
        }
        if (columns.stream().anyMatch(ColumnMetadata::isStatic)) {
            asked.add(new Place(table(), row.partitionKey(), Clustering.STATIC_CLUSTERING));
        }
        return asked;
    }

    Expression holds(Binding binding) {
        Place row = names.place(binding);
        if (condition != null) {
            return condition.bind(binding, row);
        }
        Expression there = new Expression.Exists(row.key());
        return Boolean.TRUE.equals(exists) ? there : new Expression.Not(there);
    }

    /** The columns that it asks for. */
    List<ColumnMetadata> columns() {
        return columns;
    }

    /** Whether it asks if the row is there, and not for columns. */
    boolean isOfRow() {
        return exists != null;
    }

    boolean isOfAbsentRow() {
        return Boolean.FALSE.equals(exists);
    }

    private static void addColumns(Script.Condition condition, Set<String> columns) {
        if (condition instanceof Script.All all) {
            all.parts().forEach(part -> addColumns(part, columns));
        } else if (condition instanceof Script.Any any) {
            any.parts().forEach(part -> addColumns(part, columns));
        } else if (condition instanceof Script.Compared compared) {
            addColumns(compared.left(), columns);
        } else if (condition instanceof Script.In in) {
            addColumns(in.value(), columns);
        } else if (condition instanceof Script.InMarker in) {
            addColumns(in.value(), columns);
        } else if (condition instanceof Script.IsNull test) {
            addColumns(test.value(), columns);
        }
    }

    private static void addColumns(Script.Syntax value, Set<String> columns) {
        if (value instanceof Script.Own own) {
            columns.add(own.column());
        }
    }
}
