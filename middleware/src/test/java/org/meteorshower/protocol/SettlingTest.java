/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Settling: incomplete mutations reach the replicas that lack them, at a later stamp, with their own timestamp. */
class SettlingTest {
    private final ScriptedCluster cluster = ScriptedCluster.ofThree();

    private void settleFor(long millis) {
        cluster.run(millis);
    }

    @Test
    void anIncompleteWriteIsSentAgainToTheReplicasThatLackItWithItsOwnTimestamp() {
        Put put = cluster.node(1).write("a", 0).put();
        cluster.node(1).apply(put);

        settleFor(2_000);

        assertThat(cluster.sent(1, 2, Message.Settle.class))
                .isNotEmpty()
                .allMatch(settle -> settle.update().id().equals(put.id()));
        for (int i = 1; i <= 3; i++) {
            assertThat(cluster.node(i).read(cluster.nowMicros - 20_000).value).isEqualTo("a");
        }
    }

    @Test
    void aReplicaThatWasOnlyToldOfAMutationFetchesIt() {
        Put put = cluster.node(1).write("a", 0).put();
        cluster.node(1).apply(put);
        cluster.node(2).apply(put);
        cluster.lose(message -> message instanceof Message.Settle
                && cluster.sent(3, 2, Message.Fetch.class).isEmpty());
        cluster.cutOneWay(1, 3); // and what the holders offer by themselves is lost

        settleFor(2_000);

        assertThat(cluster.node(3).read(0).value).isEqualTo("a");
        assertThat(cluster.sent(3, 2, Message.Fetch.class)).isNotEmpty();
    }

    @Test
    void aSettledMutationIsStampedAboveEveryCutAlreadyUsedThere() {
        Put put = cluster.node(1).write("a", 0).put();
        cluster.node(1).apply(put);
        cluster.lose(Message.Settle.class::isInstance);
        cluster.run(1_000);
        long used = cluster.node(2).read(0).cutMicros();

        cluster.heal();
        settleFor(3_000);

        Announcement told = cluster.sent(2, 1, Message.StatusMessage.class).stream()
                .flatMap(status -> status.payload().stream())
                .findFirst()
                .orElseThrow();
        assertThat(told.appliedMicros()).isGreaterThan(used);
    }

    @Test
    void aReadThatWaitsForAnIncompleteWriteIsAnsweredOnceItIsSettled() {
        ScriptedCluster without = ScriptedCluster.of(3, 2, TestSettings.plain().withoutHistory());
        without.node(1).apply(without.node(1).write("a", 0).put());
        ScriptedNode.Reading reading = without.node(1).read(0);
        assertThat(reading.waits()).isTrue();

        without.run(1_000);

        assertThat(reading.waits()).isFalse();
    }

    @Test
    void aReadThatWaitsLongerThanARoundTripHasTheWriteSettledAtOnce() {
        ScriptedCluster without = ScriptedCluster.of(3, 2, TestSettings.plain().withoutHistory());
        without.node(1).apply(without.node(1).write("a", 0).put());
        ScriptedNode.Reading reading = without.node(1).read(0);

        without.run(70); // no delays between the nodes: long before it would be this node's turn

        assertThat(reading.waits()).isFalse();
        assertThat(without.sent(1, 2, Message.Settle.class)).hasSize(1);
    }

    @Test
    void settlingRunsInTheBackgroundSoThatRecordsOfColdRowsRetire() {
        cluster.node(2).apply(cluster.node(2).write("a", 0).put());

        settleFor(3_000); // nobody reads

        for (int i = 1; i <= 3; i++) {
            assertThat(cluster.node(i).core().view().recordCount()).isZero();
        }
    }

    @Test
    void aReplicaThatCannotBeHeardIsNotBombarded() {
        cluster.cutOff(3);
        cluster.run(4_000);
        cluster.node(1).apply(cluster.node(1).write("a", 0).put());
        cluster.forgetSent();

        cluster.run(60_000);

        assertThat(cluster.sent(1, 3, Message.Settle.class)).isEmpty();
    }

    @Test
    void aReplicaThatCanBeHeardAgainIsOfferedAtOnceWhatItMissed() {
        cluster.cutOff(3);
        cluster.run(4_000);
        cluster.node(1).apply(cluster.node(1).write("a", 0).put());
        cluster.run(60_000);

        cluster.heal();
        cluster.run(2_500); // streams begin anew within a second or two

        assertThat(cluster.node(3).read(0).value).isEqualTo("a");
    }

    @Test
    void anOfferThatIsOnItsWayIntoTheStoreIsNotTakenAgain() {
        Put put = cluster.node(1).write("a", 0).put();
        Message offer = new Message.Settle(cluster.nowMicros, put);
        var core = cluster.node(3).core();

        var first = core.step(
                new Event.Received(NodeId.of(1), offer), cluster.node(3).now());
        var second = core.step(
                new Event.Received(NodeId.of(2), offer), cluster.node(3).now());

        assertThat(first).contains(new Effect.ApplyToStore(put));
        assertThat(second).doesNotContain(new Effect.ApplyToStore(put));
    }

    @Test
    void offersOfOneMutationBecomeRarerAndRarer() {
        cluster.node(1).apply(cluster.node(1).write("a", 0).put());
        cluster.lose(message -> message instanceof Message.Settle || message instanceof Message.Fetch);

        cluster.run(60_000);

        assertThat(cluster.sent(1, 2, Message.Settle.class)).hasSizeBetween(4, 9);
    }

    @Test
    void noMoreIsOnItsWayToOneReplicaThanItsStoreTakesInAMoment() {
        for (int i = 0; i < 100; i++) {
            for (int row = 0; row < 4; row++) {
                Put put = Put.of(Put.key(i), cluster.node(1).write("a", 0).timestampMicros(), Map.of(row + ".v", "a"));
                cluster.node(1).apply(put);
                cluster.node(2).apply(put);
            }
        }
        cluster.lose(message -> message instanceof Message.Settle || message instanceof Message.Fetch);

        settleFor(4_000); // what was offered five seconds ago may be offered again

        for (int holder = 1; holder <= 2; holder++) {
            assertThat(cluster.sent(holder, 3, Message.Settle.class).stream()
                            .map(settle -> settle.update().id()))
                    .hasSizeGreaterThan(200)
                    .doesNotHaveDuplicates()
                    .hasSizeLessThanOrEqualTo(256);
        }
        assertThat(cluster.sent(3, 1, Message.Fetch.class).size()
                        + cluster.sent(3, 2, Message.Fetch.class).size())
                .isLessThanOrEqualTo(256);

        cluster.heal();
        settleFor(60_000);

        for (int i = 1; i <= 3; i++) {
            assertThat(cluster.node(i).core().view().recordCount()).isZero();
        }
    }

    @Test
    void aMutationThatOthersHaveRetiredIsReportedSoInsteadOfBeingAppliedAgain() {
        ScriptedNode.Write write = cluster.write(1, "a");
        cluster.run(1_000);
        assertThat(cluster.node(2).core().view().recordCount()).isZero();

        cluster.node(2).receive(NodeId.of(1), new Message.Settle(cluster.nowMicros, write.put()));

        assertThat(cluster.sent(2, 1, Message.Retired.class)).isNotEmpty();
        assertThat(cluster.node(2).core().view().recordCount()).isZero();
    }

    @Test
    void aNodeThatStampsAnewWhatItHadRetiredHearsOfTheStampsThatItWasToldOfBefore() {
        ScriptedCluster three = ScriptedCluster.unstarted(3, 2, TestSettings.plain());
        three.node(2).settings = TestSettings.plain().maxRecords(20).build();
        three.startAll();
        three.cutOff(3);
        three.run(4_000);
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            long timestampMicros = three.node(1).write("a", 0).timestampMicros();
            puts.add(Put.of(Put.key(i), timestampMicros, Map.of("1.v", "a")));
            three.node(1).apply(puts.get(i));
            three.node(2).apply(puts.get(i));
        }
        three.run(5_000);
        assertThat(three.node(1).core().view().recordCount()).isEqualTo(30);
        assertThat(three.node(2).core().view().recordCount()).isZero(); // it has left node 3 behind

        three.node(2).apply(puts.get(0)); // of a hint; node 1 has acknowledged its announcement of it
        assertThat(three.node(2).core().view().recordCount()).isEqualTo(1);
        three.run(15_000);

        assertThat(three.node(2).core().view().recordCount()).isZero();
    }
}
