/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.ValueForm;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Expression.Folded.Fold;

/** What a LET makes of a range of rows: {@code SELECT sum(a) AS x, count(*) AS y FROM ...}. Immutable. */
final class Folds {
    private static final Map<String, Fold> WAYS =
            Map.of("count", Fold.VALUES, "sum", Fold.SUM, "min", Fold.LEAST, "max", Fold.GREATEST);

    /** @param column null where rows are counted */
    private record Named(Fold how, @Nullable ColumnMetadata column) {}

    private final TableMetadata table;
    private final Map<String, Named> named = new LinkedHashMap<>();

    /** Which must be read, besides those that rows are ordered by. */
    private final List<String> read = new ArrayList<>();

    private Folds(TableMetadata table) {
        this.table = table;
    }

    static boolean areMeant(SelectStatement select) {
        return Statements.selectors(select).isAggregate();
    }

    /** @throws org.apache.cassandra.exceptions.InvalidRequestException if it is not known here how */
    static Folds of(SelectStatement select, Fragment text) {
        Folds folds = new Folds(select.table);
        Tokens tokens = new Tokens(text.text());
        tokens.require("SELECT");
        do {
            folds.add(tokens, text);
        } while (tokens.takeIf(","));
        if (!tokens.peek().is("FROM")) {
            throw refused(text);
        }
        return folds;
    }

    private void add(Tokens tokens, Fragment text) {
        String function = tokens.take().text().toLowerCase(Locale.ROOT);
        Fold how = WAYS.get(function);
        if (how == null || !tokens.takeIf("(")) {
            throw refused(text);
        }
        ColumnMetadata column = null;
        if (how == Fold.VALUES && (tokens.takeIf("*") || tokens.takeIf("1"))) {
            how = Fold.ROWS;
        } else {
            column = table.getColumn(new ColumnIdentifier(tokens.takeName("a column"), true));
        }
        if (!tokens.takeIf(")") || (how != Fold.ROWS && column == null)) {
            throw refused(text);
        } else if (!tokens.takeIf("AS")) {
            throw Errors.invalid("what LET binds needs a name: " + function + "(...) AS <name>");
        }
        if (column != null) {
            check(function, how, column);
            if (!column.isClusteringColumn() && !read.contains(column.name.toString())) {
                read.add(column.name.toString());
            }
        }
        if (named.put(tokens.takeName("a name"), new Named(how, column)) != null) {
            throw Errors.invalid("LET binds one name twice: " + text);
        }
    }

    private static void check(String function, Fold how, ColumnMetadata column) {
        AbstractType<?> type = column.type.unwrap();
        if (column.isPartitionKey() || column.isStatic()) {
            throw Errors.invalid(function + "(" + column.name + "): it is the same for all rows of the partition");
        } else if (how != Fold.VALUES
                && (type.isMultiCell() || !ValueForm.kindOf(type).isOrdered())) {
            throw Errors.invalid(function + "(" + column.name + "): values of " + type.asCQL3Type()
                    + " are equal or not, and have no order in a transaction");
        }
    }

    private static RuntimeException refused(Fragment text) {
        return Errors.invalid("of several rows LET makes count(*), count(c), sum(c), min(c) and max(c), each with AS"
                + " <name>, and nothing beside them: " + text
                + ". A mean is a sum divided by a count, where it is used");
    }

    /** By the names that LET binds; of columns that are not there, but for their types. */
    Map<String, ColumnMetadata> columns() {
        Map<String, ColumnMetadata> columns = new LinkedHashMap<>();
        named.forEach((name, fold) -> {
            ColumnMetadata column = fold.column;
            AbstractType<?> type = column == null || fold.how == Fold.VALUES ? LongType.instance : column.type.unwrap();
            columns.put(name, ColumnMetadata.regularColumn(table.keyspace, table.name, name, type));
        });
        return columns;
    }

    List<String> read() {
        return read;
    }

    /** @param rows what was found */
    Expression of(String name, Expression rows) {
        Named fold = java.util.Objects.requireNonNull(named.get(name));
        Expression folded = new Expression.Folded(fold.how, place(fold.column), rows);
        if (fold.how != Fold.SUM || fold.column == null) {
            return folded;
        }
        AbstractType<?> type = fold.column.type.unwrap();
        Expression zero = new Expression.Constant(ValueForm.typed(type, type.fromString("0")));
        return new Expression.Choice(new Expression.IsNothing(folded), zero, folded); // as Cassandra has it
    }

    private int place(@Nullable ColumnMetadata column) {
        if (column == null) {
            return 0;
        }
        return column.isClusteringColumn()
                ? column.position()
                : table.clusteringColumns().size() + read.indexOf(column.name.toString());
    }
}
