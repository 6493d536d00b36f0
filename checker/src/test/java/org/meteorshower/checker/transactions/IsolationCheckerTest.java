/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.transactions.RecordedTransaction.Status;

/** Each anomaly by its smallest example. Transactions run one after another unless a test says otherwise. */
class IsolationCheckerTest {
    private final List<RecordedTransaction> history = new ArrayList<>();

    private void add(Status status, long start, long end, RecordedTransaction.Step... steps) {
        history.add(new RecordedTransaction("s" + history.size(), List.of(steps), start, end, status));
    }

    /** At the same time as all others of its kind. */
    private void ok(RecordedTransaction.Step... steps) {
        add(Status.OK, 0, 100, steps);
    }

    private static RecordedTransaction.Step append(String list, int value) {
        return new RecordedTransaction.Append(list, Integer.toString(value));
    }

    private static RecordedTransaction.Step read(String list, Integer... values) {
        return new RecordedTransaction.Read(
                list, List.of(values).stream().map(String::valueOf).toList());
    }

    private IsolationVerdict check(IsolationModel model) {
        return IsolationChecker.check(history, model);
    }

    private Anomaly serializable() {
        return check(IsolationModel.SERIALIZABLE).anomaly();
    }

    @Test
    void transactionsThatFitOneOrderAreConsistent() {
        ok(append("x", 1), append("y", 2));
        ok(read("x", 1), read("y", 2), append("x", 3));
        ok(read("x", 1, 3));

        assertThat(check(IsolationModel.STRICT_SERIALIZABLE).outcome()).isEqualTo(Outcome.CONSISTENT);
    }

    @Test
    void writesThatOvertakeEachOtherAreG0() {
        ok(append("x", 1), append("y", 2));
        ok(append("x", 3), append("y", 4));
        ok(read("x", 1, 3), read("y", 4, 2));

        assertThat(serializable()).isEqualTo(Anomaly.G0);
    }

    @Test
    void whatAFailedTransactionWroteIsNotRead() {
        add(Status.FAIL, 0, 10, append("x", 1));
        ok(read("x", 1));

        assertThat(serializable()).isEqualTo(Anomaly.G1A);
    }

    @Test
    void whatNobodyWroteIsNotRead() {
        ok(read("x", 1));

        assertThat(serializable()).isEqualTo(Anomaly.G1A);
    }

    @Test
    void partsOfATransactionAreNotRead() {
        ok(append("x", 1), append("x", 2));
        ok(read("x", 1));

        assertThat(serializable()).isEqualTo(Anomaly.G1B);
    }

    @Test
    void twoThatSeeEachOtherAreG1c() {
        ok(append("x", 1), read("y", 2));
        ok(append("y", 2), read("x", 1));

        assertThat(serializable()).isEqualTo(Anomaly.G1C);
    }

    @Test
    void oneThatSeesHalfOfAnotherIsGSingle() {
        ok(append("x", 1), append("y", 2));
        ok(read("x", 1), read("y"));

        assertThat(serializable()).isEqualTo(Anomaly.G_SINGLE);
    }

    @Test
    void writeSkewIsG2() {
        ok(read("x"), append("y", 1));
        ok(read("y"), append("x", 2));
        ok(read("x", 2), read("y", 1));

        assertThat(serializable()).isEqualTo(Anomaly.G2);
    }

    @Test
    void writeSkewIsFoundThoughNobodyReadsWhatWasWritten() {
        ok(read("x"), append("y", 1));
        ok(read("y"), append("x", 2));

        assertThat(serializable()).isEqualTo(Anomaly.G2);
    }

    @Test
    void aTransactionSeesItsOwnAppends() {
        ok(append("x", 1), read("x"));

        assertThat(serializable()).isEqualTo(Anomaly.INTERNAL);
    }

    @Test
    void readsOfAListArePrefixesOfEachOther() {
        ok(append("x", 1));
        ok(append("x", 2));
        ok(read("x", 1, 2));
        ok(read("x", 2));

        assertThat(serializable()).isEqualTo(Anomaly.INCOMPATIBLE_ORDER);
    }

    @Test
    void aValueStandsInAListOnce() {
        ok(append("x", 1));
        ok(read("x", 1, 1));

        assertThat(serializable()).isEqualTo(Anomaly.INCOMPATIBLE_ORDER);
    }

    @Test
    void aStaleReadIsSerializableAndNotStrict() {
        add(Status.OK, 0, 10, append("x", 1));
        add(Status.OK, 20, 30, read("x"));

        assertThat(serializable()).isNull();
        IsolationVerdict strict = check(IsolationModel.STRICT_SERIALIZABLE);
        assertThat(strict.anomaly()).isEqualTo(Anomaly.G_SINGLE);
        assertThat(strict.realTime()).isTrue();
        assertThat(strict.report()).contains("G_SINGLE", "with real time", "ended before the start of");
    }

    @Test
    void anUnknownTransactionMayTakeEffectLaterOrNever() {
        add(Status.UNKNOWN, 0, -1, append("x", 1));
        add(Status.OK, 20, 30, read("x"));
        add(Status.OK, 40, 50, read("x", 1));

        assertThat(check(IsolationModel.STRICT_SERIALIZABLE).outcome()).isEqualTo(Outcome.CONSISTENT);
    }

    @Test
    void anUnknownTransactionDoesNotTakeEffectBeforeItBegins() {
        add(Status.OK, 0, 10, read("x", 1));
        add(Status.UNKNOWN, 20, -1, append("x", 1));

        assertThat(serializable()).isNull();
        assertThat(check(IsolationModel.STRICT_SERIALIZABLE).outcome()).isEqualTo(Outcome.VIOLATION);
    }

    @Test
    void aValueAppendedTwiceIsBadInput() {
        ok(append("x", 1));
        ok(append("x", 1));

        assertThatThrownBy(() -> check(IsolationModel.SERIALIZABLE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unique");
    }
}
