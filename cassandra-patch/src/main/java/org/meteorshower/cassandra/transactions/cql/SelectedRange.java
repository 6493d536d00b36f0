/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.service.pager.PagingState;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.meteorshower.cassandra.transactions.ValueForm;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Value;

/**
 * A SELECT of a range of rows: the transaction returns those that it finds, and Cassandra makes its result of them.
 * Thread-safe.
 */
final class SelectedRange implements Result, Compiled.Step {
    /** No name that a client can give: those have no dots. */
    private static final String FOUND = ".";

    private final SelectStatement select;
    private final Fragment text;
    private final RowRange range;
    private final List<ColumnMetadata> columns = new ArrayList<>();
    private final List<ColumnMetadata> staticColumns = new ArrayList<>();

    SelectedRange(SelectStatement select, Fragment text, RowRange range) {
        this.select = select;
        this.text = text;
        this.range = range;
        for (ColumnMetadata column : select.getSelection().getColumns()) {
            if (column.isStatic()) {
                staticColumns.add(column);
            } else if (!column.isPrimaryKeyColumn()) {
                columns.add(column);
            }
        }
    }

    @Override
    public void addTo(Binding binding, List<Statement> body) {
        for (RowRange.Part part : range.parts(binding)) {
            List<String> names =
                    columns.stream().map(column -> column.name.toString()).toList();
            body.add(new Statement.Find(FOUND, part.range(), names));
            body.add(new Statement.Return(new Expression.Variable(FOUND)));
            for (ColumnMetadata column : staticColumns) {
                body.add(new Statement.Return(part.partition().valueOf(column)));
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
        PagingState next = null;
        for (RowRange.Part part : range.parts(binding)) {
            List<Value> found = values.get(0) instanceof Value.Items items ? items.values() : List.of();
            if (found.isEmpty() && (range.isComputed() || part.page().behind() != null)) {
                continue; // Cassandra gives static columns without a row where nothing is said of rows alone
            }
            Place last = part.partition();
            for (Value row : found) {
                last = add((Value.Items) row, part.partition(), rows);
            }
            for (int i = 0; i < staticColumns.size(); i++) {
                rows.put(part.partition().key(), staticColumns.get(i), values.get(i + 1));
            }
            next = part.page().next(found.size(), last, binding.options().getProtocolVersion());
        }
        ResultMessage.Rows answer = rows.selected(select, text, binding);
        if (next != null) {
            answer.result.metadata.setHasMorePages(next);
        }
        return answer;
    }

    /**
     * @param row what it is ordered by, then its columns
     * @return where it is
     */
    private Place add(Value.Items row, Place partition, ReturnedRows to) {
        ByteBuffer[] clustering =
                new ByteBuffer[select.table.clusteringColumns().size()];
        for (int i = 0; i < clustering.length; i++) {
            ColumnMetadata column = select.table.clusteringColumns().get(i);
            clustering[i] = Objects.requireNonNull(
                    ValueForm.toBytes(column.type, row.values().get(i)));
        }
        Place place = new Place(select.table, partition.partitionKey(), Clustering.make(clustering));
        RowKey key = place.key();
        to.exists(key);
        for (int i = 0; i < columns.size(); i++) {
            to.put(key, columns.get(i), row.values().get(clustering.length + i));
        }
        return place;
    }
}
