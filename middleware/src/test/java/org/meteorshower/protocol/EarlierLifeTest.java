/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a peer had heard before it crashed, and not stamped, it does not know any more. */
class EarlierLifeTest {
    private final ScriptedCluster cluster = ScriptedCluster.unstarted(3, 2, TestSettings.plain());
    private final ScriptedNode one = cluster.node(1);
    private final ScriptedNode two = cluster.node(2);
    private final ScriptedNode three = cluster.node(3);

    /** So long the node is heard and hears nothing: its requests are repeated, and then made anew. */
    @ParameterizedTest
    @ValueSource(ints = {2_000, 5_700, 5_800, 5_900, 6_900})
    void isToldAgainBeforeItIsForgotten(int deafMillis) {
        cluster.oneWayMillis(1, 2, 40).oneWayMillis(1, 3, 40).oneWayMillis(2, 3, 40);
        cluster.startAll();
        ScriptedNode.Write old = two.write("old", 0);
        one.apply(old.put());
        two.apply(old.put());
        three.apply(old.put());
        cluster.run(2_000);
        ScriptedNode.Write write = two.write("new", 0);
        two.apply(write.put());
        three.apply(write.put());
        cluster.lose(EarlierLifeTest::bringsIt);
        cluster.run(100); // node 1 hears of both stamps, and says so
        assertThat(write.isDone()).isTrue();
        assertThat(one.core().view().recordCount()).isEqualTo(1);

        restartDeaf();
        one.apply(write.put()); // as a hint brings it
        cluster.run(deafMillis);
        assertThat(two.core().view().recordCount()).isEqualTo(1);
        assertThat(three.core().view().recordCount()).isEqualTo(1);

        cluster.heal();
        while (!covers(2) || !covers(3)) {
            cluster.run(1);
        }
        ScriptedNode.Reading reading = one.read(write.tokenMicros);
        cluster.run(10_000);
        assertThat(reading.value).isEqualTo("new");
        assertThat(two.core().view().recordCount()).isZero();
    }

    private static boolean bringsIt(Message message) {
        return message instanceof Message.Settle || message instanceof Message.Fetch;
    }

    /** The others ask it for streams, and what they tell it is lost. */
    private void restartDeaf() {
        one.crash();
        one.restart();
        cluster.lose(message -> bringsIt(message)
                || (message instanceof Message.Snapshot snapshot
                        && snapshot.stream().receiverIncarnation() == 2));
        cluster.run(90);
        cluster.cutOneWay(2, 1);
        cluster.cutOneWay(3, 1);
    }

    private boolean covers(int peer) {
        return one.core().view().coveredUpToMicros(NodeId.of(peer)) != null;
    }
}
