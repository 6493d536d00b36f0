/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StoredChangeStreamTest {
    private static final ChangePosition START = ChangePosition.of(0);

    private final FakeChangeTables tables = new FakeChangeTables();
    private final ChangeStream stream = new StoredChangeStream(tables);

    private static List<String> names(ChangeBatch batch) {
        return batch.transactions().stream()
                .map(transaction -> transaction.at().toString())
                .toList();
    }

    @Test
    void transactionsOfSeveralBucketsComeInOrderEachWhole() {
        tables.with("3", 2).with("3.1", 1).with("255", 1).with("256", 3).below(300);

        ChangeBatch batch = stream.read(START, 10);

        assertThat(names(batch)).containsExactly("3", "3.1", "255", "256");
        assertThat(batch.transactions())
                .extracting(transaction -> transaction.rows().size())
                .containsExactly(2, 1, 1, 3);
        assertThat(batch.next()).isEqualTo(ChangePosition.of(300));
    }

    @Test
    void emptyBucketsAreSkipped() {
        tables.with("1", 1).with("1000000", 1).below(1_000_001);

        assertThat(names(stream.read(START, 10))).containsExactly("1", "1000000");
        assertThat(tables.askedBuckets).containsExactly(0L, 1_000_000 / 256L);
    }

    @Test
    void noMoreThanAskedForAndOnInTheMiddleOfAnEntry() {
        tables.with("7", 1).with("7.1", 2).with("7.2", 1).with("7.5", 1).below(8);

        ChangeBatch first = stream.read(START, 2);
        ChangeBatch second = stream.read(first.next(), 1);
        ChangeBatch third = stream.read(second.next(), 2);

        assertThat(names(first)).containsExactly("7", "7.1");
        assertThat(first.next()).isEqualTo(new ChangePosition(7, 2));
        assertThat(names(second)).containsExactly("7.2");
        assertThat(names(third)).containsExactly("7.5");
        assertThat(third.next()).isEqualTo(ChangePosition.of(8));
    }

    @Test
    void afterAFullBatchNoOtherBucketIsRead() {
        tables.with("7", 1).with("700", 1).below(1_000);

        ChangeBatch batch = stream.read(START, 1);

        assertThat(names(batch)).containsExactly("7");
        assertThat(batch.next()).isEqualTo(new ChangePosition(7, 1));
        assertThat(tables.askedBuckets).containsExactly(0L);
    }

    @Test
    void aBatchThatHasGrownLargeEnds() {
        String large = "x".repeat(3_000_000);
        tables.with("1", 1, large).with("2", 2, large).with("3", 1).below(4);

        ChangeBatch batch = stream.read(START, 10);

        assertThat(names(batch)).containsExactly("1", "2");
        assertThat(batch.transactions().get(1).rows()).hasSize(2);
        assertThat(names(stream.read(batch.next(), 10))).containsExactly("3");
    }

    @Test
    void whatIsNotFinalIsNotShown() {
        tables.with("4", 1).with("5", 1).with("5.1", 1).with("256", 1).below(5);

        ChangeBatch before = stream.read(START, 10);
        tables.below(257);
        ChangeBatch after = stream.read(before.next(), 10);

        assertThat(names(before)).containsExactly("4");
        assertThat(before.next()).isEqualTo(ChangePosition.of(5));
        assertThat(names(after)).containsExactly("5", "5.1", "256");
    }

    @Test
    void whatBecomesFinalDuringAReadIsForTheNext() {
        tables.with("4", 1).below(5);
        tables.beforeRows = () -> tables.with("6", 1).below(7);

        ChangeBatch batch = stream.read(START, 10);

        assertThat(names(batch)).containsExactly("4");
        assertThat(batch.next()).isEqualTo(ChangePosition.of(5));
        assertThat(names(stream.read(batch.next(), 10))).containsExactly("6");
    }

    @Test
    void whereNothingHasChangedItGoesOnToTheEnd() {
        tables.below(5_000);

        ChangeBatch batch = stream.read(ChangePosition.of(17), 10);

        assertThat(batch.transactions()).isEmpty();
        assertThat(batch.next()).isEqualTo(ChangePosition.of(5_000));
        assertThat(stream.end()).isEqualTo(ChangePosition.of(5_000));
    }

    @Test
    void aReaderThatIsFurtherThanThisDataCentreDoesNotGoBack() {
        tables.with("4", 1).below(5);
        ChangePosition ahead = new ChangePosition(9, 3);

        assertThat(stream.read(ahead, 10)).isEqualTo(new ChangeBatch(List.of(), ahead));
    }

    @Test
    void atTheEndOneRequestIsEnough() {
        tables.with("4", 1).below(5);

        stream.read(ChangePosition.of(5), 10);

        assertThat(tables.limitsAsked()).isEqualTo(1);
        assertThat(tables.askedBuckets).isEmpty();
    }

    @Test
    void whatWasDeletedBeforeIsSaidToBeGone() {
        tables.with("4", 1).with("9", 1).below(10).oldest(6);

        assertThatThrownBy(() -> stream.read(new ChangePosition(5, 1), 10))
                .isInstanceOfSatisfying(ChangesGoneException.class, gone -> {
                    assertThat(gone.asked()).isEqualTo(new ChangePosition(5, 1));
                    assertThat(gone.oldest()).isEqualTo(ChangePosition.of(6));
                })
                .hasMessageContaining("from position 5.1 on is gone here; the oldest position is 6");
        assertThat(names(stream.read(stream.oldest(), 10))).containsExactly("9");
    }

    @Test
    void aDataCentreThatNeverHadItSaysTheSame() {
        tables.below(500).oldest(500);

        assertThatThrownBy(() -> stream.read(START, 10)).isInstanceOf(ChangesGoneException.class);
        assertThat(stream.read(stream.oldest(), 10).transactions()).isEmpty();
    }

    @Test
    void whatWasDeletedDuringAReadIsNotLeftOut() {
        tables.with("4", 1).with("300", 1).below(301);
        tables.beforeRows = () -> tables.oldest(5);

        assertThatThrownBy(() -> stream.read(START, 10))
                .isInstanceOfSatisfying(ChangesGoneException.class, gone -> assertThat(gone.oldest())
                        .isEqualTo(ChangePosition.of(5)));
    }

    @Test
    void deletionsBeforeThePositionDoNoHarm() {
        tables.with("4", 1).with("300", 1).below(301);
        tables.beforeRows = () -> tables.oldest(5);

        assertThat(names(stream.read(ChangePosition.of(5), 10))).containsExactly("300");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 10_001})
    void otherNumbersOfTransactionsAreRefused(int most) {
        assertThatThrownBy(() -> stream.read(START, most))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 10000");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whateverIsAskedForAtATimeNothingIsLeftOutOrToldTwice(long seed) {
        Random random = new Random(seed);
        List<String> all = new ArrayList<>();
        long place = 0;
        ChangePosition next = START;
        List<String> read = new ArrayList<>();
        for (int round = 0; round < 200; round++) {
            place += 1 + random.nextInt(random.nextInt(10) == 0 ? 1_000 : 3);
            for (int index = 0; index < random.nextInt(4); index++) {
                ChangePosition at = new ChangePosition(place, index);
                tables.with(at.toString(), 1 + random.nextInt(3));
                all.add(at.toString());
            }
            tables.below(place + random.nextInt(2));
            ChangeBatch batch = stream.read(next, 1 + random.nextInt(4));
            assertThat(batch.next()).isGreaterThanOrEqualTo(next);
            read.addAll(names(batch));
            next = batch.next();
        }
        tables.below(place + 1);
        read.addAll(names(stream.read(next, ChangeStream.MOST_TRANSACTIONS)));

        assertThat(read).isEqualTo(all);
    }
}
