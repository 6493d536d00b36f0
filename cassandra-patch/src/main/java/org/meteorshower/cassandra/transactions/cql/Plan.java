/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.functions.Function;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.exceptions.UnauthorizedException;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.meteorshower.transactions.codec.DataOut;
import org.meteorshower.transactions.codec.LanguageCodec;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.log.Formats;

/**
 * A transaction that is ready for values. Thread-safe.
 *
 * @param markers what each bind marker stands for
 * @param statements Cassandra's own, one for each of the transaction's: they say who may run it
 * @param functions those within values
 * @param tables as they were when it was compiled
 * @param read those of them whose rows its writes look at, which is as good as reading them
 * @param format from which on it can be proposed, see {@link Formats}
 * @param text that it was made of; empty where it is not known
 */
record Plan(
        List<Compiled.Step> steps,
        List<ColumnSpecification> markers,
        List<CQLStatement> statements,
        List<Function> functions,
        List<TableMetadata> tables,
        List<TableMetadata> read,
        Result result,
        int format,
        String text) {
    Plan {
        steps = List.copyOf(steps);
        statements = List.copyOf(statements);
        functions = List.copyOf(functions);
        read = List.copyOf(read);
    }

    static Plan of(String text, ClientState client) {
        return Compiler.compile(ScriptParser.parse(text), client).from(text);
    }

    /** The same, made of this text. */
    Plan from(String origin) {
        return new Plan(steps, markers, statements, functions, tables, read, result, format, origin);
    }

    /** One after the other, as one; the values of the second come behind those of the first. */
    static Plan joined(List<Plan> plans) {
        List<GuardedWrites.Part> parts = new ArrayList<>();
        List<ColumnSpecification> markers = new ArrayList<>();
        List<CQLStatement> statements = new ArrayList<>();
        List<Function> functions = new ArrayList<>();
        List<TableMetadata> tables = new ArrayList<>();
        List<TableMetadata> read = new ArrayList<>();
        StringBuilder texts = new StringBuilder();
        int format = Formats.FIRST;
        boolean asks = false;
        for (Plan plan : plans) {
            int from = markers.size();
            int to = from + plan.markers.size();
            plan.parts().forEach(part -> parts.add(part.within(from, to)));
            asks |= plan.result instanceof GuardedWrites;
            markers.addAll(plan.markers);
            statements.addAll(plan.statements);
            functions.addAll(plan.functions);
            tables.addAll(plan.tables);
            read.addAll(plan.read);
            texts.append(plan.text).append(';');
            format = Math.max(format, plan.format);
        }
        GuardedWrites guarded = asks ? GuardedWrites.batch(parts) : null;
        Result result = guarded == null ? Result.NONE : guarded;
        List<Compiled.Step> steps = guarded == null ? steps(parts) : List.of(guarded);
        return new Plan(steps, markers, statements, functions, tables, read, result, format, texts.toString());
    }

    private List<GuardedWrites.Part> parts() {
        return result instanceof GuardedWrites guarded
                ? guarded.parts()
                : List.of(new GuardedWrites.Part(null, steps, UnaryOperator.identity()));
    }

    private static List<Compiled.Step> steps(List<GuardedWrites.Part> parts) {
        List<Compiled.Step> steps = new ArrayList<>();
        for (GuardedWrites.Part part : parts) {
            steps.add((binding, body) -> part.writes().forEach(step -> step.addTo(part.of(binding), body)));
        }
        return steps;
    }

    /** Whether the tables are still those that it was made for. */
    @SuppressWarnings(
            "ReferenceEquality") // a change of any kind makes another object, and to compare their contents takes long
    boolean isCurrent() {
        return tables.stream().allMatch(table -> table == Schema.instance.getTableMetadata(table.id));
    }

    /** @throws UnauthorizedException as Cassandra does for each of its statements */
    void authorize(ClientState client) {
        for (CQLStatement statement : statements) {
            statement.authorize(client);
            if (statement instanceof SelectStatement select
                    && select.table.hasMaskedColumns()
                    && !client.hasTablePermission(select.table, Permission.UNMASK)) {
                throw new UnauthorizedException("MeteorShower: " + select.table
                        + " has masked columns, and transactions work on what is behind the masks: that needs UNMASK");
            }
        }
        for (TableMetadata table : read) {
            client.ensureTablePermission(table, Permission.SELECT);
        }
        for (Function function : functions) {
            client.ensurePermission(Permission.EXECUTE, function);
        }
    }

    void validate(ClientState client) {
        statements.forEach(statement -> statement.validate(client));
    }

    /** What the core runs with these values. */
    Transaction bind(Binding binding) {
        try {
            Transaction transaction = new Transaction(List.of(), bind(steps, binding));
            LanguageCodec.write(transaction, DataOut.counting()); // what cannot be sent is refused here, with its cause
            return transaction;
        } catch (IllegalArgumentException e) {
            throw Errors.invalid(String.valueOf(e.getMessage()));
        }
    }

    static List<Statement> bind(List<Compiled.Step> steps, Binding binding) {
        List<Statement> body = new ArrayList<>();
        steps.forEach(step -> step.addTo(binding, body));
        return body;
    }
}
