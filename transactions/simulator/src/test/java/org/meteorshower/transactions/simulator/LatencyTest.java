/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.port.Settings;

/** One round trip to the nearest majority, and an epoch; whether or not all touch the same row. */
class LatencyTest {
    private static List<List<Long>> delaysMillis(long... rows) {
        int dcs = (int) Math.sqrt(rows.length);
        long[][] delays = new long[dcs][dcs];
        for (int i = 0; i < rows.length; i++) {
            delays[i / dcs][i % dcs] = 1_000 * rows[i];
        }
        return Kind.asLists(delays);
    }

    private static void assertNear(LatencyRun.Figures figures, long majorityMillis) {
        assertThat(figures.commits()).isGreaterThan(300);
        assertThat(figures.median()).isLessThan((long) (1.08 * 1_000 * majorityMillis));
        assertThat(figures.p99()).isLessThan((long) (1.25 * 1_000 * majorityMillis));
    }

    @Test
    void aCommitTakesOneRoundTripWhereAllAreFiftyMillisecondsApart() {
        LatencyRun.measure(delaysMillis(0, 50, 50, 50, 0, 50, 50, 50, 0), 0, 0)
                .forEach(figures -> assertNear(figures, 100));
    }

    @Test
    void contentionOnOneRowCostsNothing() {
        LatencyRun.measure(delaysMillis(0, 50, 50, 50, 0, 50, 50, 50, 0), 0, 1)
                .forEach(figures -> assertNear(figures, 100));
    }

    @Test
    void whoIsFarFromTheOthersWaitsForItsOwnMajorityAndNobodyElseDoes() {
        List<LatencyRun.Figures> figures = LatencyRun.measure(delaysMillis(0, 50, 75, 50, 0, 120, 75, 120, 0), 0, 0);

        assertNear(figures.get(0), 100);
        assertNear(figures.get(1), 100);
        assertNear(figures.get(2), 150);
    }

    /** A takeover is two round trips between those who are left, and what passes before it begins. */
    @Test
    void whereADataCentreDiesTheOthersAreNotHeldUpForLong() {
        List<List<Long>> delays = delaysMillis(0, 50, 50, 50, 0, 50, 50, 50, 0);
        assertLongestWait(LatencyRun.longestWaits(delays, 0, false), 0, 400);
        assertLongestWait(LatencyRun.longestWaits(delays, 1, true), 1, 650);
    }

    /** Two of them are 240 ms apart, and have to agree on it. */
    @Test
    void theNearestIsPassedOverInOneRoundTripOfTheOthers() {
        List<List<Long>> delays = delaysMillis(0, 50, 75, 50, 0, 120, 75, 120, 0);
        assertOthers(TroubleRun.measure(delays, 0, Trouble.DIES, 5_000_000), 0, 450, 260);
        assertOthers(TroubleRun.measure(delays, 0, Trouble.STANDS_STILL, 5_000_000), 0, 550, 260);
    }

    @Test
    void aDataCentreThatIsFarAwayForAWhileSlowsNobodyAndIsPassedOverOnce() {
        List<List<Long>> delays = delaysMillis(0, 50, 50, 50, 0, 50, 50, 50, 0);
        TroubleRun.Result result = TroubleRun.measure(delays, 0, Trouble.SLOW, 20_000_000);
        assertOthers(result, 0, 350, 150);
        assertThat(result.newLeaders()).isLessThanOrEqualTo(4);
    }

    /** It collects garbage, say: it pauses for up to half a second, fifteen times. */
    @Test
    void whoPausesAgainAndAgainLosesItsLaneOnce() {
        List<List<Long>> delays = delaysMillis(0, 50, 50, 50, 0, 50, 50, 50, 0);
        TroubleRun.Result result = TroubleRun.measure(delays, 0, Trouble.PAUSES, 20_000_000);
        assertOthers(result, 0, 550, 450);
        assertThat(result.newLeaders()).isLessThanOrEqualTo(2);
    }

    /** Whoever paused, the next one is granted as much. */
    @Test
    void whereAllPauseOneLaneIsLostOnce() {
        List<List<Long>> delays = delaysMillis(0, 50, 50, 50, 0, 50, 50, 50, 0);
        TroubleRun.Result result = TroubleRun.measure(delays, 0, Trouble.ALL_PAUSE, 20_000_000);
        assertThat(result.newLeaders()).isLessThanOrEqualTo(2);
    }

    @Test
    void whoHasJustStartedTakesSilenceForAPauseAndTheEndOfConnectionsForNone() {
        List<List<Long>> delays = delaysMillis(0, 50, 50, 50, 0, 50, 50, 50, 0);
        Settings settling = Settings.DEFAULT.withSettlingMicros(60_000_000);
        assertThat(TroubleRun.measure(delays, 0, Trouble.PAUSES, 20_000_000).newLeaders())
                .as("later the first pause costs a lane")
                .isPositive();
        assertThat(TroubleRun.measure(delays, 0, Trouble.PAUSES, 20_000_000, settling)
                        .newLeaders())
                .isZero();
        assertOthers(TroubleRun.measure(delays, 0, Trouble.DIES, 5_000_000, settling), 0, 400, 250);
    }

    /** Words that come late are no pause: nobody is granted more for them. */
    @Test
    void whoseWordsComeLateSlowsNobody() {
        List<List<Long>> delays = delaysMillis(0, 50, 50, 50, 0, 50, 50, 50, 0);
        assertOthers(TroubleRun.measure(delays, 0, Trouble.UNSTEADY, 20_000_000), 0, 550, 150);
    }

    /** What is lost on its way is asked for. */
    @Test
    void whereMessagesAreLostNobodyIsPassedOver() {
        List<List<Long>> delays = delaysMillis(0, 50, 50, 50, 0, 50, 50, 50, 0);
        TroubleRun.Result result = TroubleRun.measure(delays, 0, Trouble.LOSSY, 20_000_000);
        assertOthers(result, 0, 400, 250);
        assertThat(result.newLeaders()).isZero();
    }

    private static void assertOthers(TroubleRun.Result result, int inTrouble, long mostMillis, long p99Millis) {
        for (int dc = 0; dc < result.byDc().size(); dc++) {
            if (dc != inTrouble) {
                assertThat(result.byDc().get(dc).longest()).as("at %d", dc).isLessThan(1_000 * mostMillis);
                assertThat(result.byDc().get(dc).p99()).as("at %d", dc).isLessThan(1_000 * p99Millis);
            }
        }
    }

    /** It closes its epochs earlier, for its own clients' time. */
    @Test
    void whoIsFromUnsteadyWaysSlowsItsOwnClientsOnly() {
        List<List<Long>> delays = delaysMillis(0, 50, 50, 50, 0, 50, 50, 50, 0);
        List<LatencyRun.Figures> figures = LatencyRun.whileOneIsUnsteady(delays, 2, 500_000);
        assertThat(figures.get(0).median()).isLessThan(110_000);
        assertThat(figures.get(1).median()).isLessThan(110_000);
    }

    private static void assertLongestWait(List<Long> micros, int dies, long mostMillis) {
        for (int dc = 0; dc < micros.size(); dc++) {
            if (dc != dies) {
                assertThat(micros.get(dc)).as("at %d, where %d dies", dc, dies).isLessThan(1_000 * mostMillis);
            }
        }
    }
}
