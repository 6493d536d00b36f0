/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Value;

/** A SELECT of rows: the transaction returns what they hold, and Cassandra makes its result of that. Thread-safe. */
final class SelectedRows implements Result, Compiled.Step {
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
        ReturnedRows rows = new ReturnedRows();
        int next = 0;
        for (Place place : names.places(binding)) {
            boolean exists = values.get(next++).equals(Value.TRUE);
            if (exists && !place.isStatic()) {
                rows.exists(place.key());
            }
            for (ColumnMetadata column : columns) {
                rows.put(place.keyFor(column), column, values.get(next++));
            }
        }
        return rows.selected(select, text, binding);
    }
}
