/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meteorshower.protocol.ScriptedCluster.START_MICROS;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The clock rules. */
class ClockRulesTest {
    @Test
    void theReceiversClockBecomesAtLeastThatOfAMessage() {
        ScriptedNode node = Puppet.loneNode(TestSettings.plain());

        node.receive(NodeId.of(2), new Message.Pull(START_MICROS + 7_000_000));

        assertThat(node.core().view().hybridClockMicros()).isGreaterThanOrEqualTo(START_MICROS + 7_000_000);
    }

    @Test
    void everyMessageCarriesItsSendersClock() {
        ScriptedCluster cluster = ScriptedCluster.unstarted(3, 2, TestSettings.plain());
        cluster.node(1).clockAheadMicros = 60_000_000;
        cluster.startAll();

        assertThat(cluster.node(2).core().view().hybridClockMicros()).isGreaterThan(cluster.nowMicros + 59_000_000);
        assertThat(cluster.node(3).core().view().hybridClockMicros()).isGreaterThan(cluster.nowMicros + 59_000_000);
    }

    @Test
    void aWritesTimestampIsGreaterThanItsCoordinatorsClockAndTheToken() {
        ScriptedCluster cluster = ScriptedCluster.ofThree();
        ScriptedNode node = cluster.node(1);
        long clock = node.core().view().hybridClockMicros();

        assertThat(node.write("a", 0).timestampMicros()).isGreaterThan(clock);
        long token = clock + 30_000_000;
        assertThat(node.write("b", token).timestampMicros()).isGreaterThan(token);
    }

    @Test
    void aCoordinatorGivesNoTimestampTwice() {
        ScriptedNode node = ScriptedCluster.ofThree().node(1);
        List<Long> timestamps = new ArrayList<>();

        for (int i = 0; i < 100; i++) {
            timestamps.add(node.write("v" + i, 0).timestampMicros()); // time stands still
        }

        assertThat(timestamps).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void equalTimestampsOfTwoCoordinatorsNameTwoMutationsAndTheLargerValueWinsEverywhere() {
        ScriptedCluster cluster = ScriptedCluster.ofThree();
        long same = cluster.nowMicros + 1_000;
        for (int i = 1; i <= 3; i++) {
            cluster.node(i).apply(Put.of(same, i == 2 ? "b" : "a"));
            cluster.node(i).apply(Put.of(same, i == 2 ? "a" : "b"));
        }
        cluster.run(50);

        for (int i = 1; i <= 3; i++) {
            assertThat(cluster.node(i).read(same).value).isEqualTo("b");
        }
    }

    @Test
    void aReplicaStampsAMutationAtItsTimestampOrLater() {
        ScriptedNode node = ScriptedCluster.ofThree().node(1);
        long clock = node.core().view().hybridClockMicros();

        assertThat(node.apply(Put.of(clock + 50_000, "ahead"))).isGreaterThanOrEqualTo(clock + 50_000);
        assertThat(node.apply(Put.of(clock - 50_000, "behind"))).isGreaterThan(clock);
    }

    @Test
    void aMutationFurtherAheadThanALeadCanExplainRaisesItsReplicasClock() {
        ScriptedNode node = ScriptedCluster.ofThree().node(1);
        long timestamp = node.wallMicros() + 60_000_000;

        node.apply(Put.of(timestamp, "a"));

        assertThat(node.core().view().hybridClockMicros())
                .isGreaterThanOrEqualTo(timestamp - node.settings.clockErrorMicros());
    }

    @Test
    void aStatusMessagePromisesThatEverythingAppliedBySoFarIsReportedAndTheRestGetsALaterStamp() {
        ScriptedCluster cluster = ScriptedCluster.ofThree();
        ScriptedNode node = cluster.node(1);
        Map<MutationId, Long> stamps = new java.util.HashMap<>();
        cluster.forgetSent();
        for (int i = 0; i < 30; i++) {
            Put put = Put.of(node.wallMicros() - 10_000 + 1_000L * i, "v" + i);
            stamps.put(put.id(), node.apply(put));
            cluster.run(3);
        }
        cluster.run(20);

        List<MutationId> told = new ArrayList<>();
        for (Message.StatusMessage status : cluster.sent(1, 2, Message.StatusMessage.class)) {
            status.payload().forEach(announcement -> told.add(announcement.id()));
            stamps.forEach((id, stamp) -> assertThat(told.contains(id) || stamp > status.msgTsMicros())
                    .isTrue());
        }
        assertThat(told).containsExactlyInAnyOrderElementsOf(stamps.keySet());
    }

    @Test
    void aNodeThatSaidWhatItKnowsUpToACutStampsAboveThatCut() {
        ScriptedCluster cluster = ScriptedCluster.of(1, 1, TestSettings.plain());
        ScriptedNode only = cluster.node(1);

        long cut = only.read(0).cutMicros();

        assertThat(only.apply(Put.of(cut - 5_000, "late"))).isGreaterThan(cut);
    }

    @Test
    void aPhysicalClockThatJumpsBackDoesNotTakeTheHybridClockBack() {
        ScriptedCluster cluster = ScriptedCluster.ofThree();
        ScriptedNode node = cluster.node(1);
        long before = cluster.write(1, "a").timestampMicros();

        node.clockAheadMicros = -3_600_000_000L;
        cluster.run(20);

        assertThat(node.write("b", 0).timestampMicros()).isGreaterThan(before);
    }
}
