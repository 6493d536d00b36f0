/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.RowForm;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Formats;

/** Makes a {@link Plan} of what was written, against the schema as it is. Used by one thread, once. */
final class Compiler {
    private final ClientState client;
    private final Scope scope;
    private final ValueCompiler values;
    private final ConditionCompiler conditions;
    private final ChangeCompiler changes;
    private final List<CQLStatement> statements = new ArrayList<>();
    private final Map<TableId, TableMetadata> tables = new LinkedHashMap<>();
    private final Results results;

    /** Of the write compiled last; null where it does not name its rows. */
    private @Nullable RowNames lastRows;

    private Compiler(Script script, ClientState client) {
        this.client = client;
        this.scope = new Scope(new Markers(script.markerNames()));
        this.values = new ValueCompiler(scope);
        this.conditions = new ConditionCompiler(scope, values, false);
        this.changes = new ChangeCompiler(values);
        this.results = new Results(scope, values);
    }

    /**
     * @throws org.apache.cassandra.exceptions.RequestValidationException if it cannot run, saying why and what can be
     *     done
     */
    static Plan compile(Script script, ClientState client) {
        Compiler compiler = new Compiler(script, client);
        List<Compiled.Step> steps = compiler.steps(script.steps(), true);
        return new Plan(
                steps,
                compiler.scope.markers().all(),
                compiler.statements,
                compiler.scope.functions(),
                List.copyOf(compiler.tables.values()),
                compiler.scope.read(),
                compiler.results.result(),
                compiler.scope.format(),
                "");
    }

    private List<Compiled.Step> steps(List<Script.Step> written, boolean outer) {
        List<Compiled.Step> steps = new ArrayList<>();
        for (Script.Step step : written) {
            if (!outer && !(step instanceof Script.If || isWrite(step))) {
                throw Errors.invalid(
                        "LET and SELECT stand outside of IF: the rows to be read, and the shape of the result,"
                                + " must be known before the transaction runs");
            }
            steps.add(step(step));
        }
        return steps;
    }

    private static boolean isWrite(Script.Step step) {
        return step instanceof Script.Insert || step instanceof Script.Update || step instanceof Script.Delete;
    }

    private Compiled.Step step(Script.Step step) {
        if (step instanceof Script.Let let) {
            Selected selected = selected(let.select());
            BoundRow bound = BoundRow.of(let.name(), selected.select, selected.text, selected.computed);
            scope.needs(bound.format());
            scope.bind(let.name(), bound);
            return bound::addTo;
        } else if (step instanceof Script.Rows rows) {
            Selected selected = selected(rows.select());
            return results.rows(selected.select, selected.text, selected.computed, rows.paged());
        } else if (step instanceof Script.Values selected) {
            return results.values(selected);
        } else if (step instanceof Script.Guarded guarded) {
            Compiled.Step write = step(guarded.write());
            return told(GuardedWrites.single(guard(guarded), write));
        } else if (step instanceof Script.Batch batch) {
            return guarded(batch);
        } else if (step instanceof Script.If choice) {
            Compiled.Value condition = conditions.compile(choice.condition());
            List<Compiled.Step> then = steps(choice.then(), false);
            List<Compiled.Step> otherwise = steps(choice.otherwise(), false);
            return (binding, body) -> body.add(new Statement.If(
                    condition.bind(binding, null), Plan.bind(then, binding), Plan.bind(otherwise, binding)));
        } else if (step instanceof Script.Insert insert) {
            return insert(insert);
        } else if (step instanceof Script.Update update) {
            return changing(update.key(), update.table(), table -> {
                TimeToLive timeToLive = TimeToLive.of(update.timeToLive(), table, scope);
                return update.assignments().stream()
                        .map(each -> changes.assigned(table, each, timeToLive))
                        .toList();
            });
        }
        return delete((Script.Delete) step);
    }

    /** What Cassandra makes of a SELECT, and what is computed of it. */
    private record Selected(
            SelectStatement select, Fragment text, @Nullable ComputedWhere computed) {}

    private Selected selected(Script.Address address) {
        if (!address.isComputed()) {
            return new Selected(select(address.text()), address.text(), null);
        }
        TableMetadata table = Statements.select(address.text(), client).table;
        ComputedWhere computed = ComputedWhere.ofRange(address, table, values);
        SelectStatement select = select(computed.text());
        if (RowNames.isOfStaticRow(select) || !RowRange.isMeant(select)) {
            throw Errors.invalid("a SELECT whose rows are found by what is computed names one partition of " + table
                    + " by constants (=), has no other filter, and takes columns that are not static: " + address.text()
                    + " ...");
        }
        return new Selected(select, computed.text(), computed);
    }

    /** Sets or deletes columns of the rows that are named. */
    private Compiled.Step changing(
            Script.Address address, Fragment name, Function<TableMetadata, List<Compiled.Change>> made) {
        if (!address.isComputed()) {
            ModificationStatement key = write(address.text());
            RowNames names = RowNames.of(key, address.text());
            lastRows = names;
            return changing(names, within(key.metadata(), () -> made.apply(key.metadata())));
        }
        TableMetadata table = Statements.table(name, client);
        ComputedWhere where = ComputedWhere.ofRow(address, table, values);
        return computed(write(where.text()), where, within(table, () -> made.apply(table)));
    }

    private Compiled.Step computed(ModificationStatement write, ComputedWhere where, List<Compiled.Change> compiled) {
        lastRows = null;
        scope.needs(Formats.PROPOSES_COMPUTED);
        return new ComputedChange(write, where, compiled);
    }

    private Compiled.Step insert(Script.Insert insert) {
        InsertedKey key = InsertedKey.of(insert, Statements.table(insert.table(), client), values);
        ModificationStatement statement = write(key.text());
        TableMetadata table = statement.metadata();
        List<Compiled.Change> compiled = new ArrayList<>();
        TimeToLive timeToLive = TimeToLive.of(insert.timeToLive(), table, scope);
        compiled.add(timeToLive.of(
                (binding, row, to) -> to.set(RowForm.MARKER, new Expression.Constant(Value.TRUE), false)));
        for (int i = 0; i < insert.columns().size(); i++) {
            ColumnMetadata column = table.getExistingColumn(
                    new ColumnIdentifier(insert.columns().get(i), true));
            if (!column.isPrimaryKeyColumn()) {
                compiled.add(timeToLive.of(changes.put(column, insert.values().get(i))));
            }
        }
        ComputedWhere where = key.where();
        if (where != null) {
            return computed(statement, where, compiled);
        }
        RowNames names = RowNames.of(statement, key.text());
        lastRows = names;
        return changing(names, compiled);
    }

    /** Writes, some of which ask first, that tell whether they were done. */
    private Compiled.Step guarded(Script.Batch batch) {
        List<GuardedWrites.Part> parts = new ArrayList<>();
        for (Script.Step write : batch.writes()) {
            Compiled.Step compiled = step(write instanceof Script.Guarded guarded ? guarded.write() : write);
            Guard guard = write instanceof Script.Guarded guarded ? guard(guarded) : null;
            parts.add(new GuardedWrites.Part(guard, List.of(compiled), UnaryOperator.identity()));
        }
        return told(GuardedWrites.batch(parts));
    }

    private GuardedWrites told(GuardedWrites writes) {
        results.be(writes);
        return writes;
    }

    /** Of the write compiled last. */
    private Guard guard(Script.Guarded guarded) {
        RowNames names = lastRows;
        if (names == null) {
            throw Errors.invalid("a write with a condition is of one row, named by its whole primary key: leave IF out,"
                    + " or name the row");
        }
        scope.within(names.table());
        scope.reads(names.table());
        Guard guard = new Guard(
                names,
                guarded,
                guarded.condition() == null
                        ? null
                        : new ConditionCompiler(scope, values, true).compile(guarded.condition()));
        scope.outside();
        return guard;
    }

    private Compiled.Step delete(Script.Delete delete) {
        if (!delete.targets().isEmpty()) {
            return changing(delete.key(), delete.table(), table -> delete.targets().stream()
                    .map(each -> changes.deleted(table, each))
                    .toList());
        } else if (delete.key().isComputed()) {
            ComputedWhere where = ComputedWhere.ofRange(delete.key(), Statements.table(delete.table(), client), values);
            return deleteRange(write(where.text()), where.text(), where);
        }
        Fragment text = delete.key().text();
        ModificationStatement key = write(text);
        if (RowRange.isMeant(key)) {
            return deleteRange(key, text, null);
        }
        RowNames names = RowNames.of(key, text);
        lastRows = names;
        return (binding, body) -> {
            for (Place row : names.places(binding)) {
                body.add(new Statement.Delete(row.key()));
            }
        };
    }

    private Compiled.Step deleteRange(ModificationStatement delete, Fragment text, @Nullable ComputedWhere computed) {
        lastRows = null;
        scope.needs(computed == null ? Formats.PROPOSES_RANGES : Formats.PROPOSES_COMPUTED);
        RowRange range = RowRange.of(delete, text, computed);
        boolean withStatic =
                range.isWholePartition() && !delete.metadata().staticColumns().isEmpty();
        return (binding, body) -> {
            for (RowRange.Part part : range.parts(binding)) {
                body.add(new Statement.DeleteRange(part.range()));
                if (withStatic) {
                    body.add(new Statement.Delete(part.partition().key()));
                }
            }
        };
    }

    private static Compiled.Step changing(RowNames names, List<Compiled.Change> changes) {
        return (binding, body) -> {
            for (Place row : names.places(binding)) {
                for (Compiled.Change change : changes) {
                    change.addTo(binding, row, (column, value, isStatic) -> {
                        if (!row.isStatic() || isStatic) { // the marker is one of a row
                            body.add(row.put(column, value, isStatic));
                        }
                    });
                }
            }
        };
    }

    private <T> T within(TableMetadata table, Supplier<T> compiled) {
        scope.within(table);
        T result = compiled.get();
        scope.outside();
        return result;
    }

    private SelectStatement select(Fragment text) {
        SelectStatement select = Statements.select(text, client);
        remember(select, select.table, text, select.getBindVariables());
        return select;
    }

    private ModificationStatement write(Fragment text) {
        ModificationStatement write = Statements.write(text, client);
        remember(write, write.metadata(), text, write.getBindVariables());
        return write;
    }

    private void remember(
            CQLStatement statement, TableMetadata table, Fragment text, List<ColumnSpecification> markers) {
        statements.add(statement);
        tables.put(table.id, table);
        scope.markers().place(text, markers);
    }
}
