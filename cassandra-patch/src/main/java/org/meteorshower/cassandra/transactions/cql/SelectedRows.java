/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.meteorshower.cassandra.read.GivenRows;
import org.meteorshower.cassandra.read.RowsAsked;
import org.meteorshower.cassandra.transactions.RowForm;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Value;

/** A SELECT of rows: the transaction returns what they hold, and Cassandra makes its result of that. Thread-safe. */
final class SelectedRows implements Result, Compiled.Step {
    /** Rows are made up for Cassandra's selection, and nobody sees this. */
    private static final long ANY_MICROS = 1;

    private final SelectStatement select;
    private final Fragment text;
    private final RowNames names;
    private final List<ColumnMetadata> columns = new ArrayList<>();

    SelectedRows(SelectStatement select, Fragment text, RowNames names) {
        this.select = select;
        this.text = text;
        this.names = names;
        for (ColumnMetadata column : select.getSelection().getColumns()) {
            if (!column.isPrimaryKeyColumn()) {
                columns.add(column);
            }
        }
    }

    @Override
    public void addTo(Binding binding, List<Statement> body) {
        for (Place place : names.places(binding)) {
            body.add(new Statement.Return(new Expression.Exists(place.key())));
            for (ColumnMetadata column : columns) {
                body.add(new Statement.Return(place.valueOf(column)));
            }
        }
    }

    @Override
    public ResultSet.ResultMetadata shape() {
        return select.getResultMetadata();
    }

    @Override
    public ResultMessage of(List<Value> values, Binding binding) {
        Map<RowKey, Row> rows = new LinkedHashMap<>();
        int next = 0;
        for (Place place : names.places(binding)) {
            boolean exists = values.get(next++).equals(Value.TRUE);
            if (exists && !place.isStatic()) {
                rows.merge(place.key(), Row.ABSENT.with(RowForm.MARKER, Value.TRUE), SelectedRows::both);
            }
            for (ColumnMetadata column : columns) {
                RowKey key = place.keyFor(column);
                rows.merge(key, Row.ABSENT.with(column.name.toString(), values.get(next++)), SelectedRows::both);
            }
        }
        Map<DecoratedKey, PartitionUpdate> partitions = new LinkedHashMap<>();
        rows.forEach((key, row) -> {
            if (row.exists()) {
                PartitionUpdate update = RowForm.toUpdate(select.table, key, row, ANY_MICROS);
                partitions.merge(
                        update.partitionKey(), update, (one, other) -> PartitionUpdate.merge(List.of(one, other)));
            }
        });
        ClientState client = binding.client();
        boolean unmask = !select.table.hasMaskedColumns() || client.hasTablePermission(select.table, Permission.UNMASK);
        return GivenRows.select(new RowsAsked(select, binding.of(text), client, unmask), partitions);
    }

    private static Row both(Row one, Row other) {
        Row both = one;
        for (Map.Entry<String, Value> column : other.columns().entrySet()) {
            both = both.with(column.getKey(), column.getValue());
        }
        return both;
    }
}
