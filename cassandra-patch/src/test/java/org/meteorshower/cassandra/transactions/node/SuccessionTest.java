/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.NodeId;

/** Who takes a process over, and when. A look every 50 ms, on a clock of the test's own. */
final class SuccessionTest {
    private static final NodeId RUNNER = NodeId.of(1);
    private static final NodeId OTHER = NodeId.of(2);
    private static final Succession.Seen FIRST = new Succession.Seen(0, false, false);
    private static final Succession.Seen SECOND = new Succession.Seen(1, false, false);
    private static final Succession.Seen FIRST_SEVERED = new Succession.Seen(0, false, true);

    private long now = 1_000_000_000_000L;
    private final Succession succession = new Succession(now);

    private boolean looksAfterMillis(long millis, Succession.Seen seen) {
        now += millis * 1_000_000;
        return succession.isDue(() -> seen, now);
    }

    /** Looks until it is due, and tells after how many milliseconds that is; -1 if not within a minute. */
    private long dueAfterMillis(Succession.Seen seen) {
        for (long millis = 50; millis <= 60_000; millis += 50) {
            if (looksAfterMillis(50, seen)) {
                return millis;
            }
        }
        return -1;
    }

    /** Announcements that are so far apart, for so long; nobody is to begin meanwhile. */
    private void announced(long everyMillis, long forMillis) {
        for (long millis = 0; millis < forMillis; millis += 50) {
            if (millis % everyMillis == 0) {
                succession.heard(RUNNER, 7);
            }
            assertThat(looksAfterMillis(50, FIRST)).isFalse();
        }
    }

    @Test
    void whereNobodyIsHeardTheFirstBeginsAndEachNextOneLater() {
        assertThat(dueAfterMillis(FIRST)).isEqualTo(1_200);
        assertThat(new SuccessionTest().dueAfterMillis(SECOND)).isEqualTo(1_500);
    }

    @Test
    void whoIsAloneInItsDataCentreHardlyWaits() {
        assertThat(dueAfterMillis(new Succession.Seen(0, true, false))).isEqualTo(200);
    }

    @Test
    void nobodyBeginsWhileSomebodyIsHeard() {
        announced(100, 60_000);
    }

    @Test
    void silenceCountsAfterASecond() {
        announced(100, 10_000);
        assertThat(dueAfterMillis(FIRST)).isBetween(900L, 1_000L);
    }

    @Test
    void whoDiesIsSucceededSoonerThanWhoIsSilent() {
        announced(100, 10_000);
        assertThat(dueAfterMillis(FIRST_SEVERED)).isBetween(200L, 300L);
    }

    @Test
    void aPauseOfSevenHundredMillisecondsIsNoDeath() {
        announced(100, 5_000);
        announced(700, 60_000);
    }

    @Test
    void whoPausesTimeAndAgainIsGivenMoreTime() {
        announced(100, 5_000);
        announced(700, 5_000);
        assertThat(dueAfterMillis(FIRST)).isBetween(1_800L, 2_100L);
    }

    @Test
    void pausesAreForgotten() {
        announced(100, 5_000);
        announced(700, 5_000);
        announced(100, 70_000);
        assertThat(dueAfterMillis(FIRST)).isBetween(900L, 1_000L);
    }

    @Test
    void whatThisNodeItselfSleptThroughIsNotSilence() {
        announced(100, 5_000);
        for (int i = 0; i < 4; i++) {
            assertThat(looksAfterMillis(10_000, FIRST)).isFalse();
        }
        announced(100, 5_000);
    }

    @Test
    void afterAFarewellTheFirstBeginsAtOnce() {
        announced(100, 5_000);
        succession.farewell(7);
        assertThat(dueAfterMillis(FIRST)).isEqualTo(50);
        assertThat(succession.life()).isZero();
        succession.heard(RUNNER, 7); // on its way since before
        assertThat(succession.life()).isZero();
        succession.heard(OTHER, 8);
        assertThat(succession.life()).isEqualTo(8);
        assertThat(looksAfterMillis(50, FIRST)).isFalse();
    }

    @Test
    void whoSaysThatItBeginsIsWaitedForAndNotForEver() {
        announced(100, 5_000);
        succession.candidate(now);
        assertThat(dueAfterMillis(FIRST_SEVERED)).isEqualTo(4_000);
    }

    @Test
    void theSilenceOfOneIsNotHeldAgainstTheNext() {
        announced(100, 5_000);
        for (int i = 0; i < 17; i++) {
            assertThat(looksAfterMillis(50, FIRST)).isFalse();
        }
        for (int i = 0; i < 20; i++) {
            succession.heard(OTHER, 8);
            assertThat(looksAfterMillis(100, FIRST)).isFalse();
        }
        assertThat(dueAfterMillis(FIRST)).isBetween(900L, 1_000L);
    }

    @Test
    void whoWasReplacedIsNotHeard() {
        announced(100, 5_000);
        succession.heard(OTHER, 8);
        assertThat(looksAfterMillis(50, FIRST)).isFalse();
        for (int i = 0; i < 10; i++) {
            succession.heard(RUNNER, 7);
            assertThat(looksAfterMillis(50, FIRST)).isFalse();
        }
        assertThat(succession.runner()).isEqualTo(OTHER);
        assertThat(dueAfterMillis(FIRST)).isLessThanOrEqualTo(500);
    }
}
