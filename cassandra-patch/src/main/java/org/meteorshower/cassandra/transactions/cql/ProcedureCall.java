/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.cql3.Term;
import org.apache.cassandra.cql3.functions.Function;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.meteorshower.transactions.language.Value;

/** A procedure with the arguments of a CALL. Thread-safe. */
final class ProcedureCall implements Result {
    private final Procedure procedure;
    private final List<Fragment> texts;
    private final List<Term> terms = new ArrayList<>();

    private ProcedureCall(Procedure procedure, List<Fragment> texts) {
        this.procedure = procedure;
        this.texts = texts;
    }

    /**
     * The transaction that the call is.
     *
     * @param text the call's
     * @throws org.apache.cassandra.exceptions.RequestValidationException if an argument does not fit
     */
    static Plan plan(Procedure procedure, ProcedureSyntax.Call written, String text) {
        List<ColumnSpecification> parameters = procedure.parameters();
        if (written.arguments().size() != parameters.size()) {
            throw Errors.invalid("procedure " + procedure.id() + " takes " + parameters.size() + " arguments "
                    + procedure.signature() + ", and is called with "
                    + written.arguments().size());
        }
        ProcedureCall call = new ProcedureCall(procedure, written.arguments());
        Plan body = procedure.plan();
        Markers markers = new Markers(written.markerNames());
        List<Function> functions = new ArrayList<>();
        for (int i = 0; i < parameters.size(); i++) {
            Fragment argument = written.arguments().get(i);
            Term term = Statements.term(argument).prepare(procedure.id().keyspace(), parameters.get(i));
            term.addFunctionsTo(functions);
            markers.place(argument, term);
            call.terms.add(term);
        }
        refuseMomentary(procedure, functions);
        functions.addAll(body.functions());
        return new Plan(
                List.of((binding, statements) ->
                        body.steps().forEach(step -> step.addTo(call.arguments(binding), statements))),
                markers.all(),
                body.statements(),
                functions,
                body.tables(),
                body.read(),
                body.result() == NONE ? NONE : call,
                body.format(),
                text);
    }

    /** A SELECT's key may be an argument: see {@link Results}. */
    private static void refuseMomentary(Procedure procedure, List<Function> functions) {
        Result result = procedure.plan().result();
        boolean byKeys = result instanceof SelectedRows || result instanceof SelectedRange;
        for (Function each : functions) {
            if (byKeys && !Sandbox.isTheSame(each)) {
                throw Errors.invalid("an argument of " + procedure.id()
                        + ", which selects rows by their keys, cannot be " + each.name()
                        + "(), which may have another value each time: compute it in the client, and bind it");
            }
        }
    }

    /** What the procedure's own bind markers stand for: computed once, so that {@code uuid()} as an argument is one. */
    private Binding arguments(Binding binding) {
        return binding.once(this, () -> {
            List<ByteBuffer> given = new ArrayList<>();
            for (int i = 0; i < terms.size(); i++) {
                given.add(terms.get(i).bindAndGet(binding.of(texts.get(i))));
            }
            List<ByteBuffer> values = new ArrayList<>();
            procedure.markers().forEach(parameter -> values.add(given.get(parameter)));
            return binding.withValues(values);
        });
    }

    @Override
    public ResultSet.ResultMetadata shape() {
        return procedure.plan().result().shape();
    }

    @Override
    public ResultMessage of(List<Value> values, Binding binding) {
        return procedure.plan().result().of(values, arguments(binding));
    }
}
