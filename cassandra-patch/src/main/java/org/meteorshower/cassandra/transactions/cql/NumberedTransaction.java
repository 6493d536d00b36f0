/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Outcome.Committed;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;

/**
 * What is added to a transaction that has a number. Its values are kept under the number and told to who asks again, so
 * they must tell all that a client wants to know: also whether it came to a write, and of which text it was. Stateless.
 */
final class NumberedTransaction {
    /** No name that a client can give. */
    private static final String WROTE = "$wrote";

    private static final int ADDED = 2;

    private NumberedTransaction() {}

    /** @param applied whether it came to an INSERT, UPDATE or DELETE */
    record Outcome(List<Value> values, boolean applied) {}

    static Transaction of(Transaction transaction, String text) {
        List<Statement> body = new ArrayList<>();
        body.add(new Statement.Let(WROTE, new Expression.Constant(Value.FALSE)));
        body.addAll(marked(transaction.body()));
        body.add(new Statement.Return(new Expression.Variable(WROTE)));
        body.add(new Statement.Return(new Expression.Constant(Value.of(text.hashCode()))));
        try {
            return new Transaction(transaction.asserts(), body);
        } catch (IllegalArgumentException e) {
            throw Errors.invalid(String.valueOf(e.getMessage()));
        }
    }

    private static List<Statement> marked(List<Statement> steps) {
        List<Statement> marked = new ArrayList<>();
        boolean writes = false;
        for (Statement step : steps) {
            if (step instanceof Statement.If choice) {
                marked.add(new Statement.If(choice.condition(), marked(choice.then()), marked(choice.otherwise())));
            } else {
                writes |= step.writes();
                marked.add(step);
            }
        }
        if (writes) {
            marked.add(new Statement.Let(WROTE, new Expression.Constant(Value.TRUE)));
        }
        return marked;
    }

    /**
     * @throws org.apache.cassandra.exceptions.InvalidRequestException if the number was used for another text, or its
     *     values are lost
     */
    static Outcome outcome(Committed committed, String text, long sequence) {
        List<Value> values = committed.values();
        int own = values.size() - ADDED;
        if (own < 0) {
            throw Errors.invalid(
                    "the transaction was carried out (RESULT_LOST): what it returned is too large to be kept,"
                            + " and was told once only. Read what it wrote");
        } else if (!values.get(own + 1).equals(Value.of(text.hashCode()))) {
            throw Errors.invalid("this transaction was not carried out: number " + sequence
                    + " of its session was used for another one. Give each a number of its own");
        }
        return new Outcome(values.subList(0, own), values.get(own).equals(Value.TRUE));
    }
}
