/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.meteorshower.cassandra.read.GivenRows;
import org.meteorshower.cassandra.read.RowsAsked;
import org.meteorshower.cassandra.transactions.RowForm;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Value;

/** What a transaction has returned of rows, from which Cassandra makes its result. Used by one thread. */
final class ReturnedRows {
    /** Rows are made up for Cassandra's selection, and nobody sees this. */
    private static final long ANY_MICROS = 1;

    private final Map<RowKey, Row> rows = new LinkedHashMap<>();

    /** The row is there, whether any of its columns has a value or not. */
    void exists(RowKey key) {
        put(key, RowForm.MARKER, Value.TRUE);
    }

    void put(RowKey key, ColumnMetadata column, Value value) {
        put(key, column.name.toString(), value);
    }

    private void put(RowKey key, String column, Value value) {
        rows.put(key, rows.getOrDefault(key, Row.ABSENT).with(column, value));
    }

    ResultMessage.Rows selected(SelectStatement select, Fragment text, Binding binding) {
        Map<DecoratedKey, List<PartitionUpdate>> updates = new LinkedHashMap<>();
        rows.forEach((key, row) -> {
            if (row.exists()) {
                PartitionUpdate update = RowForm.toUpdate(select.table, key, row, ANY_MICROS);
                updates.computeIfAbsent(update.partitionKey(), added -> new ArrayList<>())
                        .add(update);
            }
        });
        Map<DecoratedKey, PartitionUpdate> partitions = new LinkedHashMap<>();
        updates.forEach((key, each) -> partitions.put(key, PartitionUpdate.merge(each)));
        ClientState client = binding.client();
        boolean unmask = !select.table.hasMaskedColumns() || client.hasTablePermission(select.table, Permission.UNMASK);
        return GivenRows.select(new RowsAsked(select, binding.of(text), client, unmask), partitions);
    }
}
