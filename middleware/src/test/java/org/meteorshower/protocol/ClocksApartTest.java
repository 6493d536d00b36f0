/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Strict is withdrawn before its condition breaks: clocks within ε, which is 5 ms here. */
class ClocksApartTest {
    private ScriptedCluster cluster;
    private ScriptedNode node;

    @BeforeEach
    void start() {
        cluster = begin(TestSettings.plain());
        node = cluster.node(1);
    }

    private static ScriptedCluster begin(TestSettings settings) {
        ScriptedCluster cluster = ScriptedCluster.unstarted(3, 2, settings);
        cluster.oneWayMillis(1, 2, 40).oneWayMillis(1, 3, 40).oneWayMillis(2, 3, 40);
        cluster.startAll();
        cluster.run(3_000);
        return cluster;
    }

    private static ScriptedNode.Reading read(ScriptedCluster cluster, int node, ReadMode mode) {
        ScriptedNode.Reading reading = cluster.node(node).read(mode);
        cluster.run(300);
        return reading;
    }

    private void driftApart() {
        while (cluster.node(2).clockAheadMicros < 4_000) {
            cluster.node(2).clockAheadMicros += 100;
            cluster.run(50);
        }
        cluster.run(100);
    }

    @Test
    void whereAPeersClockNearsTheBoundStrictReadsAndWritesAreRefusedWithItsNameAndTheCure() {
        driftApart();

        assertThat(read(cluster, 1, ReadMode.STRICT).failed)
                .matches(failed -> failed.failure() == Effect.Failure.CLOCK)
                .extracting(Effect.ReadFailed::detail)
                .asString()
                .contains("the clock of " + NodeId.of(2) + " seems")
                .contains("ahead of this node's")
                .contains("clock_error_ms (5.0 ms)");
        assertThat(node.write(Map.of("1.v", "a"), 0, true).refused.failure()).isEqualTo(Effect.Failure.CLOCK);
        assertThat(node.core().view().whyRefused(ReadMode.STRICT)).contains("clock_error_ms");
    }

    @Test
    void theNodeWhoseClockItIsRefusesThemToo() {
        driftApart();

        assertThat(read(cluster, 2, ReadMode.STRICT).failed.detail()).contains("behind this node's");
    }

    @Test
    void theOtherModesAndWritesAreServedMeanwhile() {
        driftApart();

        for (ReadMode mode : new ReadMode[] {ReadMode.SEQUENTIAL, ReadMode.METEORSHOWER1, ReadMode.METEORSHOWER2}) {
            assertThat(read(cluster, 1, mode).failed).isNull();
            assertThat(node.core().view().whyRefused(mode)).isNull();
        }
        assertThat(node.write("a", 0).refused).isNull();
    }

    @Test
    void theOperatorIsToldOnce() {
        driftApart();
        cluster.run(5_000);
        read(cluster, 1, ReadMode.STRICT);

        assertThat(node.alarms()).containsExactly(Effect.AlarmKind.CLOCKS_APART);
    }

    @Test
    void strictIsGivenAgainTenSecondsAfterTheClockIsRight() {
        driftApart();
        cluster.node(2).clockAheadMicros = 0;
        cluster.run(9_500);
        assertThat(read(cluster, 1, ReadMode.STRICT).failed).isNotNull();

        cluster.run(700);

        assertThat(read(cluster, 1, ReadMode.STRICT).failed).isNull();
        assertThat(node.write(Map.of("1.v", "a"), 0, true).refused).isNull();
    }

    /**
     * By no more than the longest delay, so that the hybrid clock is not far enough ahead to show it. The cut would be
     * one that the nearer node has covered long ago, and another's acknowledged write may lie above it.
     */
    @Test
    void aStrictReadAfterAJumpBackOfItsOwnNodesClockIsNotAnswered() {
        cluster = ScriptedCluster.unstarted(3, 2, TestSettings.plain());
        cluster.oneWayMillis(1, 2, 10).oneWayMillis(1, 3, 100).oneWayMillis(2, 3, 100);
        cluster.startAll();
        cluster.run(3_000);
        node = cluster.node(1);
        node.clockAheadMicros = -90_000;

        ScriptedNode.Reading reading = node.read(ReadMode.STRICT);
        cluster.run(100);

        assertThat(reading.value).isNull();
        assertThat(reading.failed.failure()).isEqualTo(Effect.Failure.CLOCK);
        assertThat(reading.failed.detail()).contains("ms ahead of this node's");
    }

    /** Its token would have passed on this clock alone. */
    @Test
    void aStrictWriteUnderWayAsTheClockJumpsAheadIsNotAcknowledged() {
        ScriptedNode.Write write = node.write(Map.of("1.v", "a"), 0, true);
        node.clockAheadMicros = 3_000_000;
        for (int i = 1; i <= 3; i++) {
            cluster.node(i).apply(write.put());
        }
        node.receive(NodeId.of(2), new Message.WriteAck(0, Put.KEY, write.timestampMicros(), write.timestampMicros()));
        cluster.run(200);

        assertThat(write.isDone()).isFalse();
    }

    @Test
    void notWatchedAllThisIsServed() {
        cluster = begin(TestSettings.plain().withoutWatchingClocks());
        node = cluster.node(1);
        driftApart();

        assertThat(read(cluster, 1, ReadMode.STRICT).failed).isNull();
        assertThat(node.alarms()).isEmpty();
    }
}
