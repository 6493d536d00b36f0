/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Strict reads by leases: three data centres 20 ms apart, and physical clocks that are hours apart. */
class StrictAtHomeTest {
    private static final int ONE_WAY = 20;
    private static final int LEASE = (int) (Leases.PROMISED_MICROS / 1_000);

    private final ScriptedCluster cluster = ScriptedCluster.strictAtHome();

    @BeforeEach
    void start() {
        cluster.oneWayMillis(1, 2, ONE_WAY).oneWayMillis(1, 3, ONE_WAY).oneWayMillis(2, 3, ONE_WAY);
        cluster.node(2).clockAheadMicros = 500_000;
        cluster.node(3).clockAheadMicros = -500_000;
        cluster.startAll();
        for (int node = 1; node <= 3; node++) {
            read(node);
        }
        cluster.run(LEASE + 3 * ONE_WAY); // so long nobody knows whom a node that has just started has promised
    }

    private ScriptedNode.Reading read(int node) {
        return cluster.node(node).read(ReadMode.STRICT);
    }

    /** It is stamped at its coordinator, and reaches the others after a while. */
    private ScriptedNode.Write write(int coordinator, String value, int... others) {
        ScriptedNode.Write write = cluster.node(coordinator).write(Map.of("1.v", value), 0, false);
        cluster.node(coordinator).apply(write.put());
        cluster.run(ONE_WAY);
        for (int other : others) {
            cluster.node(other).apply(write.put());
        }
        return write;
    }

    @Test
    void aRowAtRestIsAnsweredAtOnceWhateverClocksShow() {
        write(1, "a", 2, 3);
        cluster.run(200);
        for (int node = 1; node <= 3; node++) {
            assertThat(read(node).value).isEqualTo("a");
        }
    }

    @Test
    void aWriteIsAcknowledgedOnceAllWhoHoldHavePledgedIt() {
        ScriptedNode.Write write = write(1, "a", 2);
        cluster.run(3 * ONE_WAY);
        assertThat(write.isDone()).as("a majority has it, node 3 does not").isFalse();
        cluster.node(3).apply(write.put());
        cluster.run(3 * ONE_WAY);
        assertThat(write.isDone()).isTrue();
    }

    @Test
    void aReadWaitsForWhatAnotherHolderMayNotKnowOf() {
        ScriptedNode.Write write = write(1, "a", 2);
        cluster.run(2 * ONE_WAY);
        ScriptedNode.Reading reading = read(2);
        assertThat(reading.waits()).isTrue();
        assertThat(read(3).waits())
                .as("it has heard of it, and does not have it")
                .isTrue();
        cluster.node(3).apply(write.put());
        cluster.run(ONE_WAY + 12);
        assertThat(reading.value).isEqualTo("a");
    }

    @Test
    void aWriteThatAnotherNodeCarriesOutIsToldDoneByWhoGaveTheTimestamp() {
        NodeId carrier = NodeId.of(9);
        ScriptedNode.Write write = cluster.node(1).write(carrier, Map.of("1.v", "a"), 0, false);
        Put another = Put.of(Put.KEY, write.put().id().timestampMicros(), Map.of("1.v", "b"));
        for (int node = 1; node <= 3; node++) {
            cluster.node(node).applyFrom(NodeId.of(8), another);
        }
        cluster.run(3 * ONE_WAY);
        assertThat(write.isDone())
                .as("this is somebody else's, of the same time")
                .isFalse();
        cluster.node(1).applyFrom(carrier, write.put());
        cluster.node(2).applyFrom(carrier, write.put());
        cluster.run(3 * ONE_WAY);
        assertThat(write.isDone()).as("node 3 holds, and does not have it").isFalse();
        cluster.node(3).applyFrom(carrier, write.put());
        cluster.run(3 * ONE_WAY);
        assertThat(write.isDone()).isTrue();
        assertThat(cluster.sent(1, 9, Message.WriteAck.class))
                .as("nobody waits for these")
                .isEmpty();
    }

    @Test
    void twoWritesOfOneTimestampAreNotTakenForEachOther() {
        ScriptedNode.Write write = cluster.node(1).write("a", 0);
        cluster.node(1).apply(write.put());
        Put another = Put.of(Put.KEY, write.put().id().timestampMicros(), Map.of("1.v", "b"));
        cluster.node(2).apply(another);
        cluster.node(3).apply(another);
        cluster.run(ONE_WAY);
        cluster.node(1).apply(another); // a hint, or what a peer brings
        cluster.run(3 * ONE_WAY);
        assertThat(write.isDone()).isFalse();
        assertThat(cluster.node(1).effects)
                .as("its client is told that nobody knows")
                .contains(new Effect.WriteLost(write.id));
    }

    @Test
    void aHolderThatIsCutOffHoldsWritersUpOnceAndReadsNothingThen() {
        cluster.cutOff(3);
        ScriptedNode.Write write = write(1, "a", 2);
        cluster.run(LEASE - 3 * ONE_WAY);
        assertThat(write.isDone()).isFalse();
        cluster.run(5 * ONE_WAY);
        assertThat(write.isDone()).isTrue();
        assertThat(read(3).waits()).as("its lease has run out").isTrue();

        ScriptedNode.Write next = write(1, "b", 2);
        cluster.run(3 * ONE_WAY);
        assertThat(next.isDone()).as("nobody waits for it any more").isTrue();
        assertThat(read(2).value).isEqualTo("b");
    }

    @Test
    void aHolderThatTheCoordinatorAloneDoesNotHearIsAskedAboutElsewhere() {
        cluster.cut(1, 3);
        ScriptedNode.Write write = write(1, "a", 2);
        cluster.node(3).apply(write.put());
        cluster.run(3 * ONE_WAY);
        assertThat(write.isDone()).isFalse();
        cluster.run(2 * ONE_WAY + 100 + 4 * ONE_WAY);
        assertThat(write.isDone()).as("node 2 knows that node 3 has it").isTrue();
        assertThat(read(1).value).isEqualTo("a");
    }

    @Test
    void andIsTakenBackWhenItIsHeard() {
        cluster.cutOff(3);
        cluster.run(2 * LEASE);
        ScriptedNode.Write write = write(1, "a", 2);
        cluster.run(3 * ONE_WAY);
        assertThat(write.isDone()).isTrue();
        cluster.heal();
        ScriptedNode.Reading reading = read(3);
        cluster.run(20 * ONE_WAY); // it is told of the write, fetches it, and all hear of that
        if (reading.waits()) {
            cluster.run(1_000);
        }
        assertThat(reading.value).isEqualTo("a");
    }

    @Test
    void aPauseOf300MillisecondsCostsNoPromise() {
        ScriptedNode.Write write = write(1, "a", 2);
        cluster.run(300);
        assertThat(write.isDone()).isFalse();
        cluster.node(3).apply(write.put());
        cluster.run(2 * ONE_WAY);
        assertThat(write.isDone()).isTrue();
        cluster.run(LEASE);
        assertThat(read(3).value).as("it holds still").isEqualTo("a");
    }

    @Test
    void whoLaggedWhileItWasPromisedNothingIsNotLeftOutForLonger() {
        for (int i = 0; i < 8; i++) {
            ScriptedNode.Write write = write(1, "a" + i, 2);
            cluster.run(500);
            cluster.node(3).apply(write.put());
            cluster.run(50);
        }
        cluster.run(2_000 + 5 * ONE_WAY);
        assertThat(read(3).value).isEqualTo("a7");
    }

    @Test
    void whoUsesItNoMoreIsNotWaitedForUnlessItIsTo() {
        idleMicros(2, 0);
        idleMicros(3, 2_000_000);
        cluster.run(2_000 + 2 * LEASE);
        ScriptedNode.Write write = write(1, "a", 2);
        cluster.run(3 * ONE_WAY);
        assertThat(write.isDone()).as("node 3 has given its lease back").isTrue();
        write = write(1, "b", 3);
        cluster.run(3 * ONE_WAY);
        assertThat(write.isDone()).as("node 2 keeps its lease").isFalse();
    }

    @Test
    void whoUsesAnotherTableIsNotWaitedForInThisOne() {
        PartitionKey other = new PartitionKey(new UUID(5, 5), new byte[] {1});
        assertThat(TableStripes.of(other.table())).isNotEqualTo(TableStripes.of(Put.TABLE));
        for (int node = 1; node <= 3; node++) {
            cluster.node(node).step(new Event.TableEnabled(other.table(), true));
        }
        idleMicros(3, 2_000_000);
        for (int i = 0; i < 4; i++) {
            cluster.node(3).step(new Event.WriteStarted(1_000 + i, List.of(other), 0, false, null));
            cluster.run(LEASE + 300);
        }
        ReplicaGroup group = cluster.group();
        CoreView view = cluster.node(3).core().view();
        assertThat(view.holdsLease(other.table(), group))
                .as("%s", view.leases())
                .isTrue();
        assertThat(view.holdsLease(Put.TABLE, group)).isFalse();
        ScriptedNode.Write write = write(1, "a", 2);
        cluster.run(3 * ONE_WAY);
        assertThat(write.isDone()).isTrue();
        assertThat(read(3).waits()).as("it has to ask first").isTrue();
    }

    private void idleMicros(int node, long micros) {
        cluster.node(node)
                .step(new Event.SettingsChanged(
                        TestSettings.plain().leaseIdle(micros).build()));
    }

    @Test
    void whoRestartsTakesEverybodyForPromised() {
        cluster.cutOff(3);
        cluster.run(LEASE / 2);
        cluster.node(1).crash();
        cluster.node(1).restart();
        cluster.run(5 * ONE_WAY);
        List<Message.StatusMessage> told = cluster.sent(1, 2, Message.StatusMessage.class);
        assertThat(told.get(told.size() - 1).lease().promised()).containsKey(NodeId.of(3));
        cluster.run(2 * LEASE);
        told = cluster.sent(1, 2, Message.StatusMessage.class);
        assertThat(told.get(told.size() - 1).lease().promised()).doesNotContainKey(NodeId.of(3));
    }

    @Test
    void aNodeThatHoldsNothingGivesNoTimestamp() {
        cluster.cutOff(1);
        cluster.run(2 * LEASE);
        ScriptedNode.Write write = cluster.node(1).write(Map.of("1.v", "a"), 0, false);
        assertThat(write.put).isNull();
        assertThat(write.refused).isNull();
    }

    @Test
    void aPromiseForLongerThanAnybodyGivesOrFromTheFutureIsNotBelieved() {
        ScriptedNode node = Puppet.loneNode(TestSettings.plain());
        Puppet forger = new Puppet(node, 2).begin(ScriptedCluster.START_MICROS);
        long nowNanos = node.now().elapsedNanos();
        assertThat(heldMicros(node, forger, 600_000_000, nowNanos)).isZero();
        assertThat(heldMicros(node, forger, 600_000, nowNanos + 1)).isZero();
        assertThat(heldMicros(node, forger, 600_000, nowNanos - 100_000_000))
                .as("one that can be")
                .isEqualTo(500_000);
    }

    /** What is left of the peer's promise, after it has told this. */
    private static long heldMicros(ScriptedNode node, Puppet peer, long forMicros, long fromNanos) {
        Message.StatusMessage message = peer.next(ScriptedCluster.START_MICROS + peer.seq + 1);
        peer.tell(new Message.StatusMessage(
                message.hlcMicros(),
                message.stream(),
                message.seq(),
                message.msgTsMicros(),
                message.payload(),
                message.redundant(),
                null,
                -1,
                message.echo(),
                new Message.Lease(TableStripes.ALL, forMicros, fromNanos, TableStripes.ALL, Map.of()),
                List.of()));
        return node.core().view().leases().get(0).heldMicros();
    }
}
