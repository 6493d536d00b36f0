/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SuspicionTest {
    private static final long FLOOR = 300_000;

    private final Suspicion suspicion = new Suspicion(FLOOR);

    private void advanceEvery(long gapMicros, int times) {
        for (int i = 0; i <= times; i++) {
            suspicion.seen(i, i * gapMicros);
        }
    }

    @Test
    void aLaneThatStandsStillIsSuspectedAfterTheFloorAndWhatIsUsual() {
        advanceEvery(5_000, 100);
        long last = 500_000;

        assertThat(suspicion.isSilent(last + FLOOR, FLOOR, 0)).isFalse();
        assertThat(suspicion.isSilent(last + FLOOR + 20_000, FLOOR, 0)).isTrue();
        assertThat(suspicion.isSilent(last + FLOOR + 20_000, FLOOR, 150_000)).isFalse();
    }

    @Test
    void whatIsToldAgainIsNoAdvance() {
        suspicion.seen(5, 0);
        suspicion.seen(5, 200_000);

        assertThat(suspicion.isSilent(FLOOR + 1, FLOOR, 0)).isTrue();
    }

    @Test
    void aStandstillCountsForAsLongAgain() {
        advanceEvery(5_000, 100);
        long last = 500_000;
        assertThat(suspicion.standstillMicros(last + 700_000)).isEqualTo(700_000);

        suspicion.seen(101, last + 1_000_000);
        suspicion.seen(102, last + 1_005_000);

        assertThat(suspicion.standstillMicros(last + 1_010_000)).isEqualTo(1_000_000);
        assertThat(suspicion.standstillMicros(last + 2_000_000)).isEqualTo(1_000_000);
        assertThat(suspicion.standstillMicros(last + 2_000_001)).isEqualTo(2_000_001 - 1_005_000);
    }

    @Test
    void aLongStandstillIsForgottenSoon() {
        advanceEvery(5_000, 100);
        long end = 500_000 + 60_000_000;
        suspicion.seen(101, end);
        suspicion.seen(102, end + 5_000);

        assertThat(suspicion.standstillMicros(end + 2_000_000)).isEqualTo(60_000_000);
        suspicion.seen(103, end + 2_000_001);

        assertThat(suspicion.standstillMicros(end + 2_000_001)).isEqualTo(1_995_001);
    }

    @Test
    void whoTakesTheLaneOverIsGivenTimeAndTwiceAsMuchEachTime() {
        suspicion.seen(0, 0);
        suspicion.attempted(400_000);
        assertThat(suspicion.isSilent(400_000 + 2 * FLOOR, FLOOR, 0)).isFalse();
        assertThat(suspicion.isSilent(400_001 + 2 * FLOOR, FLOOR, 0)).isTrue();
        suspicion.attempted(2_000_000);

        assertThat(suspicion.isSilent(2_000_000 + 4 * FLOOR, FLOOR, 0)).isFalse();
        assertThat(suspicion.isSilent(2_000_001 + 4 * FLOOR, FLOOR, 0)).isTrue();
    }
}
