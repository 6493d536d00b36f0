/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.cql3.functions.Function;
import org.apache.cassandra.cql3.selection.Selection.Selectors;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.ValueForm;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Formats;

/** Compiles a transaction's SELECT, of which there is at most one: a client gets one result. Used by one thread. */
final class Results {
    private final Scope scope;
    private final ValueCompiler values;
    private Result result = Result.NONE;

    Results(Scope scope, ValueCompiler values) {
        this.scope = scope;
        this.values = values;
    }

    Result result() {
        return result;
    }

    /** A result that is known already. */
    void be(Result known) {
        requireOne();
        result = known;
    }

    /**
     * @param computed the part of its WHERE that is computed from rows; null where none is
     * @param paged whether a range comes in pages where the client asks for them
     */
    Compiled.Step rows(SelectStatement select, Fragment text, @Nullable ComputedWhere computed, boolean paged) {
        requireOne();
        Selectors selectors = Statements.selectors(select);
        if (select.parameters.isDistinct || selectors.isAggregate() || !select.parameters.groups.isEmpty()) {
            throw Errors.invalid("aggregates (count, sum ...), GROUP BY and DISTINCT cannot be selected within a"
                    + " transaction: bind what is made of a range (LET s = (SELECT count(*) AS n FROM ...)), and SELECT"
                    + " s.n; or select the rows, and count them in the client");
        } else if (!hasPlainMeaning(select)) {
            throw Errors.invalid("writetime() and ttl() say nothing within a transaction: rows are written by the"
                    + " transactions' own order, and do not expire");
        }
        refuseMomentaryKeys(select);
        if (computed != null || RowRange.isMeant(select)) {
            scope.needs(computed == null ? Formats.PROPOSES_RANGES : Formats.PROPOSES_COMPUTED);
            SelectedRange range = new SelectedRange(select, text, RowRange.of(select, text, computed, paged));
            result = range;
            return range;
        }
        SelectedRows rows = new SelectedRows(select, text, RowNames.of(select, text));
        result = rows;
        return rows;
    }

    /** Whether what it selects means the same in the users' tables as in a transaction. */
    static boolean hasPlainMeaning(SelectStatement select) {
        Selectors selectors = Statements.selectors(select);
        return !selectors.collectWritetimes() && !selectors.collectTTLs();
    }

    /**
     * Cassandra computes a SELECT's key once more where it makes its result of the rows, and a transaction with a
     * number may be told again much later: rows of one day would be told as another's, or not at all.
     */
    private static void refuseMomentaryKeys(SelectStatement select) {
        List<Function> functions = new ArrayList<>();
        select.getRestrictions().addFunctionsTo(functions);
        for (Function each : functions) {
            if (!Sandbox.isTheSame(each)) {
                throw Errors.invalid("the key of a SELECT cannot be computed by " + each.name()
                        + "(), which may have another value each time: compute it in the client, and bind it. Or bind the"
                        + " row by LET, and select its columns");
            }
        }
    }

    Compiled.Step values(Script.Values selected) {
        requireOne();
        List<ColumnSpecification> columns = new ArrayList<>();
        List<Compiled.Value> compiled = new ArrayList<>();
        for (Script.Named each : selected.values()) {
            if (each.value() instanceof Script.Reference row && row.column() == null) {
                for (String column : scope.row(row.row()).columnNames()) {
                    add(new Script.Reference(row.row(), column, null, null), null, columns, compiled);
                }
            } else {
                add(each.value(), each.alias(), columns, compiled);
            }
        }
        result = new SelectedValues(new ResultSet.ResultMetadata(columns));
        return (binding, body) -> compiled.forEach(value -> body.add(new Statement.Return(value.bind(binding, null))));
    }

    private void add(
            Script.Syntax value,
            @Nullable String alias,
            List<ColumnSpecification> columns,
            List<Compiled.Value> compiled) {
        String name = alias != null ? alias : nameOf(value);
        AbstractType<?> type = values.typeOf(value);
        if (type == null) {
            throw Errors.invalid(
                    "of which type " + name + " is cannot be told: write the type before it, as in (int) 5");
        }
        columns.add(new ColumnSpecification(scope.keyspace(), "transaction", new ColumnIdentifier(name, true), type));
        compiled.add(values.compile(value, type, name));
    }

    private static String nameOf(Script.Syntax value) {
        if (value instanceof Script.Leaf leaf) {
            return leaf.term().text();
        } else if (value instanceof Script.Arithmetic sum) {
            return nameOf(sum.left()) + " " + sum.sign() + " " + nameOf(sum.right());
        } else if (value instanceof Script.Own own) {
            return own.column();
        }
        Script.Reference reference = (Script.Reference) value;
        return reference.row() + "." + reference.column()
                + (reference.element() == null ? "" : "[" + reference.element() + "]")
                + (reference.field() == null ? "" : "." + reference.field());
    }

    private void requireOne() {
        if (result != Result.NONE) {
            throw Errors.invalid(
                    "a transaction has one result: write one SELECT, of values that LETs have bound if they"
                            + " are of several tables (SELECT a.x, b.y)");
        }
    }

    /** One row. */
    private record SelectedValues(ResultSet.ResultMetadata shape) implements Result {
        @Override
        public ResultMessage of(List<Value> values, Binding binding) {
            ResultSet rows = new ResultSet(shape.copy());
            for (int i = 0; i < shape.names.size(); i++) {
                ByteBuffer bytes = ValueForm.toBytes(shape.names.get(i).type, values.get(i));
                rows.addColumnValue(bytes);
            }
            return new ResultMessage.Rows(rows);
        }
    }
}
