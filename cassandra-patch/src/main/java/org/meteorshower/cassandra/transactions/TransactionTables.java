/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Which tables take part in transactions, as the schema says. Thread-safe; quick enough to be asked for each statement.
 */
public final class TransactionTables {
    private TransactionTables() {}

    public static boolean isTransactional(TableId table) {
        return isTransactional(Schema.instance.getTableMetadata(table));
    }

    /** The tables that take part now. Looks through the whole schema. */
    public static List<TableMetadata> all() {
        List<TableMetadata> tables = new ArrayList<>();
        for (String name : Schema.instance.getUserKeyspaces()) {
            KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(name);
            if (keyspace != null) {
                keyspace.tables.stream()
                        .filter(TransactionTables::isTransactional)
                        .forEach(tables::add);
            }
        }
        return tables;
    }

    /** The ids of those that take part and have rows in an order, as rows' keys name them. */
    public static List<String> ordered() {
        return all().stream()
                .filter(table -> table.comparator.size() > 0)
                .map(table -> table.id.toString())
                .toList();
    }

    public static boolean any() {
        return !all().isEmpty();
    }

    public static boolean isTransactional(@Nullable TableMetadata table) {
        if (table == null || !table.params.extensions.containsKey(TransactionOptions.EXTENSION)) {
            return false;
        }
        TransactionOptions options = TransactionOptions.of(table);
        return options != null && !options.ended();
    }
}
