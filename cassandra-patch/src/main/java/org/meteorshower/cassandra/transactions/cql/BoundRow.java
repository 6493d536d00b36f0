/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.cql3.selection.Selection.Selectors;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.schema.ColumnMetadata;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Statement;

/** What a LET has bound: a row as it was at that point, of which the columns are kept that are asked for. */
final class BoundRow {
    private final String name;
    private final RowNames names;
    private final SelectStatement select;
    private final Map<String, ColumnMetadata> columns;

    /** Filled while the transaction is compiled, read only afterwards. */
    private final Set<String> used = new TreeSet<>();

    BoundRow(String name, SelectStatement select, Fragment text) {
        this.name = name;
        this.select = select;
        this.names = RowNames.of(select, text);
        this.columns = columnsOf(select);
    }

    private static Map<String, ColumnMetadata> columnsOf(SelectStatement select) {
        if (!select.parameters.groups.isEmpty()
                || !select.parameters.orderings.isEmpty()
                || select.parameters.isDistinct
                || select.parameters.isJson) {
            throw Errors.invalid("LET reads one row by its key: leave out GROUP BY, ORDER BY, DISTINCT and JSON");
        }
        Selectors selectors = Statements.selectors(select);
        if (selectors.isAggregate() || selectors.hasProcessing()) {
            throw Errors.invalid(
                    "LET binds a row's columns as they are: aggregates (count, sum ...) and functions are not"
                            + " possible. Name the columns, and compute in the client or where the value is used");
        }
        ResultSet.ResultMetadata shape = select.getResultMetadata();
        Map<String, ColumnMetadata> columns = new LinkedHashMap<>();
        List<ColumnMetadata> selected = select.getSelection().getColumns();
        if (shape.names.size() != selected.size()) {
            throw Errors.invalid("LET names a column twice: once is enough");
        }
        for (int i = 0; i < selected.size(); i++) {
            columns.put(shape.names.get(i).name.toString(), selected.get(i));
        }
        return columns;
    }

    Set<String> columnNames() {
        return columns.keySet();
    }

    SelectStatement select() {
        return select;
    }

    ColumnMetadata column(String column) {
        ColumnMetadata found = columns.get(column);
        if (found == null) {
            throw Errors.invalid(
                    "LET " + name + " has not selected " + column + ", but " + String.join(", ", columns.keySet()));
        }
        return found;
    }

    Expression valueOf(String column) {
        used.add(column);
        return new Expression.Variable(name + "." + column);
    }

    Expression exists() {
        return new Expression.Variable(name);
    }

    void addTo(Binding binding, List<Statement> body) {
        Place place = names.place(binding);
        body.add(new Statement.Let(name, new Expression.Exists(place.key())));
        for (String column : used) {
            body.add(new Statement.Let(name + "." + column, place.valueOf(column(column))));
        }
    }
}
