/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The degradation ladder: local, older, wait, pull, error; and never anything else. */
class DegradationTest {
    private final ScriptedCluster cluster = ScriptedCluster.ofThree();
    private final ScriptedNode node = cluster.node(1);

    @Test
    void nothingInFlightIsServedLocally() {
        cluster.write(1, "a");
        cluster.run(1_000);

        assertThat(node.read(0).served()).isEqualTo(Served.LOCAL);
    }

    @Test
    void somethingInFlightIsServedAtAnOlderCut() {
        ScriptedCluster wide = ScriptedCluster.unstarted(3, 2, TestSettings.plain());
        wide.oneWayMillis(1, 2, 20).oneWayMillis(1, 3, 60).oneWayMillis(2, 3, 60);
        wide.startAll();
        wide.run(500);
        wide.node(1).apply(wide.node(1).write("a", 0).put());
        wide.run(100);

        ScriptedNode.Reading reading = wide.node(1).read(0);

        assertThat(reading.value).isEqualTo("nothing");
        assertThat(reading.served()).isEqualTo(Served.OLDER);
    }

    @Test
    void aTokenAheadOfCoverageWaits() {
        ScriptedNode.Reading reading = node.read(cluster.nowMicros + 5_000);
        assertThat(reading.waits()).isTrue();
        cluster.run(20);

        assertThat(reading.served()).isEqualTo(Served.WAITED);
    }

    @Test
    void aReadThatWaitedLongPullsFromAllReplicasAndAnswersAtACut() {
        cluster.cutOff(1);
        cluster.run(20);
        ScriptedNode.Reading reading = node.read(cluster.nowMicros);
        cluster.run(600);
        assertThat(cluster.sent(1, 2, Message.Pull.class)).hasSize(1);
        assertThat(cluster.sent(1, 3, Message.Pull.class)).hasSize(1);
        assertThat(reading.waits()).isTrue();

        cluster.heal();
        cluster.run(200);

        assertThat(reading.served()).isEqualTo(Served.PULLED);
        assertThat(reading.offer.confirm()).isTrue();
    }

    @Test
    void aPullIsAnsweredByAStatusMessageWithoutWaitingForTheNextDispatch() {
        cluster.run(3);
        cluster.forgetSent();

        node.receive(NodeId.of(2), new Message.Pull(cluster.nowMicros));

        assertThat(cluster.sent(1, 2, Message.StatusMessage.class)).hasSize(1);
    }

    @Test
    void manyPullsDoNotMakeManyMessages() {
        cluster.forgetSent();
        for (int i = 0; i < 100; i++) {
            node.receive(NodeId.of(2), new Message.Pull(cluster.nowMicros));
        }
        cluster.run(1);

        assertThat(cluster.sent(1, 2, Message.StatusMessage.class)).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void atItsDeadlineAReadFailsAndSaysWhatWasMissing() {
        cluster.cutOff(1);
        cluster.run(20);
        ScriptedNode.Reading reading = node.read(cluster.nowMicros);

        cluster.run(2_100);

        assertThat(reading.failed.failure()).isEqualTo(Effect.Failure.TIMED_OUT);
        assertThat(reading.failed.detail()).contains("too few replicas");
        assertThat(node.core().view().openReadCount()).isZero();
    }

    @Test
    void aCutOffNodeNeverAnswersANewerTokenFromItsOwnStore() {
        cluster.cutOff(1);
        ScriptedNode.Write write = cluster.node(2).write("a", 0);
        for (int i = 1; i <= 3; i++) { // it has the very value, by a way of its own
            cluster.node(i).apply(write.put());
        }
        cluster.node(3).acknowledge(write);
        cluster.deliver();
        assertThat(write.isDone()).isTrue();

        ScriptedNode.Reading reading = node.read(write.tokenMicros);
        cluster.run(3_000);

        assertThat(reading.value).isNull();
        assertThat(reading.failed).isNotNull();
    }

    @Test
    void aCutOffNodeStillAnswersOldTokensAtOldCuts() {
        cluster.write(1, "a");
        cluster.run(1_000);
        cluster.cutOff(1);
        cluster.run(5_000);

        ScriptedNode.Reading reading = node.read(0);

        assertThat(reading.value).isEqualTo("a");
        assertThat(reading.offer.info().stalenessMicros()).isGreaterThan(4_900_000);
    }

    @Test
    void oneReadMoreThanMayWaitIsRefused() {
        ScriptedCluster small = ScriptedCluster.of(3, 2, TestSettings.plain().maxWaitingReads(5));
        small.cutOff(1);
        for (int i = 0; i < 5; i++) {
            assertThat(small.node(1).read(small.nowMicros + 1_000).waits()).isTrue();
        }

        ScriptedNode.Reading reading = small.node(1).read(small.nowMicros + 1_000);

        assertThat(reading.failed.failure()).isEqualTo(Effect.Failure.OVERLOADED);
    }

    @Test
    void aReadThatNobodyWaitsForIsForgotten() {
        ScriptedNode.Reading reading = node.read(cluster.nowMicros + 500_000);
        node.step(new Event.ReadAbandoned(reading.id));

        assertThat(node.core().view().openReadCount()).isZero();
        assertThat(node.core().view().waitingReadCount()).isZero();
    }
}
