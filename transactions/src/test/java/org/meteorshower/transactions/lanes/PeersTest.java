/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.port.Members;

class PeersTest {
    private static final long SECOND = 1_000_000;

    private final Peers peers = new Peers(new Members(0, 3));

    @Test
    void aSilenceThatEndedByItselfIsAPauseForHalfAMinuteToAMinute() {
        peers.heard(1, 10 * SECOND, true);
        assertThat(peers.longestPauseMicros(1, 10 * SECOND)).isZero();

        peers.heard(1, 11 * SECOND, true);
        peers.heard(1, 11 * SECOND + 50_000, true);

        assertThat(peers.longestPauseMicros(1, 40 * SECOND)).isEqualTo(SECOND);
        assertThat(peers.longestPauseMicros(1, 41 * SECOND)).isEqualTo(SECOND);
        assertThat(peers.longestPauseMicros(1, 72 * SECOND)).isZero();
        assertThat(peers.longestPauseMicros(2, 12 * SECOND)).isZero();
    }

    @Test
    void whoWasAwayForLongHasNotPaused() {
        peers.heard(1, 10 * SECOND, true);
        peers.heard(1, 13 * SECOND + 1, true);

        assertThat(peers.longestPauseMicros(1, 14 * SECOND)).isZero();
    }

    @Test
    void silenceIsNoPauseOfItsWhereThisDataCentreStoodStillItself() {
        peers.heard(1, 10 * SECOND, true);
        peers.heard(1, 11 * SECOND, false);

        assertThat(peers.longestPauseMicros(1, 11 * SECOND)).isZero();
    }

    @Test
    void aStandstillCountsForHalfAMinuteToAMinuteAndALongAbsenceIsNone() {
        peers.stoodStill(300_000, 10 * SECOND);
        peers.stoodStill(50_000, 11 * SECOND);
        peers.stoodStill(3 * SECOND + 1, 11 * SECOND);

        assertThat(peers.longestStandstillMicros(11 * SECOND)).isEqualTo(300_000);
        assertThat(peers.longestStandstillMicros(90 * SECOND)).isZero();
    }
}
