/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The session token s. */
class TokenTest {
    private final ScriptedCluster cluster = ScriptedCluster.ofThree();

    @Test
    void aReadUsesACutNoOlderThanTheToken() {
        long token = cluster.node(1).read(0).cutMicros();

        assertThat(cluster.node(1).read(token).cutMicros()).isGreaterThanOrEqualTo(token);
    }

    @Test
    void aReadWaitsUntilEnoughReplicasCoverItsToken() {
        long token = cluster.nowMicros + 4_000;

        ScriptedNode.Reading reading = cluster.node(2).read(token);
        assertThat(reading.waits()).isTrue();
        cluster.run(15);

        assertThat(reading.waits()).isFalse();
        assertThat(reading.served()).isEqualTo(Served.WAITED);
        assertThat(reading.cutMicros()).isGreaterThanOrEqualTo(token);
    }

    @Test
    void aWriteSucceedsWithWAcknowledgementsOfDifferentReplicas() {
        ScriptedNode.Write write = cluster.node(1).write("a", 0);
        cluster.node(2).apply(write.put());

        cluster.node(2).acknowledge(write);
        cluster.node(2).acknowledge(write);
        cluster.deliver();
        assertThat(write.isDone()).isFalse();

        cluster.node(3).apply(write.put());
        cluster.node(3).acknowledge(write);
        cluster.deliver();
        assertThat(write.isDone()).isTrue();
    }

    @Test
    void theTokenOfAWriteIsTheLargestOfTheWStampsThatMakeItSucceed() {
        cluster.node(3).clockAheadMicros = 2_000_000;
        ScriptedNode.Write write = cluster.node(1).write("a", 0);

        long nearStamp = cluster.node(1).apply(write.put());
        long farStamp = cluster.node(3).apply(write.put());
        cluster.node(3).acknowledge(write);
        cluster.deliver();

        assertThat(farStamp).isGreaterThan(nearStamp);
        assertThat(write.tokenMicros).isEqualTo(farStamp);
    }

    @Test
    void aStatusMessageTellsTheStampWhereTheAcknowledgementWasLost() {
        cluster.lose(message -> message instanceof Message.WriteAck);
        ScriptedNode.Write write = cluster.node(1).write("a", 0);

        cluster.node(1).apply(write.put());
        cluster.node(2).apply(write.put());
        cluster.node(2).acknowledge(write);
        cluster.run(50);

        assertThat(write.isDone()).isTrue();
    }

    @Test
    void butNotThatOfAnotherCoordinatorsMutationWithTheSameTimestamp() {
        cluster.lose(message -> message instanceof Message.WriteAck);
        ScriptedNode.Write write = cluster.node(1).write("a", 0);
        Put other = Put.of(write.timestampMicros(), "of another coordinator");

        cluster.node(1).apply(write.put());
        cluster.node(2).apply(other);
        cluster.run(50);

        assertThat(write.isDone()).isFalse();
    }

    @Test
    void aSessionMovesToAnyNodeWithItsTokenAndSeesItsWrite() {
        long token = cluster.write(1, "mine").tokenMicros;

        for (int i = 1; i <= 3; i++) {
            ScriptedNode.Reading reading = cluster.node(i).read(token);
            cluster.run(15);
            assertThat(reading.value).isEqualTo("mine");
        }
    }

    @Test
    void aTokenRaisesTheClockForReadsToo() {
        long token = cluster.nowMicros + 3_000_000;

        cluster.node(1).read(token);

        assertThat(cluster.node(1).core().view().hybridClockMicros()).isGreaterThanOrEqualTo(token);
    }

    @Test
    void aWriteWhoseTableIsDisabledUnderItIsNotTakenForDone() {
        ScriptedNode.Write write = cluster.node(1).write("a", 0);
        cluster.node(1).apply(write.put());

        cluster.node(1).step(new Event.TableDisabled(Put.TABLE));
        cluster.run(100);

        assertThat(write.isDone()).isFalse();
    }

    @Test
    void anAnswerThatIsPassedOnRaisesTheClockAndWhatIsKeptOfItOverARestart() {
        long cut = cluster.nowMicros + 5_000_000;

        cluster.node(1).step(new Event.Observed(cut));

        assertThat(cluster.node(1).core().view().hybridClockMicros()).isGreaterThanOrEqualTo(cut);
        assertThat(cluster.node(1).ceilingMicros).isGreaterThanOrEqualTo(cut);
    }

    @Test
    void anAbsurdCutOfAnAnswerThatIsPassedOnIsNotTaken() {
        cluster.node(1).step(new Event.Observed(Long.MAX_VALUE / 2));

        assertThat(cluster.node(1).core().view().hybridClockMicros()).isLessThan(cluster.nowMicros + 1_000_000);
        assertThat(cluster.node(1).alarms()).contains(Effect.AlarmKind.CLOCK_AHEAD);
    }

    @Test
    void aWriteWhoseOutcomeNobodyWaitsForGivesNoToken() {
        ScriptedNode.Write write = cluster.node(1).write("a", 0);
        cluster.node(1).step(new Event.WriteAbandoned(write.id));

        for (int i = 1; i <= 3; i++) {
            cluster.node(i).apply(write.put());
            cluster.node(i).acknowledge(write);
        }
        cluster.deliver();

        assertThat(write.isDone()).isFalse();
        assertThat(cluster.node(1).core().view().pendingWriteCount()).isZero();
    }

    @Test
    void aWriteOfSeveralPartitionsSucceedsWhenWReplicasHaveAppliedEachOfThem() {
        ScriptedNode node = cluster.node(1);
        PartitionKey other = Put.key(2);
        List<Effect> begun = node.step(new Event.WriteStarted(99, List.of(Put.KEY, other), 0, false));
        long timestamp = begun.stream()
                .filter(Effect.WriteStamped.class::isInstance)
                .mapToLong(e -> ((Effect.WriteStamped) e).timestampMicros())
                .sum();
        Message first = new Message.WriteAck(timestamp, Put.KEY, timestamp, timestamp + 1);
        Message second = new Message.WriteAck(timestamp, other, timestamp, timestamp + 7);
        node.receive(NodeId.of(2), first);
        node.receive(NodeId.of(3), first);
        node.receive(NodeId.of(2), second);
        assertThat(node.all(Effect.WriteDone.class)).isEmpty();

        // The write was not begun by the harness, so the step is not interpreted.
        List<Effect> last =
                node.core().step(new Event.Received(NodeId.of(3), second), new Now(timestamp, cluster.nowNanos()));

        assertThat(last).contains(new Effect.WriteDone(99, timestamp + 7));
    }

    @Test
    void aWriteThatIsOvertakenOnItsWayIsDoneFromTheCutOnAtWhichALaterOneShowsInItsPlace() {
        ScriptedNode.Write overtaken = cluster.node(1).write("slow", 0);
        cluster.node(1).apply(overtaken.put()); // the others get it late
        cluster.run(20);
        ScriptedNode.Write later = cluster.write(2, "fast");
        cluster.lose(Message.Settle.class::isInstance);
        cluster.lose(Message.WriteAck.class::isInstance);
        cluster.run(200); // long enough for both to be done with, at all nodes

        assertThat(overtaken.isDone()).isTrue();
        assertThat(overtaken.tokenMicros).isGreaterThanOrEqualTo(later.timestampMicros());
    }

    @Test
    void aReplicaAcknowledgesAWriteThatWasDoneWithBeforeItCame() {
        ScriptedNode.Write overtaken = cluster.node(1).write("slow", 0);
        cluster.node(2).apply(overtaken.put());
        cluster.run(20);
        ScriptedNode.Write later = cluster.write(3, "fast");
        cluster.run(200);
        assertThat(overtaken.isDone()).isFalse();

        cluster.node(2).acknowledge(overtaken);
        cluster.node(3).apply(overtaken.put());
        cluster.node(3).acknowledge(overtaken);
        cluster.deliver();

        assertThat(overtaken.isDone()).isTrue();
        assertThat(overtaken.tokenMicros).isGreaterThanOrEqualTo(later.timestampMicros());
    }

    @Test
    void twoWritesOfOneTimestampAreNotTakenForEachOther() {
        ScriptedNode.Write mine = cluster.node(1).write("mine", 0);
        Put other = Put.of(mine.timestampMicros(), "of another coordinator");

        cluster.node(1).stamp(other);
        cluster.node(1).step(new Event.Applied(other.key(), other.id()));
        cluster.node(3).apply(other);
        cluster.run(5);
        cluster.node(2).apply(mine.put());
        cluster.node(2).acknowledge(mine);
        cluster.deliver();
        assertThat(mine.isDone()).isFalse();

        cluster.node(1).apply(mine.put());
        assertThat(mine.isDone()).isTrue();
    }

    @Test
    void aCoordinatorThatIsNoReplicaLearnsTheStampsFromTheAcknowledgements() {
        ReplicaGroup others = ReplicaGroup.majority(NodeId.of(2), NodeId.of(3), NodeId.of(4));
        var core = new SequentialReads(NodeId.of(1), TestSettings.plain().build(), key -> others, Recovery.none(1));
        Now now = new Now(cluster.nowMicros, cluster.nowNanos());
        core.step(new Event.TableEnabled(Put.TABLE, true), now);
        Effect stamped = core.step(new Event.WriteStarted(1, List.of(Put.KEY), 0, false), now)
                .get(0);
        long ts = ((Effect.WriteStamped) stamped).timestampMicros();

        core.step(new Event.Received(NodeId.of(4), new Message.WriteAck(ts, Put.KEY, ts, ts + 3)), now);
        // A node that holds no replica does not count.
        core.step(new Event.Received(NodeId.of(1), new Message.WriteAck(ts, Put.KEY, ts, ts + 4)), now);
        List<Effect> last =
                core.step(new Event.Received(NodeId.of(2), new Message.WriteAck(ts, Put.KEY, ts, ts + 5)), now);

        assertThat(last).contains(new Effect.WriteDone(1, ts + 5));
    }
}
