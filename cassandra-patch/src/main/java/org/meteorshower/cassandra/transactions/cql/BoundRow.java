/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.cql3.selection.Selection.Selectors;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.schema.ColumnMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.ValueForm;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Formats;

/** What a LET has bound: a row as it was at that point, of which the columns are kept that are asked for. */
final class BoundRow {
    private static final Expression NOTHING = new Expression.Constant(Value.NOTHING);

    private final String name;
    private final SelectStatement select;
    private final Map<String, ColumnMetadata> columns;

    /** Filled while the transaction is compiled, read only afterwards. */
    private final Set<String> used = new TreeSet<>();

    private final Source source;

    /** From which on it can be proposed, see {@link Formats}. */
    private final int format;

    /** Where the row comes from. */
    private interface Source {
        void addTo(BoundRow row, Binding binding, List<Statement> body);
    }

    private BoundRow(
            String name, SelectStatement select, Map<String, ColumnMetadata> columns, int format, Source source) {
        this.name = name;
        this.select = select;
        this.columns = columns;
        this.format = format;
        this.source = source;
    }

    /** @param computed the part of its WHERE that is computed from rows; null where none is */
    static BoundRow of(String name, SelectStatement select, Fragment text, @Nullable ComputedWhere computed) {
        if (Folds.areMeant(select)) {
            return folded(name, select, text, computed);
        }
        Map<String, ColumnMetadata> columns = columnsOf(select);
        if (computed == null && !RowRange.isMeant(select)) {
            if (!select.parameters.orderings.isEmpty()) {
                throw shapeRefused();
            }
            RowNames names = RowNames.of(select, text);
            return new BoundRow(
                    name,
                    select,
                    columns,
                    Formats.FIRST,
                    (row, binding, body) -> row.addNamed(names.place(binding), body));
        }
        requireOne(name, computed != null && computed.isRow() ? 1 : RowRange.mostOf(select));
        RowRange range = RowRange.of(select, text, computed, false);
        return new BoundRow(
                name,
                select,
                columns,
                computed == null ? Formats.PROPOSES_RANGES : Formats.PROPOSES_COMPUTED,
                (row, binding, body) -> row.addFirst(range.parts(binding), body));
    }

    /** One value of several rows. */
    private static BoundRow folded(
            String name, SelectStatement select, Fragment text, @Nullable ComputedWhere computed) {
        if (!select.parameters.groups.isEmpty() || select.parameters.isDistinct || select.parameters.isJson) {
            throw shapeRefused();
        } else if ((computed == null && !RowRange.isMeant(select)) || RowRange.mostOf(select) != Range.ALL) {
            throw Errors.invalid("of several rows LET makes one value where they are a range of one partition, without"
                    + " LIMIT: " + text);
        }
        Folds folds = Folds.of(select, text);
        RowRange range = RowRange.of(select, text, computed, false);
        return new BoundRow(
                name,
                select,
                folds.columns(),
                Formats.PROPOSES_COMPUTED,
                (row, binding, body) -> row.addFolded(range.parts(binding), folds, body));
    }

    private static void requireOne(String name, int most) {
        if (most != 1) {
            throw Errors.invalid("LET " + name + " binds one row, and its SELECT means several: name the row by its"
                    + " whole primary key, or write LIMIT 1 to bind the first of them");
        }
    }

    private static RuntimeException shapeRefused() {
        return Errors.invalid("LET reads one row: leave out GROUP BY, DISTINCT and JSON, and ORDER BY where the row is"
                + " named by its key");
    }

    private static Map<String, ColumnMetadata> columnsOf(SelectStatement select) {
        if (!select.parameters.groups.isEmpty() || select.parameters.isDistinct || select.parameters.isJson) {
            throw shapeRefused();
        }
        Selectors selectors = Statements.selectors(select);
        if (selectors.hasProcessing()) {
            throw Errors.invalid("LET binds a row's columns as they are: functions are not possible. Name the columns,"
                    + " and compute in the client or where the value is used");
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

    int format() {
        return format;
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
        source.addTo(this, binding, body);
    }

    private void addNamed(Place place, List<Statement> body) {
        body.add(new Statement.Let(name, new Expression.Exists(place.key())));
        for (String column : used) {
            body.add(new Statement.Let(name + "." + column, place.valueOf(column(column))));
        }
    }

    /** The first row of a range, as it is read. */
    private void addFirst(List<RowRange.Part> parts, List<Statement> body) {
        if (parts.isEmpty()) {
            body.add(new Statement.Let(name, new Expression.Constant(Value.FALSE)));
            used.forEach(column -> body.add(new Statement.Let(name + "." + column, NOTHING)));
            return;
        }
        RowRange.Part part = parts.get(0);
        requireOne(name, part.range().isRow() ? 1 : part.range().most()); // a marker may have any value
        List<String> read = new ArrayList<>();
        for (String each : used) {
            ColumnMetadata column = column(each);
            if (!column.isPrimaryKeyColumn() && !column.isStatic()) {
                read.add(column.name.toString());
            }
        }
        String found = "." + name; // no name that a client can give
        body.add(new Statement.Find(found, part.range(), read));
        Expression rows = new Expression.Variable(found);
        body.add(new Statement.Let(name, new Expression.Not(new Expression.IsNothing(rows))));
        for (String each : used) {
            body.add(new Statement.Let(name + "." + each, valueOf(column(each), part, rows, read)));
        }
    }

    private void addFolded(List<RowRange.Part> parts, Folds folds, List<Statement> body) {
        String found = "." + name; // no name that a client can give
        parts.forEach(part -> body.add(new Statement.Find(found, part.range(), folds.read())));
        body.add(new Statement.Let(name, new Expression.Constant(Value.TRUE)));
        Expression rows = parts.isEmpty() ? NOTHING : new Expression.Variable(found);
        used.forEach(each -> body.add(new Statement.Let(name + "." + each, folds.of(each, rows))));
    }

    /** A static column has its value without any row, too. */
    private Expression valueOf(ColumnMetadata column, RowRange.Part part, Expression rows, List<String> read) {
        if (column.isStatic()) {
            return part.partition().valueOf(column);
        } else if (column.isPartitionKey()) {
            return new Expression.Choice(
                    new Expression.Variable(name),
                    new Expression.Constant(part.partition().ofKey(column)),
                    NOTHING);
        }
        int place = column.isClusteringColumn()
                ? column.position()
                : select.table.clusteringColumns().size() + read.indexOf(column.name.toString());
        return element(element(rows, 0), place);
    }

    private static Expression element(Expression of, int place) {
        return new Expression.Element(
                of, new Expression.Constant(ValueForm.typed(Int32Type.instance, Int32Type.instance.decompose(place))));
    }
}
