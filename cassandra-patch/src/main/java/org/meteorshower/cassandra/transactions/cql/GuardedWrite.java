/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.ValueForm;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Value;

/**
 * A single write that asks first, as Cassandra's lightweight transactions do: the result says whether it was done, and
 * if it was not, what the row held. Thread-safe.
 */
final class GuardedWrite implements Compiled.Step, Result {
    private static final String APPLIED = "applied";

    private final RowNames names;
    private final Compiled.Step write;
    private final @Nullable Boolean exists;
    private final Compiled.@Nullable Value condition;

    /** Told where it was not done. */
    private final List<ColumnMetadata> columns = new ArrayList<>();

    GuardedWrite(RowNames names, Compiled.Step write, Script.Guarded guarded, Compiled.@Nullable Value condition) {
        this.names = names;
        this.write = write;
        this.exists = guarded.exists();
        this.condition = condition;
        TableMetadata table = names.table();
        if (guarded.condition() != null) {
            Set<String> asked = new TreeSet<>();
            addColumns(guarded.condition(), asked);
            asked.forEach(column -> columns.add(table.getExistingColumn(new ColumnIdentifier(column, true))));
        } else if (Boolean.FALSE.equals(exists)) {
            table.allColumnsInSelectOrder().forEachRemaining(columns::add);
        }
    }

    @Override
    public void addTo(Binding binding, List<Statement> body) {
        Place row = names.place(binding);
        Expression there = new Expression.Exists(row.key());
        Expression holds = condition != null
                ? condition.bind(binding, row)
                : Boolean.TRUE.equals(exists) ? there : new Expression.Not(there);
        body.add(new Statement.Let(APPLIED, holds));
        body.add(new Statement.Return(new Expression.Variable(APPLIED)));
        body.add(new Statement.Return(there));
        for (ColumnMetadata column : columns) {
            body.add(new Statement.Return(row.valueOf(column)));
        }
        List<Statement> writes = new ArrayList<>();
        write.addTo(binding, writes);
        body.add(new Statement.If(new Expression.Variable(APPLIED), writes, List.of()));
    }

    @Override
    public ResultSet.ResultMetadata shape() {
        return ResultSet.ResultMetadata.EMPTY; // it depends on what happens, as Cassandra's does
    }

    @Override
    public ResultMessage of(List<Value> values, Binding binding) {
        boolean applied = values.get(0).equals(Value.TRUE);
        boolean there = values.get(1).equals(Value.TRUE);
        TableMetadata table = names.table();
        List<ColumnSpecification> shape = new ArrayList<>();
        List<ByteBuffer> row = new ArrayList<>();
        shape.add(new ColumnSpecification(
                table.keyspace, table.name, ModificationStatement.CAS_RESULT_COLUMN, BooleanType.instance));
        row.add(BooleanType.instance.decompose(applied));
        for (int i = 0; i < columns.size() && !applied && there; i++) {
            ColumnMetadata column = columns.get(i);
            shape.add(column);
            row.add(ValueForm.toBytes(column.type, values.get(i + 2)));
        }
        ResultSet result = new ResultSet(new ResultSet.ResultMetadata(shape));
        row.forEach(result::addColumnValue);
        return new ResultMessage.Rows(result);
    }

    private static void addColumns(Script.Condition condition, Set<String> columns) {
        if (condition instanceof Script.All all) {
            all.parts().forEach(part -> addColumns(part, columns));
        } else if (condition instanceof Script.Any any) {
            any.parts().forEach(part -> addColumns(part, columns));
        } else if (condition instanceof Script.Compared compared) {
            addColumns(compared.left(), columns);
        } else if (condition instanceof Script.In in) {
            addColumns(in.value(), columns);
        } else if (condition instanceof Script.InMarker in) {
            addColumns(in.value(), columns);
        } else if (condition instanceof Script.IsNull test) {
            addColumns(test.value(), columns);
        }
    }

    private static void addColumns(Script.Syntax value, Set<String> columns) {
        if (value instanceof Script.Own own) {
            columns.add(own.column());
        }
    }
}
