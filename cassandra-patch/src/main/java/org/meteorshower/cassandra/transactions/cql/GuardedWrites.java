/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
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
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Value;

/**
 * Writes that are done where all that they ask for holds, as Cassandra's lightweight transactions are: a single one, or
 * a batch, of which any may ask and all look at what was there before the batch. The result says whether they were
 * done, and if they were not, what the rows that were asked for held. Thread-safe.
 */
final class GuardedWrites implements Compiled.Step, Result {
    private static final String APPLIED = "applied";

    private final List<Part> parts;
    private final TableMetadata table;

    /** Told of each row where it was not done. */
    private final List<ColumnMetadata> columns;

    /**
     * One write.
     *
     * @param guard null where it does not ask
     * @param values those of its own, of all values
     */
    record Part(@Nullable Guard guard, List<Compiled.Step> writes, UnaryOperator<Binding> values) {
        /** The same each time that one binding asks. */
        Binding of(Binding whole) {
            return whole.once(this, () -> values.apply(whole));
        }

        /** Among the values of several, from this one on. */
        Part within(int from, int to) {
            return new Part(guard, writes, whole -> values.apply(whole.part(from, to)));
        }
    }

    private GuardedWrites(List<Part> parts, TableMetadata table, List<ColumnMetadata> columns) {
        this.parts = List.copyOf(parts);
        this.table = table;
        this.columns = List.copyOf(columns);
    }

    static GuardedWrites single(Guard guard, Compiled.Step write) {
        List<ColumnMetadata> columns = new ArrayList<>(guard.columns());
        if (guard.isOfAbsentRow()) {
            guard.table().allColumnsInSelectOrder().forEachRemaining(columns::add);
        }
        return new GuardedWrites(
                List.of(new Part(guard, List.of(write), UnaryOperator.identity())), guard.table(), columns);
    }

    /** @param parts at least one of which asks */
    static GuardedWrites batch(List<Part> parts) {
        List<Guard> guards = guards(parts);
        TableMetadata table = guards.get(0).table();
        Set<ColumnMetadata> columns = new LinkedHashSet<>();
        if (guards.stream().anyMatch(Guard::isOfRow)) {
            table.allColumnsInSelectOrder().forEachRemaining(columns::add);
        }
        table.primaryKeyColumns().forEach(columns::add); // they tell which row is which
        for (Guard guard : guards) {
            if (!guard.table().id.equals(table.id)) {
                throw Errors.invalid("the conditions of a batch are on rows of one table, and these are on " + table
                        + " and " + guard.table() + ": write BEGIN TRANSACTION LET row = (SELECT ...); IF row ... THEN"
                        + " ... END IF COMMIT TRANSACTION");
            }
            columns.addAll(guard.columns());
        }
        return new GuardedWrites(parts, table, List.copyOf(columns));
    }

    private static List<Guard> guards(List<Part> parts) {
        List<Guard> guards = new ArrayList<>();
        for (Part part : parts) {
            if (part.guard() != null) {
                guards.add(part.guard());
            }
        }
        return guards;
    }

    List<Part> parts() {
        return parts;
    }

    @Override
    public void addTo(Binding binding, List<Statement> body) {
        List<Expression> asked = new ArrayList<>();
        List<Statement> writes = new ArrayList<>();
        for (Part part : parts) {
            Binding own = part.of(binding);
            if (part.guard() != null) {
                asked.add(part.guard().holds(own));
            }
            part.writes().forEach(write -> write.addTo(own, writes));
        }
        body.add(new Statement.Let(APPLIED, asked.size() == 1 ? asked.get(0) : new Expression.And(asked)));
        Expression applied = new Expression.Variable(APPLIED);
        Expression nothing = new Expression.Constant(Value.NOTHING);
        body.add(new Statement.Return(applied));
        for (Place row : rows(binding)) {
            body.add(new Statement.Return(new Expression.Exists(row.key())));
            for (ColumnMetadata column : columns) { // of use only where it was not done
                body.add(new Statement.Return(new Expression.Choice(applied, nothing, row.valueOf(column))));
            }
        }
        body.add(new Statement.If(applied, writes, List.of()));
    }

    /** Those that are asked for, each once, in the order in which their partition has them. */
    private List<Place> rows(Binding binding) {
        Map<RowKey, Place> rows = new LinkedHashMap<>();
        for (Part part : parts) {
            if (part.guard() != null) {
                part.guard().asked(part.of(binding)).forEach(row -> rows.putIfAbsent(row.key(), row));
            }
        }
        return rows.values().stream()
                .sorted(Comparator.comparing(Place::partitionKey).thenComparing(Place::clustering, table.comparator))
                .toList();
    }

    @Override
    public ResultSet.ResultMetadata shape() {
        return ResultSet.ResultMetadata.EMPTY; // it depends on what happens, as Cassandra's does
    }

    @Override
    public ResultMessage of(List<Value> values, Binding binding) {
        boolean applied = values.get(0).equals(Value.TRUE);
        List<List<ByteBuffer>> found = applied ? List.of() : found(values, binding);
        List<ColumnSpecification> shape = new ArrayList<>();
        shape.add(new ColumnSpecification(
                table.keyspace, table.name, ModificationStatement.CAS_RESULT_COLUMN, BooleanType.instance));
        if (!found.isEmpty()) {
            shape.addAll(columns);
        }
        ResultSet result = new ResultSet(new ResultSet.ResultMetadata(shape));
        if (found.isEmpty()) {
            result.addColumnValue(BooleanType.instance.decompose(applied));
        }
        for (List<ByteBuffer> row : found) {
            result.addColumnValue(BooleanType.instance.decompose(false));
            row.forEach(result::addColumnValue);
        }
        return new ResultMessage.Rows(result);
    }

    /** What the rows that are there held; what belongs to their partition alone where there are none. */
    private List<List<ByteBuffer>> found(List<Value> values, Binding binding) {
        List<List<ByteBuffer>> found = new ArrayList<>();
        List<List<ByteBuffer>> ofPartitions = new ArrayList<>();
        int next = 1;
        for (Place row : rows(binding)) {
            boolean there = values.get(next++).equals(Value.TRUE);
            List<ByteBuffer> cells = new ArrayList<>();
            for (ColumnMetadata column : columns) {
                cells.add(ValueForm.toBytes(column.type, values.get(next++)));
            }
            if (there) {
                (row.isStatic() ? ofPartitions : found).add(cells);
            }
        }
        return found.isEmpty() ? ofPartitions : found;
    }
}
