/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a status message's round trip and the clock in it tell of the sender's clock; ε is 5 ms. */
class SkewWatchTest {
    private static final NodeId SELF = NodeId.of(1);
    private static final NodeId PEER = NodeId.of(2);
    private static final ReplicaGroup GROUP = new ReplicaGroup(List.of(SELF, PEER, NodeId.of(3)), 2);
    private static final long ROUND_TRIP_MICROS = 100_000;

    private final LiveSettings settings = new LiveSettings(TestSettings.plain().build());
    private final SkewWatch watch = new SkewWatch(settings);
    private long nowMicros = 1_000_000_000L;
    private long alarms;

    @BeforeEach
    void seeShortRoundTrips() {
        samples(60, 0, 0);
    }

    /**
     * A message that was as long on its way as the one that it answers, but for what it and that one waited in queues.
     */
    private void sample(long aheadMicros, long queuedMicros, long queuedThereMicros) {
        nowMicros += 10_000;
        long sentMicros = nowMicros - ROUND_TRIP_MICROS / 2 - queuedMicros;
        String trouble = watch.heard(
                PEER, sentMicros + aheadMicros, ROUND_TRIP_MICROS + queuedMicros + queuedThereMicros, now());
        alarms += trouble == null ? 0 : 1;
    }

    private void samples(int count, long aheadMicros, long queuedMicros) {
        for (int i = 0; i < count; i++) {
            sample(aheadMicros, queuedMicros, 0);
        }
    }

    private Now now() {
        return new Now(nowMicros, nowMicros * 1_000);
    }

    private String obstacle() {
        return watch.obstacle(GROUP, nowMicros * 1_000);
    }

    @Test
    void clocksThatAgreeAreNoObstacle() {
        assertThat(obstacle()).isNull();
    }

    @Test
    void aClockThatNearsTheBoundIsOneAtItsThirdMessageAndTheOperatorIsToldOnce() {
        samples(20, 3_700, 0);
        assertThat(obstacle()).isNull();

        samples(2, 3_800, 0);
        assertThat(obstacle()).isNull();
        sample(3_800, 0, 0);
        assertThat(obstacle())
                .contains("the clock of " + PEER + " seems 3.8 ms ahead of this node's")
                .contains("within 3.75 ms")
                .contains("clock_error_ms (5.0 ms)")
                .contains("chrony or NTP");
        samples(20, 3_800, 0);

        assertThat(alarms).isEqualTo(1);
    }

    @Test
    void aClockThatIsBehindIsOneToo() {
        samples(3, -3_800, 0);

        assertThat(obstacle()).contains("3.8 ms behind this node's");
    }

    @Test
    void whatMessagesWaitInQueuesIsNotTakenForADifference() {
        sample(0, 200_000, 0);
        sample(0, 0, 200_000);
        sample(0, 8_000, 0);

        assertThat(obstacle()).isNull();
    }

    @Test
    void butADifferenceLargerThanWhatTheyWaitedShows() {
        sample(10_000, 0, 12_000);
        sample(10_000, 0, 12_000);
        sample(10_000, 0, 12_000); // the difference seems 16 ms, of which the queue may be 6

        assertThat(obstacle()).isNotNull();
    }

    @Test
    void beforeAFewRoundTripsWereSeenNothingIsConcludedAndNothingCountsAsCompared() {
        SkewWatch young = new SkewWatch(settings);
        for (int i = 0; i < 50; i++) {
            assertThat(young.heard(PEER, nowMicros + 500_000, ROUND_TRIP_MICROS, now()))
                    .isNull();
        }

        assertThat(young.obstacle(GROUP, nowMicros * 1_000)).isNull();
        assertThat(young.isComparedSince(0, GROUP, 1, nowMicros * 1_000)).isFalse();
    }

    @Test
    void itIsNoObstacleAnyMoreTenSecondsAfterTheClocksAgree() {
        samples(3, 4_000, 0);
        samples(999, 0, 0);
        assertThat(obstacle()).isNotNull();

        samples(2, 0, 0);
        assertThat(obstacle()).isNull();
    }

    @Test
    void whatNeitherWithdrawsNorIsWellDoesNotGiveItBack() {
        samples(2_000, 3_000, 0);
        assertThat(obstacle()).isNull();

        samples(3, 4_000, 0);
        samples(2_000, 3_000, 0);

        assertThat(obstacle()).isNotNull();
    }

    @Test
    void aSilentPeerIsNoObstacle() {
        samples(3, 4_000, 0);
        nowMicros += 2 * settings.now().streamTimeoutMicros() + 1_000;

        assertThat(obstacle()).isNull();
        assertThat(watch.obstacle(nowMicros * 1_000)).isNull();
        assertThat(watch.isComparedSince(nowMicros * 1_000, GROUP, 1, nowMicros * 1_000))
                .isTrue();
    }

    @Test
    void norIsOneThatHoldsNoReplicaOrIsAPeerNoMore() {
        samples(3, 4_000, 0);

        assertThat(watch.obstacle(new ReplicaGroup(List.of(SELF), 1), nowMicros * 1_000))
                .isNull();
        assertThat(watch.obstacle(nowMicros * 1_000)).isNotNull();
        watch.retain(Set.of());
        assertThat(obstacle()).isNull();
    }

    @Test
    void clocksAreComparedByAMessageThatCameSince() {
        long since = nowMicros * 1_000 + 1;
        assertThat(watch.isComparedSince(since, GROUP, 1, nowMicros * 1_000)).isFalse();

        sample(0, 0, 0);

        assertThat(watch.isComparedSince(since, GROUP, 1, nowMicros * 1_000)).isTrue();
    }

    @Test
    void oneSampleAloneWithdrawsNothingButNothingCountsAsComparedUntilTheNext() {
        long since = nowMicros * 1_000;
        sample(4_000, 0, 0);
        assertThat(obstacle()).isNull();
        assertThat(watch.isComparedSince(since, GROUP, 1, nowMicros * 1_000)).isFalse();

        sample(0, 0, 0);

        assertThat(watch.isComparedSince(since, GROUP, 1, nowMicros * 1_000)).isTrue();
    }

    @Test
    void aLargerBoundChangesTheVerdictWithoutARestart() {
        samples(3, 4_000, 0);
        settings.change(withClockError(20_000));

        samples(1_001, 4_000, 0);

        assertThat(obstacle()).isNull();
    }

    @Test
    void switchedOffNothingIsAnObstacle() {
        samples(3, 4_000, 0);
        settings.change(TestSettings.plain().withoutWatchingClocks().build());

        assertThat(obstacle()).isNull();
        assertThat(watch.isComparedSince(Long.MAX_VALUE, GROUP, 1, nowMicros * 1_000))
                .isTrue();
    }

    private static Settings withClockError(long micros) {
        return TestSettings.plain().clockError(micros).build();
    }
}
