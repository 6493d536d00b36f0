/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Settings are changed by an event, and hold for all that follows. */
class ChangedSettingsTest {
    private final ScriptedCluster cluster = ScriptedCluster.ofThree();
    private final ScriptedNode node = cluster.node(1);

    private int statusMessagesInASecond() {
        cluster.forgetSent();
        cluster.run(1_000);
        return cluster.sent(1, 2, Message.StatusMessage.class).size();
    }

    @Test
    void statusMessagesGoOutAtTheNewInterval() {
        assertThat(statusMessagesInASecond()).isBetween(90, 110);

        node.step(new Event.SettingsChanged(
                TestSettings.plain().dispatchInterval(50_000).build()));

        assertThat(statusMessagesInASecond()).isBetween(18, 22);
        assertThat(node.core().view().settings().dispatchIntervalMicros()).isEqualTo(50_000);
    }

    @Test
    void nodesBeginToRestAndToAskForWordWhereTheyDidNot() {
        for (int i = 1; i <= 3; i++) {
            cluster.node(i)
                    .step(new Event.SettingsChanged(
                            TestSettings.plain().restInterval(200_000).build()));
        }
        cluster.run(2_000);

        assertThat(statusMessagesInASecond()).isLessThan(10);
        node.read(0);
        assertThat(cluster.sent(1, 2, Message.Pull.class)).isNotEmpty();
    }

    @Test
    void moreReadsThanTheNewLimitMayNotWait() {
        cluster.cutOff(1);
        assertThat(node.read(node.wallMicros() + 50_000).failed).isNull();
        assertThat(node.read(node.wallMicros() + 50_000).failed).isNull();

        node.step(new Event.SettingsChanged(
                TestSettings.plain().maxWaitingReads(2).build()));

        assertThat(node.read(node.wallMicros() + 50_000).failed.failure()).isEqualTo(Effect.Failure.OVERLOADED);
    }

    @Test
    void aPeerIsLeftBehindAtTheNewLimit() {
        cluster.cutOff(3);
        for (int i = 0; i < 20; i++) {
            ScriptedNode.Write write = node.write("v" + i, 0);
            node.apply(write.put());
            cluster.node(2).apply(write.put());
        }
        cluster.run(5_000);
        assertThat(node.core().view().leftBehind()).isEmpty();

        node.step(new Event.SettingsChanged(TestSettings.plain().maxRecords(5).build()));
        cluster.run(1_000);

        assertThat(node.core().view().leftBehind()).containsExactly(NodeId.of(3));
    }
}
