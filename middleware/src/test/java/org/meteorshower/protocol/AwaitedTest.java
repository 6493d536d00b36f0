/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A read that waits can say for what. */
class AwaitedTest {
    private final ScriptedCluster cluster = ScriptedCluster.ofThree();
    private final ScriptedNode node = cluster.node(1);

    private List<CoreView.WaitingRead> waiting() {
        return node.core().view().waitingReads(10);
    }

    @Test
    void aReadThatNeedNotWaitWaitedForNothing() {
        assertThat(node.read(0).offer.info().awaited()).isNull();
        assertThat(waiting()).isEmpty();
    }

    @Test
    void aTokenAheadOfCoverageWaitsForStatus() {
        ScriptedNode.Reading reading = node.read(cluster.nowMicros + 5_000);
        assertThat(waiting()).extracting(CoreView.WaitingRead::awaited).containsExactly(Awaited.STATUS);
        cluster.run(20);

        assertThat(reading.offer.info().awaited()).isEqualTo(Awaited.STATUS);
        assertThat(waiting()).isEmpty();
    }

    @Test
    void aRowInFlightThatTheTokenForbidsToReadAsItWasIsAwaited() {
        ScriptedCluster wide = ScriptedCluster.unstarted(3, 2, TestSettings.plain());
        wide.oneWayMillis(1, 2, 20).oneWayMillis(1, 3, 60).oneWayMillis(2, 3, 60);
        wide.startAll();
        wide.run(500);
        wide.node(1).apply(wide.node(1).write("a", 0).put());
        wide.run(100);

        // Covered by now, and newer than the write's stamp.
        long token = wide.node(1).core().view().coveredUpToMicros(wide.node(2).id);
        ScriptedNode.Reading reading = wide.node(1).read(token);

        assertThat(reading.waits()).isTrue();
        assertThat(wide.node(1).core().view().waitingReads(10))
                .extracting(CoreView.WaitingRead::awaited)
                .containsExactly(Awaited.DECISION);
    }

    @Test
    void aStrictReadWaitsForStatusSentAfterItBegan() {
        ScriptedNode.Reading reading = node.read(ReadMode.STRICT);
        assertThat(reading.waits()).isTrue();
        assertThat(waiting()).extracting(CoreView.WaitingRead::awaited).containsExactly(Awaited.STATUS);
    }

    @Test
    void noMoreAreListedThanAskedFor() {
        for (int row = 1; row <= 5; row++) {
            node.read(row, cluster.nowMicros + 5_000, ReadMode.SEQUENTIAL);
        }
        assertThat(node.core().view().waitingReads(3)).hasSize(3);
        assertThat(waiting()).hasSize(5);
    }

    @Test
    void aPeersStreamIsNamedByItsPhase() {
        assertThat(node.core().view().peers()).containsExactlyInAnyOrder(NodeId.of(2), NodeId.of(3));
        assertThat(node.core().view().streamOf(NodeId.of(2))).isEqualTo("live");
        assertThat(node.core().view().streamOf(NodeId.of(9))).isEqualTo("none");
    }
}
