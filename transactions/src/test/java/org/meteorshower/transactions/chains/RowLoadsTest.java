/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.language.RowKey;

final class RowLoadsTest {
    private static final long MOST = 1_000_000;

    private final RowLoads loads = new RowLoads(MOST);

    private static RowKey row(int number) {
        return new RowKey("t", "r" + number);
    }

    private void want(int from, int below) {
        IntStream.range(from, below).forEach(number -> loads.want(row(number)));
    }

    private void come(int rows, long bytes) {
        for (int i = 0; i < rows; i++) {
            loads.want(row(i));
            loads.next(0);
            loads.loaded(row(i), bytes);
        }
    }

    @Test
    void largeRowsAreReadAFewAtATime() {
        come(2_000, 49_000);
        want(1_000, 1_100);
        assertThat(loads.next(0)).hasSize(10); // each as it was, and as it is then
        assertThat(loads.next(0)).isEmpty();
        assertThat(loads.isStuck()).as("some are being read").isFalse();
        loads.loaded(row(1_000), 50_000);
        assertThat(loads.next(50_000)).as("what came takes the room").isEmpty();
        assertThat(loads.next(0)).hasSize(1);
    }

    @Test
    void smallRowsAreReadAtOnce() {
        come(400, 500);
        want(1_000, 1_600);
        assertThat(loads.next(0)).hasSize(600);
        assertThat(loads.areMany(new Expected(0, 50))).isFalse();
        assertThat(loads.areMany(new Expected(0, 100))).as("of a sixteenth").isTrue();
        assertThat(loads.areMany(new Expected(30_000, 20))).as("of a sixteenth").isTrue();
    }

    @Test
    void beforeAnyHasComeTheyMayBeLarge() {
        want(0, 1_000);
        assertThat(loads.next(0)).hasSize(31);
    }

    /** Few of them may all be large. */
    @Test
    void rowsOfTwoSizesAreExpectedByHowManyThereAre() {
        for (int i = 0; i < 400; i++) {
            come(1, i % 4 == 0 ? 20_000 : 400);
        }
        assertThat(loads.bytes(1)).isGreaterThan(20_000);
        assertThat(loads.bytes(1_000)).isBetween(4_000_000L, 7_000_000L);
    }

    @Test
    void whereNothingMakesRoomSomeAreReadAnyway() {
        want(0, 10);
        assertThat(loads.next(MOST)).isEmpty();
        assertThat(loads.isStuck()).isTrue();
        assertThat(loads.anyway(List.of(row(7), row(3), row(77)))).containsExactly(row(3), row(7));
        assertThat(loads.isStuck()).isFalse();
        loads.loaded(row(3), 100);
        loads.loaded(row(7), 100);
        assertThat(loads.anyway(List.of())).as("the longest wanted one").containsExactly(row(0));
        loads.clear();
        assertThat(loads.next(0)).isEmpty();
    }
}
