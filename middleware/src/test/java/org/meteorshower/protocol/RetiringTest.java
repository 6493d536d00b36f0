/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meteorshower.protocol.Puppet.applied;
import static org.meteorshower.protocol.ScriptedCluster.START_MICROS;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Retiring: when a node may forget a mutation, and what becomes of a peer that keeps too many from being forgotten. */
class RetiringTest {
    private static final long T = START_MICROS;

    /** One node among puppets, who acknowledge what the test makes them. */
    @Nested
    class ARecordGoes {
        private final ScriptedNode node = Puppet.loneNode(TestSettings.plain());
        private final Puppet near = new Puppet(node, 2);
        private final Puppet far = new Puppet(node, 3);
        private final Put put = Put.of(T + 100, "a");
        private long mine;

        private void applyHere() {
            applyHere(put);
        }

        private void applyHere(Put mutation) {
            near.begin(T + 10);
            far.begin(T + 10);
            near.tell(new Message.Subscribe(T, 1, 1));
            far.tell(new Message.Subscribe(T, 1, 1));
            mine = node.apply(mutation);
            node.cluster.run(11); // announced
        }

        private void acknowledge(Puppet peer, long msgTs, Announcement... payload) {
            Message.StatusMessage told = peer.next(msgTs, payload);
            var sent = peer.sentToMe(Message.StatusMessage.class);
            Message.StatusMessage last = sent.get(sent.size() - 1);
            peer.tell(new Message.StatusMessage(
                    told.hlcMicros(),
                    told.stream(),
                    told.seq(),
                    told.msgTsMicros(),
                    told.payload(),
                    told.redundant(),
                    last.stream(),
                    last.seq(),
                    told.echo()));
            node.cluster.run(11);
        }

        @Test
        void whenAllHaveAppliedItAndAcknowledgedOursAndACutWithItIsCovered() {
            applyHere();
            acknowledge(near, T + 900, applied(put, mine + 200));
            assertThat(node.core().view().recordCount()).isEqualTo(1);
            acknowledge(far, T + 900, applied(put, mine + 300));

            assertThat(node.core().view().recordCount()).isZero();
            assertThat(node.journaled()).isEmpty();
        }

        @Test
        void notWhileAReplicaHasNotAppliedIt() {
            applyHere();
            acknowledge(near, T + 900, applied(put, mine + 200));
            acknowledge(far, T + 900);

            assertThat(node.core().view().recordCount()).isEqualTo(1);
        }

        @Test
        void notWhileAPeerHasNotAcknowledgedOurAnnouncement() {
            applyHere();
            acknowledge(near, T + 900, applied(put, mine + 200));
            far.status(T + 900, applied(put, mine + 300));
            node.cluster.run(50);

            assertThat(node.core().view().recordCount()).isEqualTo(1);
        }

        @Test
        void notWhileNoCutAtWhichItIsVisibleIsCovered() {
            applyHere();
            long ahead = T + 900_000_000L - 5_000_000; // their clocks are ahead, their promises are not
            acknowledge(near, T + 800, applied(put, ahead));
            acknowledge(far, T + 800, applied(put, ahead));

            assertThat(node.core().view().recordCount()).isEqualTo(1);
        }

        @Test
        void whenARetiredMutationHasWrittenAllItsCellsLater() {
            Put older = Put.of(T + 90, "older");
            applyHere();
            near.status(T + 300, applied(older, T + 200)); // the far one will never have it
            acknowledge(near, T + 900, applied(put, mine + 200));
            acknowledge(far, T + 900, applied(put, mine + 300));
            node.cluster.run(20);

            assertThat(node.core().view().recordCount()).isZero();
        }

        @Test
        void andAllOthersAreToldOfALateOneWhichMayBeNewsForThem() {
            Put late = Put.of(T - 11_000_000, "a");
            applyHere(late);
            acknowledge(near, T + 900, applied(late, mine + 200));
            assertThat(near.sentToMe(Message.Retired.class)).isEmpty();
            acknowledge(far, T + 900, applied(late, mine + 300));

            assertThat(node.core().view().recordCount()).isZero();
            for (Puppet peer : List.of(near, far)) {
                assertThat(peer.sentToMe(Message.Retired.class))
                        .flatExtracting(Message.Retired::mutations)
                        .containsExactly(new Message.RetiredMutation(late.key(), late.id()));
            }
        }

        @Test
        void andNobodyIsToldOfOneThatClientsWaitedFor() {
            applyHere();
            acknowledge(near, T + 900, applied(put, mine + 200));
            acknowledge(far, T + 900, applied(put, mine + 300));

            assertThat(node.core().view().recordCount()).isZero();
            assertThat(near.sentToMe(Message.Retired.class)).isEmpty();
        }

        @Test
        void andFromThenOnReadsUseOnlyCutsAtWhichItIsVisible() {
            applyHere();
            acknowledge(near, mine + 90_000, applied(put, mine + 60_000));
            acknowledge(far, mine + 90_000, applied(put, mine + 80_000));

            assertThat(node.core().view().recordCount()).isZero();
            assertThat(node.read(0).cutMicros()).isGreaterThanOrEqualTo(mine + 60_000);
        }
    }

    /** A real cluster in which the third node falls behind. */
    @Nested
    class APeerIsLeftBehind {
        private final ScriptedCluster cluster =
                ScriptedCluster.of(3, 2, TestSettings.plain().maxRecords(20));
        private final ScriptedNode one = cluster.node(1);
        private final ScriptedNode three = cluster.node(3);

        private void writeWithoutTheThird() {
            cluster.cutOff(3);
            cluster.run(4_000);
            for (int i = 0; i < 30; i++) {
                ScriptedNode.Write write = one.write("v" + i, 0);
                for (int n = 1; n <= 2; n++) {
                    cluster.node(n).apply(write.put());
                    cluster.node(n).acknowledge(write);
                }
                cluster.run(20);
            }
            cluster.run(1_000);
        }

        @Test
        void whenRecordsGrowOverTheirLimitWithAnAlarmAndAMarkInTheJournal() {
            writeWithoutTheThird();

            assertThat(one.core().view().leftBehind()).containsExactly(three.id);
            assertThat(one.alarms()).contains(Effect.AlarmKind.PEER_STALE);
            assertThat(one.all(Effect.JournalStale.class)).containsExactly(new Effect.JournalStale(three.id, true));
            assertThat(one.core().view().recordCount()).isLessThanOrEqualTo(20);
        }

        @Test
        void andRefusedWhenItComesBack() {
            writeWithoutTheThird();
            cluster.heal();
            cluster.run(5_000);

            assertThat(three.alarms()).contains(Effect.AlarmKind.LEFT_BEHIND);
            ScriptedNode.Reading reading = three.read(cluster.nowMicros);
            cluster.run(2_500);
            assertThat(reading.failed).isNotNull();
        }

        @Test
        void andKnowsItOfItselfAndWhyItsReadsWait() {
            writeWithoutTheThird();
            assertThat(three.core().view().leftBehindBy()).isEmpty();
            assertThat(three.core().view().lacksData(Put.TABLE, cluster.group()))
                    .isFalse();
            assertThat(three.core().view().hearsTooFew(cluster.group())).isTrue();
            cluster.heal();
            cluster.run(5_000);
            assertThat(three.core().view().lacksData(Put.TABLE, cluster.group()))
                    .isTrue();
            assertThat(three.core().view().lacksNothing()).isFalse();
            assertThat(three.core().view().hearsTooFew(cluster.group())).isFalse();
            assertThat(one.core().view().lacksData(Put.TABLE, cluster.group())).isFalse();
            assertThat(one.core().view().lacksNothing()).isTrue();

            assertThat(three.core().view().leftBehindBy()).containsExactlyInAnyOrder(NodeId.of(1), NodeId.of(2));
            assertThat(three.core().view().streamOf(NodeId.of(1))).isEqualTo("refused");
            assertThat(three.core().view().whyLeftBehind(cluster.group()))
                    .contains("was left behind by " + NodeId.of(1));
            ScriptedNode.Reading reading = three.read(cluster.nowMicros);
            cluster.run(2_500);
            assertThat(reading.failed.detail()).contains("was left behind by");
        }

        @Test
        void butWhatItCoveredBeforeItStillShows() {
            writeWithoutTheThird();
            cluster.heal();
            cluster.run(5_000);

            assertThat(three.read(0).waits()).isFalse();
            assertThat(three.core().view().notReady(Put.TABLE, cluster.group())).isNull();
        }

        @Test
        void andKnowsItStillAfterItsOwnRestart() {
            writeWithoutTheThird();
            cluster.heal();
            cluster.run(5_000);
            three.crash();
            three.restart();
            cluster.run(2_000);

            assertThat(three.core().view().leftBehindBy()).hasSize(2);
        }

        @Test
        void alsoAfterTheOneThatLeftItBehindHasRestarted() {
            writeWithoutTheThird();
            one.crash();
            one.restart();
            cluster.heal();
            cluster.run(5_000);

            assertThat(one.core().view().leftBehind()).containsExactly(three.id);
        }

        @Test
        void untilItWasRepaired() {
            writeWithoutTheThird();
            cluster.heal();
            cluster.run(1_000);
            beginRepair();
            three.store.merge(one.store);
            three.step(new Event.ForeignData(Put.TABLE));
            assertThat(three.core().view().lacksData(Put.TABLE, cluster.group()))
                    .isTrue();
            assertThat(three.core().view().lacksNothing()).isFalse();
            endRepair();
            cluster.run(5_000);

            assertThat(three.core().view().lacksData(Put.TABLE, cluster.group()))
                    .isFalse();
            assertThat(one.core().view().leftBehind()).isEmpty();
            assertThat(three.core().view().leftBehindBy()).isEmpty();
            assertThat(three.core().view().whyLeftBehind(cluster.group())).isNull();
            ScriptedNode.Reading reading = three.read(cluster.nowMicros - 100_000);
            assertThat(reading.value).isEqualTo("v29");
        }

        /**
         * Hints bring it what it missed; the others have retired that, and are offered it all again by it. They take
         * only as much as leaves room for what clients wait for.
         */
        @Test
        void andIsAdmittedAlsoWhereHintsBroughtItMoreThanTheLimit() {
            cluster.cutOff(3);
            cluster.run(4_000);
            List<Put> missed = new ArrayList<>();
            for (int i = 0; i < 70; i++) {
                // Each another row: a later mutation of the same cells would settle the earlier ones.
                ScriptedNode.Write write = one.write(Map.of(i + ".v", "v" + i), 0, false);
                missed.add(write.put());
                for (int n = 1; n <= 2; n++) {
                    cluster.node(n).apply(write.put());
                    cluster.node(n).acknowledge(write);
                }
                cluster.run(20);
            }
            cluster.run(1_000);
            cluster.heal();
            cluster.run(1_000);
            missed.forEach(three::apply);
            cluster.run(1_000);
            beginRepair();
            cluster.run(20_000);
            assertThat(one.core().view().recordCount()).isBetween(20, 40);
            assertThat(three.core().view().recordCount()).isEqualTo(70);
            assertThat(one.core().view().beingRepaired()).containsExactly(three.id);
            three.store.merge(one.store);
            three.step(new Event.ForeignData(Put.TABLE));
            endRepair();
            cluster.run(120_000); // what was refused is offered again more and more rarely

            assertThat(one.core().view().leftBehind()).isEmpty();
            assertThat(three.core().view().leftBehindBy()).isEmpty();
            assertThat(one.core().view().recordCount()).isLessThanOrEqualTo(20);
            assertThat(three.core().view().recordCount()).isLessThanOrEqualTo(20);
            assertThat(three.read(cluster.nowMicros - 100_000).waits()).isFalse();
        }

        private void beginRepair() {
            one.step(new Event.PeerRepairing(three.id));
            cluster.node(2).step(new Event.PeerRepairing(three.id));
        }

        private void endRepair() {
            one.step(new Event.PeerRepaired(three.id));
            cluster.node(2).step(new Event.PeerRepaired(three.id));
        }

        private void writeWithoutTheThird(String value) {
            ScriptedNode.Write write = one.write(value, 0);
            for (int n = 1; n <= 2; n++) {
                cluster.node(n).apply(write.put());
                cluster.node(n).acknowledge(write);
            }
            cluster.run(1_000);
        }

        @Test
        void whatIsWrittenWhileItIsRepairedItGetsAfterTheRepair() {
            writeWithoutTheThird();
            cluster.heal();
            cluster.lose(message -> message instanceof Message.Settle);
            cluster.run(1_000);
            beginRepair();
            three.store.merge(one.store);
            writeWithoutTheThird("after the repair had looked");
            three.step(new Event.ForeignData(Put.TABLE));
            endRepair();
            cluster.lose(message -> false);
            cluster.run(5_000);

            assertThat(three.read(cluster.nowMicros - 100_000).value).isEqualTo("after the repair had looked");
        }

        @Test
        void andIsNotAdmittedByANodeThatDidNotWaitForItWhileItWasRepaired() {
            writeWithoutTheThird();
            cluster.heal();
            cluster.run(1_000);

            one.step(new Event.PeerRepaired(three.id));

            assertThat(one.core().view().leftBehind()).containsExactly(three.id);
            assertThat(one.alarms()).contains(Effect.AlarmKind.PROTOCOL);
        }

        @Test
        void andANodeThatRestartedSinceHasNotWaitedForIt() {
            writeWithoutTheThird();
            beginRepair();
            assertThat(one.core().view().beingRepaired()).containsExactly(three.id);
            one.crash();
            one.restart();

            one.step(new Event.PeerRepaired(three.id));

            assertThat(one.core().view().leftBehind()).containsExactly(three.id);
        }

        @Test
        void andIsNotWaitedForAnyLongerWhereItsRepairOutgrowsTheLimit() {
            writeWithoutTheThird();
            beginRepair();
            for (int i = 0; i < 30; i++) {
                writeWithoutTheThird("w" + i);
            }

            assertThat(one.core().view().beingRepaired()).isEmpty();
            assertThat(one.core().view().recordCount()).isLessThanOrEqualTo(20);
        }

        @Test
        void butNotByTheOneThatIsCutOffItselfAndWhoseWritesNobodyElseHas() {
            cluster.cutOff(1);
            cluster.run(4_000);
            for (int i = 0; i < 30; i++) {
                Put put = one.write("v" + i, 0).put();
                if (put != null) {
                    one.apply(put);
                }
                cluster.run(20);
            }

            assertThat(one.core().view().leftBehind()).isEmpty();
        }

        @Test
        void andSuchAOneRefusesFurtherWritesUntilTheyAreDecided() {
            cluster.cutOff(1);
            cluster.run(4_000);
            for (int i = 0; i < 30 && one.core().view().recordCount() <= 20; i++) {
                one.apply(one.write("v" + i, 0).put());
            }
            cluster.run(100);
            ScriptedNode.Write refused = one.write("one too many", 0);
            assertThat(refused.refused.failure()).isEqualTo(Effect.Failure.OVERLOADED);
            assertThat(refused.refused.detail()).contains("max_records");

            cluster.heal();
            cluster.run(20_000);

            assertThat(one.write("now it goes", 0).refused).isNull();
        }

        @Test
        void notRightAfterARestartBeforeItCouldBeHeard() {
            for (int i = 0; i < 30; i++) {
                Put put = one.write("v" + i, 0).put();
                one.apply(put);
                cluster.node(2).apply(put);
            }
            one.crash();
            cluster.cut(1, 3);
            one.restart();
            cluster.run(500);
            assertThat(one.core().view().recordCount()).isGreaterThan(20);

            assertThat(one.core().view().leftBehind()).isEmpty();
        }

        @Test
        void andTheOthersGoOnMeanwhile() {
            writeWithoutTheThird();

            assertThat(cluster.node(2).read(cluster.nowMicros - 20_000).value).isEqualTo("v29");
        }

        @Test
        void andIsNeverToldThatWhatItMissedIsDoneWith() {
            // The third hears the first but is not heard, so it knows of the writes and lacks them.
            cluster.cutOneWay(3, 1);
            cluster.cut(3, 2);
            Put missed = null;
            for (int i = 0; i < 30; i++) {
                ScriptedNode.Write write = one.write("v" + i, 0);
                missed = write.put();
                cluster.node(1).apply(missed);
                cluster.node(2).apply(missed);
                cluster.run(150);
            }
            assertThat(one.core().view().leftBehind()).containsExactly(three.id);
            assertThat(one.core().view().recordCount()).isZero();
            cluster.heal();

            three.step(new Event.Tick());
            one.receive(three.id, new Message.Fetch(cluster.nowMicros, missed.key(), missed.id()));

            assertThat(cluster.sent(1, 3, Message.Retired.class)).isEmpty();
        }

        @Test
        void andNobodyElseForgetsOnTheWordOfTheOneThatLeftItBehind() {
            // Only the first is over its limit: the second has a larger one, and still waits for the third.
            ScriptedNode two = cluster.node(2);
            two.settings = TestSettings.plain().build();
            two.crash();
            two.restart();
            writeWithoutTheThird();
            assertThat(one.core().view().leftBehind()).containsExactly(three.id);
            assertThat(one.core().view().recordCount()).isZero();

            two.crash();
            two.restart(); // and announces its journal to the first again
            cluster.run(10_000);

            assertThat(two.core().view().leftBehind()).isEmpty();
            assertThat(two.journaled()).hasSize(30);
        }
    }

    @Test
    void theLimitHoldsAlsoWhenThePeerThatKeepsTheRecordsIsHeard() {
        ScriptedCluster cluster = ScriptedCluster.of(3, 2, TestSettings.plain().maxRecords(20));
        cluster.node(3).step(new Event.TableDisabled(Put.TABLE)); // it hears, talks, and never applies
        for (int i = 0; i < 60; i++) {
            Put put = cluster.node(1).write("v" + i, 0).put();
            cluster.node(1).apply(put);
            cluster.node(2).apply(put);
            cluster.run(100);
        }
        cluster.run(30_000); // it could be catching up, so it is given time

        assertThat(cluster.node(1).core().view().recordCount()).isLessThanOrEqualTo(20);
    }
}
