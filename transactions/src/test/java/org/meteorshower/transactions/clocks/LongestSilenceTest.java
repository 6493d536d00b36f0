/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.clocks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LongestSilenceTest {
    private final LongestSilence silence = new LongestSilence(30);

    @Test
    void nobodyWasSilent() {
        assertThat(silence.lately(-1_000)).isZero();
        assertThat(silence.lately(1_000)).isZero();
    }

    @Test
    void theLongestCountsForOneToTwoWindows() {
        silence.ended(9, 100);
        silence.ended(3, 110);

        assertThat(silence.lately(130)).isEqualTo(9);
        assertThat(silence.lately(131)).isEqualTo(9);
        assertThat(silence.lately(161)).isEqualTo(9);
        assertThat(silence.lately(162)).isZero();
    }

    @Test
    void aShorterOneIsNotForgottenWithALongerOneBeforeIt() {
        silence.ended(9, 100);
        silence.ended(1, 131);
        silence.ended(3, 150);

        assertThat(silence.lately(162)).isEqualTo(3);
    }

    @Test
    void whereNobodyLookedForLongNothingIsLeft() {
        silence.ended(9, 100);

        assertThat(silence.lately(161)).isZero();
    }

    @Test
    void ofSomebodyElseNothingIsKnown() {
        silence.ended(9, 100);
        silence.ended(9, 131);
        silence.forget();

        assertThat(silence.lately(131)).isZero();
    }
}
