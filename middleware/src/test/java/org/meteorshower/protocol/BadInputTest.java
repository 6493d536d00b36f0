/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.meteorshower.protocol.Puppet.applied;
import static org.meteorshower.protocol.ScriptedCluster.START_MICROS;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes from outside and makes no sense is refused, and changes nothing. */
class BadInputTest {
    private static final long T = START_MICROS;
    private static final long TOO_FAR = T + 901_000_000; // the bound is 900 seconds

    private final ScriptedNode node = Puppet.loneNode(TestSettings.plain());
    private final Puppet peer = new Puppet(node, 2);

    @BeforeEach
    void begin() {
        peer.begin(T + 10);
        new Puppet(node, 3).begin(T + 10);
    }

    @Test
    void aMessageFurtherAheadThanTheBoundIsRefusedWithAnAlarm() {
        long clock = node.core().view().hybridClockMicros();

        node.receive(peer.id, new Message.Pull(TOO_FAR));

        assertThat(node.alarms()).containsExactly(Effect.AlarmKind.CLOCK_AHEAD);
        assertThat(node.core().view().hybridClockMicros()).isEqualTo(clock);
    }

    @ParameterizedTest
    @ValueSource(longs = {TOO_FAR, Long.MAX_VALUE})
    void aTokenFurtherAheadThanTheBoundIsRefusedForReadsAndWrites(long token) {
        assertThat(node.read(token).failed.failure()).isEqualTo(Effect.Failure.BAD_TOKEN);
        assertThat(node.write("a", token).refused.failure()).isEqualTo(Effect.Failure.BAD_TOKEN);
        assertThat(node.core().view().hybridClockMicros()).isLessThan(TOO_FAR);
    }

    @Test
    void aMutationFurtherAheadThanTheBoundIsRefusedWithAnAlarm() {
        Put put = Put.of(TOO_FAR, "from the future");

        List<Effect> step = node.step(new Event.Intended(put, null, 0, 0));

        assertThat(step).anyMatch(Effect.RefuseMutation.class::isInstance);
        assertThat(node.alarms()).containsExactly(Effect.AlarmKind.CLOCK_AHEAD);
        assertThat(node.core().view().recordCount()).isZero();
    }

    @Test
    void aTokenFromBeforeTheBeginningOfTimeDoesNoHarm() {
        assertThat(node.read(-5).failed).isNull();
        assertThat(node.write("a", Long.MIN_VALUE / 4).timestampMicros()).isGreaterThan(T);
    }

    @Test
    void anAnnouncementForAKeyThatIsNotOursIsIgnored() {
        ReplicaGroup others = ReplicaGroup.majority(NodeId.of(2), NodeId.of(3), NodeId.of(4));
        var core = new SequentialReads(NodeId.of(1), TestSettings.plain().build(), key -> others, Recovery.none(1));
        Now now = new Now(T, 0);
        core.step(new Event.TableEnabled(Put.TABLE, true), now);
        core.step(new Event.PeersChanged(java.util.Set.of(peer.id)), now);
        StreamId stream = new StreamId(1, 1, 1);

        core.step(
                new Event.Received(
                        peer.id, new Message.Snapshot(T, stream, T, 0, 1, List.of(applied(Put.of(T + 1, "a"), T + 2)))),
                now);

        assertThat(core.view().coveredUpToMicros(peer.id)).isEqualTo(T);
        assertThat(core.view().recordCount()).isZero();
    }

    @Test
    void anAnnouncementOfATableThatIsNotEnabledHereIsIgnored() {
        PartitionKey elsewhere = new PartitionKey(new UUID(9, 9), new byte[] {1});

        peer.status(T + 20, applied(Put.of(elsewhere, T + 1, Map.of("1.v", "a")), T + 15));

        assertThat(node.core().view().recordCount()).isZero();
    }

    @Test
    void statusMessagesOfANodeThatIsNoPeerAddNothing() {
        NodeId stranger = NodeId.of(77);
        StreamId stream = new StreamId(1, 1, 1);

        node.receive(stranger, new Message.Snapshot(T, stream, T + 50, 0, 1, List.of()));
        node.receive(
                stranger,
                new Message.StatusMessage(
                        T, stream, 1, T + 60, List.of(), List.of(), null, -1, new Message.Echo(0, 0, 0, 0)));

        assertThat(node.core().view().coveredUpToMicros(stranger)).isNull();
    }

    @Test
    void aStreamThatNobodyAskedForAddsNothing() {
        peer.stream = new StreamId(1, 1, 4_711);

        peer.snapshotPart(T + 900, 0, 1);
        peer.status(T + 901);

        assertThat(node.core().view().coveredUpToMicros(peer.id)).isEqualTo(T + 10);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0})
    void anAbsurdSequenceNumberExtendsNothingAndBreaksNothing(long seq) {
        peer.seq = seq - 1;
        peer.status(T + 500);
        assertThat(node.core().view().coveredUpToMicros(peer.id)).isEqualTo(T + 10);

        peer.seq = 0;
        peer.status(T + 600);

        assertThat(node.core().view().coveredUpToMicros(peer.id)).isEqualTo(T + 600);
    }

    @Test
    void aSequenceNumberFarAheadCostsANewStreamAndNothingElse() {
        peer.seq = Long.MAX_VALUE - 1;
        peer.status(T + 500);
        assertThat(node.core().view().coveredUpToMicros(peer.id)).isEqualTo(T + 10);

        peer.begin(T + 600);

        assertThat(node.core().view().coveredUpToMicros(peer.id)).isEqualTo(T + 600);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 1_000_000, Long.MAX_VALUE})
    void anAbsurdAcknowledgementAcknowledgesNothing(long seq) {
        peer.tell(new Message.Subscribe(T, 1, 1));
        node.apply(Put.of(T + 1, "a"));
        node.cluster.run(11);
        StreamId towards = peer.sentToMe(Message.StatusMessage.class).get(0).stream();

        peer.tell(new Message.StatusMessage(
                T, peer.stream, 1, T + 20, List.of(), List.of(), towards, seq, new Message.Echo(0, 0, 0, 0)));

        assertThat(node.core().view().describeRecords(1).get(0)).contains("acknowledged=[false, false, false]");
    }

    @Test
    void aRequestForAllMessagesThatEverWereIsAnsweredWithTheFewThatAreKept() {
        peer.tell(new Message.Subscribe(T, 1, 1));
        node.cluster.run(8_000 / 10);
        StreamId towards = peer.sentToMe(Message.StatusMessage.class).get(0).stream();
        node.cluster.forgetSent();

        peer.tell(new Message.ReRequest(T, towards, Long.MIN_VALUE, Long.MAX_VALUE));

        assertThat(peer.sentToMe(Message.StatusMessage.class)).hasSizeLessThanOrEqualTo(node.settings.resendWindow());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1, Integer.MAX_VALUE})
    void aPartOfASnapshotThatCannotBeIsRefusedWithAnAlarm(int part) {
        Puppet third = new Puppet(node, 3);
        node.cluster.run(4_000); // silence: the node asks anew
        third.takeRequest();

        assertThatCode(() -> third.snapshotPart(T + 50, part, 1)).doesNotThrowAnyException();

        assertThat(node.core().view().coveredUpToMicros(third.id)).isEqualTo(T + 10);
        assertThat(node.alarms()).contains(Effect.AlarmKind.PROTOCOL);
    }

    @Test
    void aPromiseBeyondItsSendersOwnClockIsRefusedWithAnAlarm() {
        Message.StatusMessage honest = peer.next(T + 20);

        peer.tell(new Message.StatusMessage(
                T + 20,
                honest.stream(),
                honest.seq(),
                T + 5_000_000,
                List.of(),
                List.of(),
                null,
                -1,
                new Message.Echo(0, 0, 0, 0)));

        assertThat(node.core().view().coveredUpToMicros(peer.id)).isEqualTo(T + 10);
        assertThat(node.alarms()).contains(Effect.AlarmKind.PROTOCOL);
    }

    @Test
    void anAcknowledgementOfAWriteThatNobodyBeganIsIgnored() {
        assertThat(peer.tell(new Message.WriteAck(T, Put.KEY, T + 123, T + 124)))
                .noneMatch(Effect.WriteDone.class::isInstance);
    }

    @Test
    void anAnswerAboutAReadThatIsNotOpenIsIgnored() {
        assertThat(node.step(new Event.StoreRead(4_711))).noneMatch(e -> e instanceof Effect.ReadConfirmed);
        assertThatCode(() -> node.step(new Event.ReadAbandoned(4_711))).doesNotThrowAnyException();
    }
}
