/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.language.Expression.Arithmetic;
import org.meteorshower.transactions.language.Expression.Comparison;

class ProgramTest {
    private static final RowKey A = new RowKey("t", "a");
    private static final RowKey B = new RowKey("t", "b");

    private final TreeMap<RowKey, Row> held = new TreeMap<>();

    private static Expression constant(long value) {
        return new Expression.Constant(Value.of(value));
    }

    private static Expression column(RowKey row) {
        return new Expression.Column(row, "v");
    }

    private static Statement put(RowKey row, Expression value) {
        return new Statement.Put(row, "v", value);
    }

    private Evaluation run(Statement... body) {
        return run(List.of(), body);
    }

    private Evaluation run(List<Expression> asserts, Statement... body) {
        Transaction transaction = new Transaction(asserts, List.of(body));
        transaction.rows().forEach(row -> held.putIfAbsent(row, Row.ABSENT));
        return Program.run(transaction, held);
    }

    private static Outcome committed(Value... values) {
        return new Outcome.Committed(List.of(values));
    }

    @Test
    void stepsSeeWhatEarlierStepsHaveWritten() {
        held.put(A, Row.ABSENT.with("v", Value.of(1)));

        Evaluation ran = run(
                put(A, new Arithmetic(Arithmetic.Operation.PLUS, column(A), constant(2))),
                new Statement.Return(column(A)));

        assertThat(ran.outcome()).isEqualTo(committed(Value.of(3)));
        assertThat(ran.writes()).containsEntry(A, Row.ABSENT.with("v", Value.of(3)));
    }

    @Test
    void aValueThatEndsIsReadAsAnyOtherAndStoredWithItsEnd() {
        Evaluation ran = run(
                put(A, new Expression.Ending(constant(5), 1_000)),
                put(A, new Expression.Ending(new Arithmetic(Arithmetic.Operation.PLUS, column(A), constant(1)), 2_000)),
                new Statement.Put(A, "w", new Expression.Ending(new Expression.Constant(Value.NOTHING), 3_000)),
                new Statement.Return(column(A)));

        assertThat(ran.outcome()).isEqualTo(committed(Value.of(6)));
        Row written = ran.writes().get(A);
        assertThat(written.columns()).containsOnlyKeys("v").containsEntry("v", new Value.Expiring(Value.of(6), 2_000));
        assertThat(written.endsFirst()).isEqualTo(2_000);
        assertThat(written.withoutEnded(1_999)).isEqualTo(written);
        assertThat(written.withoutEnded(2_000)).isEqualTo(Row.ABSENT);
        assertThat(run(new Statement.Return(new Expression.Ending(constant(5), 1)))
                        .outcome())
                .as("only columns have values that end")
                .isInstanceOf(Outcome.Aborted.class);
    }

    @Test
    void letKeepsAValueAsItWas() {
        held.put(A, Row.ABSENT.with("v", Value.of(1)));

        Evaluation ran = run(
                new Statement.Let("x", column(A)),
                put(A, constant(5)),
                new Statement.Return(new Expression.Variable("x")));

        assertThat(ran.outcome()).isEqualTo(committed(Value.of(1)));
    }

    @Test
    void nothingIsWrittenWhereARequirementFailsAfterAWrite() {
        Evaluation ran = run(
                put(A, constant(1)),
                new Statement.Require(new Comparison(Comparison.Relation.GREATER, column(A), constant(1))),
                put(B, constant(2)));

        assertThat(ran.outcome()).isInstanceOfSatisfying(Outcome.Aborted.class, aborted -> assertThat(aborted.reason())
                .isEqualTo(Outcome.Reason.ASSERT));
        assertThat(ran.writes()).isEmpty();
    }

    @Test
    void oneBranchOfAnIfRuns() {
        Expression exists = new Expression.Exists(A);
        Statement choice = new Statement.If(exists, List.of(put(B, constant(1))), List.of(put(B, constant(2))));

        assertThat(run(choice).writes()).containsEntry(B, Row.ABSENT.with("v", Value.of(2)));
        held.put(A, Row.ABSENT.with("v", Value.of(0)));
        assertThat(run(choice).writes()).containsEntry(B, Row.ABSENT.with("v", Value.of(1)));
    }

    @Test
    void anOverflowFailsTheTransactionTheSameWayEverywhere() {
        Evaluation ran = run(put(A, new Arithmetic(Arithmetic.Operation.PLUS, constant(Long.MAX_VALUE), constant(1))));

        assertThat(ran.outcome())
                .isEqualTo(new Outcome.Aborted(Outcome.Reason.ERROR, "overflow: " + Long.MAX_VALUE + " PLUS 1"));
        assertThat(ran.writes()).isEmpty();
    }

    @Test
    void aComparisonWithNothingIsFalseAndArithmeticWithNothingIsNothing() {
        Expression less = new Comparison(Comparison.Relation.LESS, column(A), constant(1));
        Expression sum = new Arithmetic(Arithmetic.Operation.PLUS, column(A), constant(1));

        assertThat(run(new Statement.Return(less), new Statement.Return(sum)).outcome())
                .isEqualTo(committed(Value.FALSE, Value.NOTHING));
    }

    @Test
    void logicAndChoices() {
        Expression yes = new Expression.Constant(Value.TRUE);
        Expression no = new Expression.Not(yes);
        Expression in = new Expression.In(constant(2), List.of(constant(1), constant(2)));

        assertThat(run(
                                new Statement.Return(new Expression.And(List.of(yes, no))),
                                new Statement.Return(new Expression.Or(List.of(yes, no))),
                                new Statement.Return(in))
                        .outcome())
                .isEqualTo(committed(Value.FALSE, Value.TRUE, Value.TRUE));
    }

    @Test
    void anAppendToNothingBeginsAList() {
        Evaluation ran = run(put(A, new Expression.Appended(column(A), constant(7))));

        assertThat(ran.writes()).containsEntry(A, Row.ABSENT.with("v", new Value.Items(List.of(Value.of(7)))));
    }

    @Test
    void textsAreNotAddedUp() {
        held.put(A, Row.ABSENT.with("v", Value.of("x")));

        assertThat(run(put(A, new Arithmetic(Arithmetic.Operation.PLUS, column(A), constant(1))))
                        .outcome())
                .isInstanceOfSatisfying(Outcome.Aborted.class, aborted -> assertThat(aborted.reason())
                        .isEqualTo(Outcome.Reason.ERROR));
    }

    @Test
    void theRowsOfATransactionAreKnownBeforehand() {
        Transaction transaction = new Transaction(
                List.of(new Expression.Exists(B)),
                List.of(new Statement.If(
                        new Expression.Constant(Value.FALSE), List.of(new Statement.Delete(A)), List.of())));

        assertThat(transaction.rows()).containsExactly(A, B);
        assertThat(transaction.isReadOnly()).isFalse();
    }

    @Test
    void aTransactionOfTooManyStatementsIsRefused() {
        List<Statement> many = Collections.nCopies(Transaction.MOST_STATEMENTS + 1, new Statement.Delete(A));

        assertThatThrownBy(() -> new Transaction(List.of(), many))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cut it into smaller ones");
    }
}
