/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;

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

    private void progress(int dc, long sentMicros, long receivedMicros, boolean listened) {
        Message.ClockReading clock = new Message.ClockReading(0, sentMicros, -1, 0);
        peers.progress(
                dc,
                new Message.Progress(clock, List.of(0L, 0L, 0L), List.of(0L, 0L, 0L), 0, 0, 0, null, true),
                receivedMicros,
                listened);
    }

    @Test
    void whoseOwnClockTellsOfAPauseStoodStill() {
        progress(1, 7 * SECOND, 10 * SECOND, true);
        progress(1, 7 * SECOND + 300_000, 10 * SECOND + 320_000, true);
        assertThat(peers.longestStandstillMicros(1, 11 * SECOND)).isEqualTo(300_000);
        assertThat(peers.longestStandstillMicros(2, 11 * SECOND)).isZero();
        assertThat(peers.longestStandstillMicros(1, 90 * SECOND)).isZero();
    }

    @Test
    void whatCameLateOrAllAtOnceIsNoStandstill() {
        progress(1, 7 * SECOND, 10 * SECOND, true);
        progress(1, 7 * SECOND + 50_000, 10 * SECOND + 500_000, true);
        assertThat(peers.longestStandstillMicros(1, 11 * SECOND)).isEqualTo(50_000);

        // Many were lost, and then one overtook another.
        progress(1, 9 * SECOND, 10 * SECOND + 540_000, true);
        progress(1, 8 * SECOND, 10 * SECOND + 900_000, true);
        assertThat(peers.longestStandstillMicros(1, 11 * SECOND)).isEqualTo(50_000);
    }

    @Test
    void neitherALongAbsenceNorAPauseOfOnesOwnIsAStandstill() {
        progress(1, 7 * SECOND, 10 * SECOND, true);
        progress(1, 10 * SECOND + 1, 13 * SECOND + 1, true);
        progress(1, 11 * SECOND, 14 * SECOND, false);
        assertThat(peers.longestStandstillMicros(1, 14 * SECOND)).isZero();
    }
}
