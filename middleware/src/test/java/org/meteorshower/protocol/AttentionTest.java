/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Status messages come at Δ where somebody needs them, and seldom where nothing happens. */
class AttentionTest {
    private static final long REST_MILLIS = 50;
    private static final long HELD_MILLIS = Attention.HELD_NANOS / 1_000_000;

    private final ScriptedCluster cluster =
            ScriptedCluster.of(3, 2, TestSettings.plain().restInterval(1_000 * REST_MILLIS));

    @BeforeEach
    void comeToRest() {
        cluster.run(2 * HELD_MILLIS);
        cluster.forgetSent();
    }

    @Test
    void aNodeFromWhichNobodyPullsSendsAtTheRestInterval() {
        cluster.run(1_000);

        assertThat(statuses(1, 2)).isBetween(18, 21);
        assertThat(cluster.sent(1, 2, Message.Pull.class)).isEmpty();
    }

    @Test
    void aReadPullsFromAllPeersAtOnceAndTheySendAtTheDispatchIntervalFromThenOn() {
        cluster.node(1).read(0);
        cluster.deliver();
        assertThat(cluster.sent(1, 2, Message.Pull.class)).hasSize(1);
        assertThat(cluster.sent(1, 3, Message.Pull.class)).hasSize(1);
        assertThat(statuses(2, 1)).isEqualTo(1);

        cluster.run(500);

        assertThat(statuses(2, 1)).isBetween(48, 52);
        assertThat(statuses(2, 3)).as("to one that needs none").isBetween(9, 14);
    }

    @Test
    void soDoesAWriteAtItsCoordinator() {
        cluster.node(1).write("a", 0);
        cluster.deliver();

        assertThat(cluster.sent(1, 2, Message.Pull.class)).hasSize(1);
    }

    @Test
    void whileReadsGoOnPullsAreRepeatedAndFew() {
        for (int i = 0; i < 3_000; i++) {
            cluster.node(1).read(0);
            cluster.run(1);
        }

        assertThat(cluster.sent(1, 2, Message.Pull.class)).hasSizeBetween(9, 11);
        assertThat(statuses(2, 1)).isBetween(295, 320);
    }

    @Test
    void aLostPullIsMadeUpForByTheNext() {
        cluster.lose(Message.Pull.class::isInstance);
        cluster.node(1).read(0);
        cluster.deliver();
        cluster.heal();
        cluster.run(400);
        cluster.forgetSent();
        cluster.node(1).read(0);
        cluster.run(100);

        assertThat(statuses(2, 1)).isGreaterThanOrEqualTo(10);
    }

    @Test
    void theReadIsAnsweredOfARestingNodesOlderCutWithoutAWait() {
        ScriptedNode.Reading reading = cluster.node(1).read(0);

        assertThat(reading.waits()).isFalse();
    }

    @Test
    void aStampIsAnnouncedAtTheDispatchIntervalAlsoByANodeThatRests() {
        Put put = Put.of(cluster.nowMicros, "b");
        cluster.node(2).apply(put);
        cluster.run(10);

        assertThat(cluster.sent(2, 1, Message.StatusMessage.class))
                .anyMatch(status -> !status.payload().isEmpty());
    }

    @Test
    void whatIsInFlightHoldsAttentionUntilItIsRetired() {
        cluster.cut(1, 3);
        cluster.write(1, "c");
        cluster.run(3_000);
        assertThat(cluster.node(1).core().view().recordCount()).isPositive();
        cluster.forgetSent();
        cluster.run(1_000);
        assertThat(statuses(2, 1)).isGreaterThan(95);

        cluster.heal();
        cluster.run(10_000);
        assertThat(cluster.node(1).core().view().recordCount()).isZero();
        cluster.forgetSent();
        cluster.run(1_000);
        assertThat(statuses(2, 1)).isLessThan(25);
    }

    @Test
    void withoutARestIntervalNobodyPullsAndNobodyRests() {
        ScriptedCluster restless = ScriptedCluster.ofThree();
        restless.run(2 * HELD_MILLIS);
        restless.forgetSent();
        restless.node(1).read(0);
        restless.run(1_000);

        assertThat(restless.sent(1, 2, Message.Pull.class)).isEmpty();
        assertThat(restless.sent(2, 1, Message.StatusMessage.class)).hasSizeBetween(95, 105);
    }

    private int statuses(int from, int to) {
        return cluster.sent(from, to, Message.StatusMessage.class).size();
    }
}
