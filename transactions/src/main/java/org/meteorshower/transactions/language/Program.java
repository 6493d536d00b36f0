/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** Runs a transaction's body on what its rows hold. A function of its arguments and nothing else. */
public final class Program {
    private final WorkingCopy rows;
    private final Expressions expressions;
    private final Steps steps = new Steps();
    private final List<Value> answer = new ArrayList<>();

    private Program(SortedMap<RowKey, Row> held) {
        this.rows = new WorkingCopy(held);
        this.expressions = new Expressions(rows);
    }

    /**
     * @param held what the transaction's rows hold, each of them, and of each {@link Range} all rows that it could
     *     mean: rows that are not there can be left out
     */
    public static Evaluation run(Transaction transaction, SortedMap<RowKey, Row> held) {
        Program program = new Program(held);
        try {
            if (!transaction.asserts().stream().allMatch(assertion -> holds(assertion, held))) {
                return assertFailed();
            }
            program.runAll(transaction.body());
            return new Evaluation(new Outcome.Committed(program.answer), program.rows.written());
        } catch (UnsatisfiedException e) {
            program.rows.discard();
            return new Evaluation(
                    new Outcome.Aborted(e.reason, String.valueOf(e.getMessage())), program.rows.written());
        }
    }

    /** What becomes of a transaction one of whose asserts does not hold. */
    public static Evaluation assertFailed() {
        return Evaluation.aborted(Outcome.Reason.ASSERT, "an assert does not hold");
    }

    /** What becomes of a transaction whose ranges have more rows than can be taken. */
    public static Evaluation tooLarge() {
        UnsatisfiedException why = Range.tooLarge();
        return Evaluation.aborted(why.reason, String.valueOf(why.getMessage()));
    }

    /** Whether an assert holds on these rows; one that makes no sense does not. */
    public static boolean holds(Expression assertion, SortedMap<RowKey, Row> held) {
        try {
            new Program(held).require(assertion);
            return true;
        } catch (UnsatisfiedException e) {
            return false;
        }
    }

    private void require(Expression condition) {
        if (!expressions.isTrue(condition)) {
            throw new UnsatisfiedException(Outcome.Reason.ASSERT, "an assert does not hold");
        }
    }

    private void runAll(List<Statement> statements) {
        statements.forEach(statement -> statement.handOver(steps));
    }

    /** What each kind of statement does. */
    private final class Steps implements Statement.Handler {
        @Override
        public void on(Statement.Let let) {
            expressions.bind(let.name(), expressions.valueOf(let.value()));
        }

        @Override
        public void on(Statement.Put put) {
            rows.put(put.row(), rows.get(put.row()).with(put.column(), expressions.valueOf(put.value())));
        }

        @Override
        public void on(Statement.Delete delete) {
            rows.put(delete.row(), Row.ABSENT);
        }

        @Override
        public void on(Statement.If choice) {
            runAll(expressions.isTrue(choice.condition()) ? choice.then() : choice.otherwise());
        }

        @Override
        public void on(Statement.Require require) {
            require(require.condition());
        }

        @Override
        public void on(Statement.Return given) {
            answer.add(expressions.valueOf(given.value()));
        }

        @Override
        public void on(Statement.Find find) {
            List<Value> found = new ArrayList<>();
            rows.in(find.range()).forEach((key, row) -> {
                List<Value> values = find.range().told(key);
                find.columns().forEach(column -> values.add(row.get(column)));
                found.add(new Value.Items(values));
            });
            expressions.bind(find.name(), found.isEmpty() ? Value.NOTHING : new Value.Items(found));
        }

        @Override
        public void on(Statement.DeleteRange delete) {
            rows.in(delete.range()).keySet().forEach(key -> rows.put(key, Row.ABSENT));
        }
    }
}
