/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Data centre 0 of three proposes half of 2 MB a second while data centre 2 catches up. Looked at each 50 ms. */
class CatchUpRoomTest {
    private static final double LOOK_SECONDS = 0.05;
    private static final long USUAL = 2_000_000;
    private static final Percentage ABOUT = Percentage.withPercentage(10);

    private final CatchUpRoom room = new CatchUpRoom(3);
    private long micros = 1_000_000;
    private long lag = 500_000_000;

    CatchUpRoomTest() {
        passes(120, USUAL, 0, false);
    }

    /** So many seconds go by, in which so much a second is decided and gets done at the one that lags. */
    private void passes(double seconds, long decided, long drained, boolean isAwaited) {
        for (int look = 0; look < seconds / LOOK_SECONDS; look++) {
            micros += 50_000;
            lag += (decided - drained) / 20;
            room.decided(decided / 20, decided / 40, LOOK_SECONDS);
            room.looked(2, new CatchUpRoom.Look(drained > 0, drained / 20, lag, isAwaited), LOOK_SECONDS, micros);
        }
    }

    @Test
    void whileNobodyCatchesUpAllIsProposed() {
        assertThat(room.rate()).isInfinite();
    }

    @Test
    void halfOfWhatItGetsDoneIsProposed() {
        passes(50, 1_500_000, 3_000_000, true);
        assertThat(room.rate()).as("this one's half of it").isCloseTo(750_000, ABOUT);
        passes(1, 1_500_000, 3_000_000, false);
        assertThat(room.rate()).as("when it has caught up").isInfinite();
    }

    @Test
    void aQuarterOfWhatIsUsualIsAlwaysProposed() {
        passes(50, 500_000, 600_000, true);
        assertThat(room.rate()).isCloseTo(USUAL / 4.0 / 2, ABOUT);
    }

    @Test
    void whoStartsOrTakesASnapshotHoldsNobodyUp() {
        passes(50, USUAL, 0, true);
        assertThat(room.rate()).isInfinite();
        passes(1, USUAL, 3_000_000, true);
        assertThat(room.rate()).isFinite();
        passes(11, USUAL, 0, true);
        assertThat(room.rate()).isInfinite();
    }

    @Test
    void whoComesNoNearerIsLeftAloneForTenMinutes() {
        passes(59, 500_000, 400_000, true);
        assertThat(room.rate()).isFinite();
        passes(2, 500_000, 400_000, true);
        assertThat(room.rate()).isInfinite();
        passes(590, USUAL, 400_000, true);
        assertThat(room.rate()).isInfinite();
        passes(15, USUAL, 400_000, true);
        assertThat(room.rate()).as("another attempt").isFinite();
    }

    @Test
    void whoLagsSoFarThatItIsNotRememberedIsNotJudged() {
        for (int look = 0; look < 20 * 300; look++) {
            micros += 50_000;
            room.looked(2, new CatchUpRoom.Look(true, 0, lag, true), LOOK_SECONDS, micros);
        }
        assertThat(room.rate()).isCloseTo(USUAL / 4.0 / 2, ABOUT);
    }
}
