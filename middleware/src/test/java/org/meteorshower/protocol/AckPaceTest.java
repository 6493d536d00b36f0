/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AckPaceTest {
    private static final long MILLI = 1_000_000;
    private static final Settings SETTINGS = TestSettings.plain().build();

    /** Where the elapsed clock begins is not said: it may be below 0. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE / 2, -1, 0, Long.MAX_VALUE / 2})
    void theFirstOneIsNotMany(long beganNanos) {
        AckPace pace = new AckPace(beganNanos);
        pace.asked(beganNanos + MILLI);
        assertThat(pace.isBusy(SETTINGS)).isFalse();
    }

    @Test
    void manyAreSoUntilNoneComesForAWhile() {
        AckPace pace = new AckPace(0);
        long now = 0;
        for (int i = 0; i < 50; i++) {
            now += 2 * MILLI;
            pace.asked(now);
        }
        assertThat(pace.isBusy(SETTINGS)).isTrue();
        pace.asked(now + 3_600_000 * MILLI);
        assertThat(pace.isBusy(SETTINGS)).isFalse();
    }
}
