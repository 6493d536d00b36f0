/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meteorshower.protocol.Puppet.applied;
import static org.meteorshower.protocol.ScriptedCluster.START_MICROS;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** When a replica may answer at a cut: coverage, and the decision on each mutation. */
class CoverageAndDecisionTest {
    private static final long T = START_MICROS;

    private final ScriptedNode node = Puppet.loneNode(TestSettings.plain().withoutHistory());
    private final Puppet near = new Puppet(node, 2);
    private final Puppet far = new Puppet(node, 3);

    private void bothBegin() {
        near.begin(T + 10);
        far.begin(T + 10);
        node.clockAheadMicros = 1_000_000; // the node's own knowledge never is what is missing
    }

    @Test
    void coverageOfRReplicasItselfIncludedIsEnough() {
        bothBegin();

        near.status(T + 500);

        assertThat(node.read(0).cutMicros()).isEqualTo(T + 500);
    }

    @Test
    void fewerThanRReplicasAreNotEnough() {
        near.reportTable();
        far.reportTable();
        node.cluster.run(10);

        assertThat(node.read(0).waits()).isTrue();
    }

    @Test
    void theNewestCutThatRReplicasCoverIsPreferred() {
        bothBegin();

        near.status(T + 500);
        far.status(T + 900);

        assertThat(node.read(0).cutMicros()).isEqualTo(T + 900);
    }

    @Test
    void withWriteOneAndReadAllEveryReplicaMustCoverTheCut() {
        ScriptedCluster cluster = ScriptedCluster.of(3, 1, TestSettings.plain());
        cluster.cut(1, 3);
        cluster.run(20);
        long token = cluster.nowMicros;
        cluster.run(20);

        assertThat(cluster.node(1).read(token).waits()).isTrue();
        assertThat(cluster.node(2).read(token).waits()).isFalse();
    }

    @Test
    void withWriteOneAMutationIsVisibleFromItsFirstStampOn() {
        ScriptedCluster cluster = ScriptedCluster.of(3, 1, TestSettings.plain());
        ScriptedNode.Write write = cluster.node(1).write("a", 0);

        cluster.node(2).apply(write.put());
        cluster.node(2).acknowledge(write);
        cluster.run(1);
        assertThat(write.isDone()).isTrue();

        ScriptedNode.Reading reading = cluster.node(3).read(write.tokenMicros);
        cluster.run(1_500); // settled to the reader, which was told of it but lacks it
        assertThat(reading.value).isEqualTo("a");
    }

    @Test
    void withReadOneANodeAnswersFromItsOwnKnowledgeAlone() {
        ScriptedCluster cluster = ScriptedCluster.of(3, 3, TestSettings.plain());
        cluster.cutOff(1);
        cluster.run(20);

        assertThat(cluster.node(1).read(cluster.nowMicros).waits()).isFalse();
    }

    @Test
    void aMutationIsVisibleOnceWReplicasAreKnownToHaveAppliedItByTheCut() {
        bothBegin();
        Put put = Put.of(T + 100, "a");
        long mine = node.apply(put);

        near.status(mine + 400, applied(put, mine + 200));

        ScriptedNode.Reading reading = node.read(0);
        assertThat(reading.value).isEqualTo("a");
        assertThat(reading.cutMicros()).isGreaterThanOrEqualTo(mine + 200);
    }

    @Test
    void aMutationThatWReplicasCanNoLongerHaveAppliedByTheCutIsInvisible() {
        bothBegin();
        Put put = Put.of(T + 100, "a");

        // The near one has it from T+200 on; the far one had not by T+300, nor has this node until now.
        near.status(T + 300, applied(put, T + 200));
        far.status(T + 300);

        ScriptedNode.Reading reading = node.read(0);
        assertThat(reading.value).isEqualTo("nothing");
        assertThat(reading.cutMicros()).isEqualTo(T + 300);
    }

    @Test
    void anUndecidedMutationIsNeverServed() {
        bothBegin();
        Put put = Put.of(T + 100, "a");

        node.apply(put); // here only: whether the others have it by now is not known

        assertThat(node.read(0).waits()).isTrue();
    }

    @Test
    void somethingOnlyAnnouncedIsLeftOutByAnOlderCutAtOnce() {
        bothBegin();
        far.status(T + 250);
        Put put = Put.of(T + 100, "a");

        near.status(T + 600, applied(put, T + 400)); // undecided from T+400 on: the far one may have it since T+251

        ScriptedNode.Reading reading = node.read(0);
        assertThat(reading.value).isEqualTo("nothing");
        assertThat(reading.served()).isEqualTo(Served.OLDER);
        assertThat(reading.cutMicros()).isBetween(T + 250, T + 399);
    }

    @Test
    void theEarliestStampOfASilentReplicaIsTheTimestampOrTheCutAfterItsCoverage() {
        MutationRecord record = new MutationRecord(
                applied(Put.of(T + 100, "a"), 0), ReplicaGroup.majority(node.id, near.id, far.id), 0);
        record.applied(0, T + 120);
        Coverage none = Coverage.NONE;
        Coverage old = new Coverage(T, T + 50);
        Coverage newer = new Coverage(T, T + 150);

        assertThat(record.invisibleBelowMicros(new Coverage[] {none, old, old})).isEqualTo(T + 100);
        assertThat(record.invisibleBelowMicros(new Coverage[] {none, newer, newer}))
                .isEqualTo(T + 151);
        assertThat(record.invisibleBelowMicros(new Coverage[] {none, old, newer}))
                .isEqualTo(T + 120);
    }

    @Test
    void aVisibleMutationThatIsNotHereYetMakesTheReadOfItsTokenWait() {
        bothBegin();
        Put put = Put.of(T + 100, "a");
        near.status(T + 300, applied(put, T + 200));
        far.status(T + 300, applied(put, T + 210));

        ScriptedNode.Reading reading = node.read(T + 250);
        assertThat(reading.waits()).isTrue();
        node.apply(put);

        assertThat(reading.value).isEqualTo("a");
        assertThat(reading.served()).isEqualTo(Served.WAITED);
    }

    @Test
    void anOlderMutationOfTheSameCellsNeedBeNeitherDecidedNorPresent() {
        bothBegin();
        Put older = Put.of(T + 90, "older");
        Put later = Put.of(T + 100, "later");
        long mine = node.apply(later);

        near.status(mine + 900, applied(older, mine + 100), applied(later, mine + 200));

        ScriptedNode.Reading reading = node.read(mine + 800);
        assertThat(reading.value).isEqualTo("later");
        assertThat(reading.served()).isEqualTo(Served.LOCAL);
    }

    @Test
    void anOlderMutationOfOtherCellsOfTheRowMustBeDecided() {
        bothBegin();
        Put older = Put.of(Put.KEY, T + 90, Map.of("1.x", "older"));
        Put later = Put.of(Put.KEY, T + 100, Map.of("1.v", "later"));
        long mine = node.apply(later);

        near.status(mine + 900, applied(older, mine + 100), applied(later, mine + 200));

        assertThat(node.read(mine + 800).waits()).isTrue();
    }

    @Test
    void aMutationOfAnotherRowIsNoObstacle() {
        bothBegin();
        node.apply(Put.of(Put.KEY, T + 100, Map.of("7.v", "in flight")));

        assertThat(node.read(0).waits()).isFalse();
        assertThat(node.readAll(1, 0).waits()).isTrue();
    }

    @Test
    void aStatusMessageWakesAReadThatWaitsForIt() {
        bothBegin();
        ScriptedNode.Reading reading = node.read(T + 400);
        assertThat(reading.waits()).isTrue();

        near.status(T + 399);
        assertThat(reading.waits()).isTrue();
        far.status(T + 400);

        assertThat(reading.waits()).isFalse();
        assertThat(reading.cutMicros()).isEqualTo(T + 400);
    }

    @Test
    void whereverItIsEvaluatedACutHoldsTheSame() {
        ScriptedCluster cluster = ScriptedCluster.of(3, 2, TestSettings.plain());
        cluster.oneWayMillis(1, 2, 20).oneWayMillis(1, 3, 35).oneWayMillis(2, 3, 50);
        cluster.node(2).clockAheadMicros = 700_000;
        cluster.run(500);
        Map<Long, String> contentAtCut = new java.util.HashMap<>();

        for (int i = 0; i < 60; i++) {
            Put put = cluster.node(1 + i % 3).write("v" + i, 0).put();
            cluster.node(1 + i % 3).apply(put);
            cluster.run(7);
            cluster.node(1 + (i + 1) % 3).apply(put);
            cluster.run(5);
            for (int n = 1; n <= 3; n++) {
                ScriptedNode.Reading reading = cluster.node(n).read(0);
                if (!reading.waits()) {
                    String before = contentAtCut.putIfAbsent(reading.cutMicros(), reading.value);
                    assertThat(before == null || before.equals(reading.value)).isTrue();
                }
            }
            cluster.node(1 + (i + 2) % 3).apply(put);
        }
        assertThat(contentAtCut).hasSizeGreaterThan(20);
    }
}
