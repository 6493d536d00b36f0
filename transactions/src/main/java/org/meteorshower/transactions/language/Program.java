/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Runs a transaction's body on what its rows hold. A function of its arguments and nothing else. */
public final class Program {
    private final WorkingCopy rows;
    private final Expressions expressions;
    private final Steps steps = new Steps();
    private final List<Value> answer = new ArrayList<>();

    private Program(Holdings held) {
        this.rows = new WorkingCopy(held);
        this.expressions = new Expressions(rows);
    }

    /**
     * @param held what the transaction's rows hold, each of them, and of what its {@link Claim claims} could mean all
     *     rows that are there
     */
    public static Evaluation run(Transaction transaction, SortedMap<RowKey, Row> held) {
        return run(transaction, Holdings.all(held));
    }

    /**
     * @param held what the rows hold that the transaction names. Where afterwards anything is
     *     {@linkplain Holdings#takeMissing missing}, what is returned means nothing
     */
    public static Evaluation run(Transaction transaction, Holdings held) {
        Program program = new Program(held);
        try {
            if (!transaction.asserts().stream().allMatch(assertion -> holds(assertion, held.rows()))) {
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

    /**
     * What becomes of a transaction whose keys are computed from rows whose keys are computed, and so on, too often.
     */
    public static Evaluation tooDeep() {
        return Evaluation.aborted(
                Outcome.Reason.ERROR,
                "keys of rows are computed from rows that were found by computed keys themselves, more than "
                        + Transaction.MOST_LOOKS + " deep: cut the transaction into smaller ones");
    }

    /** Whether an assert holds on these rows; one that makes no sense does not. */
    public static boolean holds(Expression assertion, SortedMap<RowKey, Row> held) {
        try {
            new Program(Holdings.all(held)).require(assertion);
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
            rows.put(put.row(), rows.get(put.row()).with(put.column(), expressions.stored(put.value())));
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
            Range range = range(find.range());
            if (range != null) {
                rows.in(range).forEach((key, row) -> {
                    List<Value> values = range.told(key);
                    find.columns().forEach(column -> values.add(row.get(column)));
                    found.add(new Value.Items(values));
                });
            }
            expressions.bind(find.name(), found.isEmpty() ? Value.NOTHING : new Value.Items(found));
        }

        @Override
        public void on(Statement.DeleteRange delete) {
            Range range = range(delete.range());
            if (range != null) {
                rows.in(range).keySet().forEach(key -> rows.put(key, Row.ABSENT));
            }
        }

        private @Nullable Range range(Span span) {
            return span instanceof ComputedRange computed ? computed.range(expressions::valueOf) : (Range) span;
        }

        @Override
        public void on(Statement.Change change) {
            RowKey key = change.row().key(expressions::valueOf);
            Row row = rows.computed(key);
            for (Statement.Change.Assignment each : change.assignments()) {
                row = row.with(each.column(), expressions.stored(each.value(), row));
            }
            rows.put(key, row);
        }
    }
}
