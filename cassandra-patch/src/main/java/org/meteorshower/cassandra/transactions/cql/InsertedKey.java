/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Which row an INSERT means.
 *
 * @param text the statement for Cassandra: the values of its key, and null for what it need not know
 * @param where its clustering columns, where one is computed from rows; null where Cassandra knows them all
 */
record InsertedKey(Fragment text, @Nullable ComputedWhere where) {
    static InsertedKey of(Script.Insert insert, TableMetadata table, ValueCompiler values) {
        Map<ColumnMetadata, Script.Syntax> clustering = new LinkedHashMap<>();
        boolean computed = false;
        for (int i = 0; i < insert.columns().size(); i++) {
            ColumnMetadata column = column(insert, i, table);
            Script.Syntax value = insert.values().get(i);
            if (column != null && column.isClusteringColumn()) {
                clustering.put(column, value);
                computed |= !(value instanceof Script.Leaf);
            } else if (column != null && column.isPartitionKey() && !(value instanceof Script.Leaf)) {
                throw ComputedWhere.partitionUnknown(column.name);
            }
        }
        Fragment text = text(insert, table, !computed);
        return new InsertedKey(text, computed ? where(table, text, clustering, values) : null);
    }

    private static Fragment text(Script.Insert insert, TableMetadata table, boolean withClustering) {
        Fragment text = insert.key();
        for (int i = 0; i < insert.columns().size(); i++) {
            ColumnMetadata column = column(insert, i, table);
            boolean told =
                    column != null && (column.isPartitionKey() || (withClustering && column.isClusteringColumn()));
            Fragment term = told ? ((Script.Leaf) insert.values().get(i)).term() : Fragment.of("null");
            text = text.and(i == 0 ? term : Fragment.of(",").and(term));
        }
        return text.and(")");
    }

    private static ComputedWhere where(
            TableMetadata table, Fragment text, Map<ColumnMetadata, Script.Syntax> clustering, ValueCompiler values) {
        List<Compiled.Value> key = new ArrayList<>();
        for (ColumnMetadata column : table.clusteringColumns()) {
            Script.Syntax value = clustering.get(column);
            if (value == null) {
                throw Errors.invalid("an INSERT whose key is computed names all clustering columns of " + table + ": "
                        + column.name + " is missing");
            }
            key.add(values.compile(value, column.type.unwrap(), column.name.toString()));
        }
        return ComputedWhere.ofValues(table, text, key);
    }

    private static @Nullable ColumnMetadata column(Script.Insert insert, int place, TableMetadata table) {
        return table.getColumn(new ColumnIdentifier(insert.columns().get(place), true));
    }
}
