/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PiecesSeenTest {
    private final PiecesSeen seen = new PiecesSeen();

    @Test
    void thePaceIsThatOfTheNewerHalf() {
        long millis = 7_000;
        seen.at(0, millis);
        assertThat(seen.secondsEach(millis + 500)).isZero();
        for (int done = 1; done <= 10; done++) {
            millis += done <= 5 ? 4_000 : 2_000;
            seen.at(done, millis);
            seen.at(done, millis + 900);
        }
        assertThat(seen.secondsEach(millis)).isCloseTo(2, within(1e-9));
    }

    @Test
    void thePieceThatIsUnderWayCounts() {
        seen.at(0, 0);
        seen.at(1, 1_000);
        assertThat(seen.secondsEach(1_000)).isCloseTo(1, within(1e-9));
        assertThat(seen.secondsEach(9_000)).isCloseTo(9, within(1e-9));
    }

    @Test
    void whatBeginsAnewHasNoPaceYet() {
        seen.at(0, 0);
        seen.at(5, 5_000);
        seen.at(2, 6_000);
        assertThat(seen.secondsEach(7_000)).isZero();
        seen.at(3, 8_000);
        assertThat(seen.secondsEach(8_000)).isCloseTo(2, within(1e-9));
        seen.clear();
        assertThat(seen.secondsEach(9_000)).isZero();
    }
}
