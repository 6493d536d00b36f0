/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
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
            SelectStatement select = select(let.select());
            BoundRow bound = BoundRow.of(let.name(), select, let.select());
            scope.bind(let.name(), bound);
            return bound::addTo;
        } else if (step instanceof Script.Rows rows) {
            return results.rows(select(rows.select()), rows.select());
        } else if (step instanceof Script.Values selected) {
            return results.values(selected);
        } else if (step instanceof Script.Guarded guarded) {
            return guarded(guarded);
        } else if (step instanceof Script.If choice) {
            Compiled.Value condition = conditions.compile(choice.condition());
            List<Compiled.Step> then = steps(choice.then(), false);
            List<Compiled.Step> otherwise = steps(choice.otherwise(), false);
            return (binding, body) -> body.add(new Statement.If(
                    condition.bind(binding, null), Plan.bind(then, binding), Plan.bind(otherwise, binding)));
        } else if (step instanceof Script.Insert insert) {
            return insert(insert);
        } else if (step instanceof Script.Update update) {
            ModificationStatement key = write(update.key());
            lastRows = RowNames.of(key, update.key());
            List<Compiled.Change> compiled = within(key.metadata(), () -> update.assignments().stream()
                    .map(each -> changes.assigned(key.metadata(), each))
                    .toList());
            return changing(lastRows, compiled);
        }
        return delete((Script.Delete) step);
    }

    private Compiled.Step insert(Script.Insert insert) {
        Fragment text = insert.key();
        TableMetadata named = Statements.table(insert.table(), client);
        for (int i = 0; i < insert.columns().size(); i++) {
            // Values of key columns are Cassandra's to read; null stands for the others.
            Script.Syntax value = insert.values().get(i);
            Fragment term = Fragment.of("null");
            if (isKey(named, insert.columns().get(i))) {
                if (!(value instanceof Script.Leaf leaf)) {
                    throw Errors.invalid("the primary key of a row must be known before the transaction runs: "
                            + insert.columns().get(i)
                            + " cannot be computed from other rows or columns. Bind it, or write"
                            + " it as a literal");
                }
                term = leaf.term();
            }
            text = text.and(i == 0 ? term : Fragment.of(",").and(term));
        }
        Fragment key = text.and(")");
        ModificationStatement statement = write(key);
        TableMetadata table = statement.metadata();
        List<Compiled.Change> compiled = new ArrayList<>();
        for (int i = 0; i < insert.columns().size(); i++) {
            ColumnMetadata column = table.getExistingColumn(
                    new ColumnIdentifier(insert.columns().get(i), true));
            if (!column.isPrimaryKeyColumn()) {
                compiled.add(changes.put(column, insert.values().get(i)));
            }
        }
        compiled.add(0, (binding, row, body) -> {
            if (!row.isStatic()) {
                body.add(new Statement.Put(row.key(), RowForm.MARKER, new Expression.Constant(Value.TRUE)));
            }
        });
        lastRows = RowNames.of(statement, key);
        return changing(lastRows, compiled);
    }

    private static boolean isKey(TableMetadata table, String name) {
        ColumnMetadata column = table.getColumn(new ColumnIdentifier(name, true));
        return column != null && column.isPrimaryKeyColumn();
    }

    /** A write that asks first, and tells whether it was done. */
    private Compiled.Step guarded(Script.Guarded guarded) {
        Compiled.Step write = step(guarded.write());
        RowNames names = lastRows;
        if (names == null) {
            throw Errors.invalid("a write with a condition is of one row, named by its whole primary key: leave IF out,"
                    + " or name the row");
        }
        scope.within(names.table());
        scope.reads(names.table());
        GuardedWrite compiled = new GuardedWrite(
                names,
                write,
                guarded,
                guarded.condition() == null
                        ? null
                        : new ConditionCompiler(scope, values, true).compile(guarded.condition()));
        scope.outside();
        results.be(compiled);
        return compiled;
    }

    private Compiled.Step delete(Script.Delete delete) {
        ModificationStatement key = write(delete.key());
        if (delete.targets().isEmpty() && RowRange.isMeant(key)) {
            lastRows = null;
            return deleteRange(key.metadata(), RowRange.of(key, delete.key()));
        }
        RowNames names = RowNames.of(key, delete.key());
        lastRows = names;
        if (!delete.targets().isEmpty()) {
            return changing(names, within(key.metadata(), () -> delete.targets().stream()
                    .map(each -> changes.deleted(key.metadata(), each))
                    .toList()));
        }
        return (binding, body) -> {
            for (Place row : names.places(binding)) {
                body.add(new Statement.Delete(row.key()));
            }
        };
    }

    private static Compiled.Step deleteRange(TableMetadata table, RowRange range) {
        boolean withStatic = range.isWholePartition() && !table.staticColumns().isEmpty();
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
                    change.addTo(binding, row, body);
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
