/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Restart: what a node remembers, and what it must not believe. */
class RestartTest {
    private final ScriptedCluster cluster = ScriptedCluster.ofThree();
    private final ScriptedNode node = cluster.node(1);

    @Test
    void theCeilingIsPersistedBeforeAnyValueAboveItIsSeen() {
        ScriptedCluster fresh = ScriptedCluster.unstarted(3, 2, TestSettings.plain());
        ScriptedNode one = fresh.node(1);
        one.start(Recovery.none(1));
        one.step(new Event.TableEnabled(Put.TABLE, true));
        for (int i = 0; i < 5; i++) {
            one.clockAheadMicros += 30_000_000;
            List<Effect> step = one.step(new Event.WriteStarted(1_000 + i, List.of(Put.KEY), 0, false));

            assertThat(step.get(0)).isInstanceOf(Effect.PersistCeiling.class);
            long ceiling = ((Effect.PersistCeiling) step.get(0)).ceilingMicros();
            assertThat(step).anyMatch(e -> e instanceof Effect.WriteStamped w && w.timestampMicros() <= ceiling);
        }
    }

    @Test
    void aStampAheadOfTheClockIsUnderTheCeilingToo() {
        Put put = Put.of(cluster.nowMicros + 100_000_000, "ahead");

        long stamp = node.apply(put);

        assertThat(node.ceilingMicros).isGreaterThanOrEqualTo(stamp);
    }

    @Test
    void aRestartedNodeUsesOnlyValuesAboveTheCeilingHoweverItsClockStands() {
        long ceiling = node.ceilingMicros;
        node.crash();
        node.clockAheadMicros = -60_000_000;
        node.restart();

        assertThat(node.write("a", 0).timestampMicros()).isGreaterThan(ceiling);
        assertThat(node.apply(Put.of(1, "old hint"))).isGreaterThan(ceiling);
    }

    @Test
    void aRestartedNodeReadsOnlyAtCutsFromTheCeilingOn() {
        node.read(0); // so that the table is known to be served
        node.crash();
        long ceiling = node.ceilingMicros;
        node.restart();
        ScriptedNode.Reading reading = node.read(0);
        assertThat(reading.waits()).isTrue();
        cluster.run(100);

        assertThat(reading.waits()).isFalse();
        assertThat(reading.cutMicros()).isGreaterThanOrEqualTo(ceiling);
    }

    @Test
    void theJournalIsAnnouncedAgainWithItsExactStamps() {
        Put put = node.write("a", 0).put();
        long stamp = node.apply(put);
        node.crash();
        cluster.forgetSent();

        node.restart();
        cluster.run(50);

        assertThat(cluster.sent(1, 2, Message.Snapshot.class))
                .anyMatch(snapshot -> snapshot.applied().contains(Announcement.of(put, stamp)));
    }

    @Test
    void aMutationStampedBeforeTheCrashReachesTheStoreAfterIt() {
        Put put = node.write("a", 0).put();
        long stamp = node.stamp(put); // and the node dies before the store has it
        node.crash();

        node.restart();
        cluster.run(10);

        assertThat(node.store.row(1)).isEqualTo("a");
        assertThat(node.all(Effect.Stamped.class)).last().isEqualTo(new Effect.Stamped(stamp));
    }

    @Test
    void untilItIsInTheStoreAgainNoReadIsAnsweredWithoutIt() {
        node.read(0);
        Put put = node.write("a", 0).put();
        node.stamp(put);
        cluster.node(2).apply(put);
        cluster.run(20);
        node.crash();
        node.restart();

        ScriptedNode.Reading reading = node.read(0);
        assertThat(reading.waits()).isTrue();
        cluster.run(500);

        assertThat(reading.value).isEqualTo("a");
    }

    @Test
    void aPeersSilenceSaysNothingOfTheJournalsEntries() {
        MutationRecord record = new MutationRecord(
                Announcement.of(Put.of(100, "a"), 0),
                ReplicaGroup.majority(NodeId.of(1), NodeId.of(2), NodeId.of(3)),
                0);
        record.applied(0, 120);
        record.recovered = true;
        Coverage far = new Coverage(0, 9_000);

        assertThat(record.invisibleBelowMicros(new Coverage[] {far, far, far})).isEqualTo(100);
        record.recovered = false;
        assertThat(record.invisibleBelowMicros(new Coverage[] {far, far, far})).isEqualTo(9_001);
    }

    @Test
    void peersAnswerForJournalEntriesThatTheyHaveRetired() {
        // The others learn everything and retire; this node dies before it hears so.
        cluster.cutOneWay(2, 1);
        cluster.cutOneWay(3, 1);
        ScriptedNode.Write write = cluster.write(1, "a");
        cluster.run(40);
        node.crash();
        cluster.heal();
        cluster.run(40);
        node.restart();
        cluster.run(3_000);

        assertThat(node.core().view().recordCount()).isZero();
        assertThat(node.read(write.timestampMicros()).value).isEqualTo("a");
    }

    @Test
    void coverageOfARestartedNodeStartsAnewForEveryPeer() {
        long before = cluster.node(2).core().view().coveredUpToMicros(node.id);
        node.crash();
        node.restart();

        assertThat(node.core().view().coveredUpToMicros(NodeId.of(2))).isNull();
        cluster.run(50);
        assertThat(cluster.node(2).core().view().coveredUpToMicros(node.id)).isGreaterThan(before);
    }

    @Test
    void aWriteKnownOnlyToARestartedHolderIsNotLost() {
        // One of the two holders restarts while the reader is cut off: the scenario that no other fault replaces.
        cluster.cutOff(3);
        ScriptedNode.Write write = node.write("a", 0);
        node.apply(write.put());
        cluster.node(2).apply(write.put());
        cluster.node(2).acknowledge(write);
        cluster.deliver();
        assertThat(write.isDone()).isTrue();
        node.crash();
        node.restart();
        cluster.run(30);
        cluster.heal();
        cluster.cut(2, 3);

        ScriptedNode.Reading reading = cluster.node(3).read(write.tokenMicros);
        cluster.run(1_900);

        assertThat(reading.value).isEqualTo("a");
    }

    @Test
    void nodesThatAskEachOtherForStreamsGetThemHoweverLongTheDelay() {
        ScriptedCluster far = ScriptedCluster.unstarted(3, 2, TestSettings.plain());
        far.oneWayMillis(1, 2, 150).oneWayMillis(2, 3, 150).oneWayMillis(1, 3, 150);
        far.startAll();
        far.run(2_000);
        assertThat(far.node(1).core().view().coveredUpToMicros(NodeId.of(2))).isNotNull();

        far.node(3).crash();
        far.run(5_000);
        far.node(3).restart();
        far.run(2_000);

        for (int other = 1; other <= 2; other++) {
            assertThat(far.node(3).core().view().coveredUpToMicros(NodeId.of(other)))
                    .isGreaterThan(far.nowMicros - 1_000_000);
            assertThat(far.node(other).core().view().coveredUpToMicros(NodeId.of(3)))
                    .isGreaterThan(far.nowMicros - 1_000_000);
        }
    }

    @Test
    void theOthersReadOnWhileAPeerRestarts() {
        node.crash();
        cluster.run(500);
        node.restart();

        for (int i = 0; i < 20; i++) {
            assertThat(cluster.node(2).read(0).waits()).isFalse();
            cluster.run(10);
        }
    }
}
