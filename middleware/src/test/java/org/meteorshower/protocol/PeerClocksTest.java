/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The latest that peers' clocks may show, told by elapsed time; ε is 5 ms, so 3.75 ms are taken off. */
class PeerClocksTest {
    private static final NodeId SELF = NodeId.of(1);
    private static final NodeId PEER = NodeId.of(2);
    private static final NodeId OTHER = NodeId.of(3);
    private static final ReplicaGroup GROUP = new ReplicaGroup(List.of(SELF, PEER, OTHER), 2);
    private static final long WAY_MICROS = 50_000;
    private static final long NEAR_MICROS = 3_750;

    private final LiveSettings settings = new LiveSettings(TestSettings.plain().build());
    private PeerClocks clocks = new PeerClocks(settings);

    /** True time; elapsed time runs with it, and began at some other moment. */
    private long nowMicros = 1_000_000_000L;

    @BeforeEach
    void seeShortRoundTrips() {
        samples(60, 0);
    }

    private void sample(NodeId peer, long aheadMicros, long queuedMicros, long queuedThereMicros) {
        nowMicros += 10_000;
        long sentMicros = nowMicros - WAY_MICROS - queuedMicros;
        // This node's physical clock is of no account.
        Now now = new Now(nowMicros % 7_000, nanos());
        clocks.heard(peer, sentMicros + aheadMicros, 2 * WAY_MICROS + queuedMicros + queuedThereMicros, now);
    }

    private void samples(int count, long aheadMicros) {
        for (int i = 0; i < count; i++) {
            sample(PEER, aheadMicros, 0, 0);
        }
    }

    private long nanos() {
        return (nowMicros - 999_000_000L) * 1_000;
    }

    /** Less true time, and what is taken off for ε put on again. */
    private long aheadMicros() {
        return clocks.atLeastMicros(GROUP, 1, nanos(), nanos()) + NEAR_MICROS - nowMicros;
    }

    @Test
    void aClockThatIsRightShowsTheRightTime() {
        assertThat(aheadMicros()).isZero();
    }

    @Test
    void oneThatWentAheadIsBelievedAtItsFirstMessage() {
        samples(1, 20_000);

        assertThat(aheadMicros()).isEqualTo(20_000);
    }

    @Test
    void andOneThatWentBackToo() {
        samples(1, -20_000);

        assertThat(aheadMicros()).isEqualTo(-20_000);
    }

    @Test
    void whatMessagesWaitInQueuesIsNotTakenForATimeThatTheClockShows() {
        sample(PEER, 0, 200_000, 0);
        assertThat(aheadMicros()).isBetween(0L, 100L);
        sample(PEER, 0, 0, 200_000);
        assertThat(aheadMicros()).isBetween(0L, 100L);
        sample(PEER, 0, 80_000, 200_000);
        assertThat(aheadMicros()).isBetween(0L, 100L);
    }

    @Test
    void noReadIsToldTooEarlyATimeWhateverWaitsInQueues() {
        for (int i = 0; i < 500; i++) {
            sample(PEER, i < 250 ? 0 : 30_000, i * 7_919L % 40_000, i * 104_729L % 40_000);
            if (i < 250 || i > 300) {
                assertThat(aheadMicros()).isGreaterThanOrEqualTo(i < 250 ? 0 : 30_000 - 40_000L / 50);
            }
        }
    }

    @Test
    void whileNothingIsHeardItLosesAThousandthForClocksDrift() {
        nowMicros += 2_000_000;

        assertThat(aheadMicros()).isEqualTo(2_000);
    }

    @Test
    void anEarlierMomentIsToldByWhatIsKnownNow() {
        long beganNanos = nanos();
        long beganMicros = nowMicros;
        samples(1, 20_000);

        assertThat(clocks.atLeastMicros(GROUP, 1, beganNanos, nanos())).isEqualTo(beganMicros + 20_000 - NEAR_MICROS);
    }

    @Test
    void beforeAFewRoundTripsWereSeenAWholeOneMayLieBetween() {
        clocks = new PeerClocks(settings);
        samples(50, 0);
        assertThat(aheadMicros()).isEqualTo(WAY_MICROS);

        samples(1, 0);

        assertThat(aheadMicros()).isZero();
    }

    @Test
    void nothingIsKnownBeforeTheFirstMessage() {
        clocks = new PeerClocks(settings);
        assertThat(clocks.areKnown(GROUP, 1)).isFalse();
        assertThat(clocks.areKnown(GROUP, 0)).isTrue();
        assertThat(clocks.atLeastMicros(GROUP, 1, nanos(), nanos())).isEqualTo(Long.MIN_VALUE);

        samples(1, 0);

        assertThat(clocks.areKnown(GROUP, 1)).isTrue();
        assertThat(clocks.areKnown(GROUP, 2)).isFalse();
    }

    @Test
    void theLatestOfThemCounts() {
        sample(OTHER, 70_000, 0, 0); // of which little is known yet

        assertThat(aheadMicros()).isEqualTo(70_000 + WAY_MICROS);
        assertThat(clocks.atLeastMicros(new ReplicaGroup(List.of(SELF, PEER), 1), 1, nanos(), nanos()))
                .isLessThan(nowMicros);
    }

    @Test
    void aSilentOneCountsWhereTooFewAreHeardAlone() {
        sample(OTHER, 70_000, 0, 0);
        nowMicros += 2 * settings.now().streamTimeoutMicros();
        assertThat(aheadMicros()).isGreaterThan(70_000);

        samples(1, 0);
        assertThat(aheadMicros()).isLessThan(10_000);
        assertThat(clocks.atLeastMicros(GROUP, 2, nanos(), nanos())).isGreaterThan(nowMicros + 70_000);
    }

    @Test
    void oneThatIsAPeerNoMoreIsForgotten() {
        clocks.retain(Set.of(OTHER));

        assertThat(clocks.areKnown(GROUP, 1)).isFalse();
    }

    @Test
    void switchedOffNothingIsToldAndNothingAwaited() {
        settings.change(TestSettings.plain().withoutWatchingClocks().build());

        assertThat(clocks.atLeastMicros(GROUP, 1, nanos(), nanos())).isEqualTo(Long.MIN_VALUE);
        assertThat(clocks.areKnown(GROUP, 2)).isTrue();
    }
}
