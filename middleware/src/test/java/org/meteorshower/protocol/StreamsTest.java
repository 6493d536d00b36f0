/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meteorshower.protocol.Puppet.applied;
import static org.meteorshower.protocol.ScriptedCluster.START_MICROS;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Streams of status messages: what extends coverage, and what never does. */
class StreamsTest {
    private static final long T = START_MICROS;

    private final ScriptedNode node = Puppet.loneNode(TestSettings.plain().windows(8));
    private final Puppet peer = new Puppet(node, 2);

    private Long covered() {
        return node.core().view().coveredUpToMicros(peer.id);
    }

    private static Put put(long timestampMicros) {
        return Put.of(timestampMicros, "v" + timestampMicros);
    }

    @Test
    void aNodeAsksEachPeerForAStreamNamedAfterBothIncarnations() {
        assertThat(peer.requests()).isNotEmpty();
        assertThat(peer.requests().get(0).incarnation()).isEqualTo(1);
    }

    @Test
    void coverageBeginsWithTheSnapshotAndGrowsWithEachStatusMessage() {
        assertThat(covered()).isNull();

        peer.begin(T + 100);
        assertThat(covered()).isEqualTo(T + 100);

        peer.status(T + 200);
        assertThat(covered()).isEqualTo(T + 200);
    }

    @Test
    void aNodeThatOneOfTwoPeersHasLeftBehindKnowsItAndStillServes() {
        peer.tell(new Message.Stale(T, 1));

        assertThat(node.core().view().leftBehindBy()).containsExactly(peer.id);
        assertThat(node.core().view().streamOf(peer.id)).isEqualTo("refused");
        assertThat(node.core().view().whyLeftBehind(node.cluster.group())).isNull();

        new Puppet(node, 3).tell(new Message.Stale(T, 1));
        assertThat(node.core().view().whyLeftBehind(node.cluster.group())).contains(peer.id + ", " + NodeId.of(3));
    }

    @Test
    void aStreamThatBeginsEndsThatAndALateOrForeignRefusalTellsNothing() {
        peer.tell(new Message.Stale(T, 7)); // meant for another life
        assertThat(node.core().view().leftBehindBy()).isEmpty();

        peer.tell(new Message.Stale(T, 1));
        peer.begin(T + 100);
        assertThat(node.core().view().leftBehindBy()).isEmpty();

        peer.tell(new Message.Stale(T, 1));
        assertThat(node.core().view().leftBehindBy()).isEmpty();
    }

    @Test
    void anEmptyStatusMessageExtendsCoverageToo() {
        peer.begin(T + 100);

        for (int i = 2; i < 20; i++) {
            peer.status(T + 100L * i);
        }

        assertThat(covered()).isEqualTo(T + 1_900);
        assertThat(node.core().view().recordCount()).isZero();
    }

    @Test
    void aSnapshotInPartsCountsWhenAllPartsAreHereInWhateverOrder() {
        peer.reportTable();
        peer.takeRequest();

        peer.snapshotPart(T + 100, 2, 3, applied(put(T + 3), T + 30));
        peer.snapshotPart(T + 100, 0, 3, applied(put(T + 1), T + 10));
        peer.snapshotPart(T + 100, 0, 3, applied(put(T + 1), T + 10));
        assertThat(covered()).isNull();
        peer.snapshotPart(T + 100, 1, 3, applied(put(T + 2), T + 20));

        assertThat(covered()).isEqualTo(T + 100);
        assertThat(node.core().view().recordCount()).isEqualTo(3);
    }

    @Test
    void aStatusMessageThatOvertookTheSnapshotIsKeptUntilItCounts() {
        peer.reportTable();
        peer.takeRequest();

        peer.status(T + 200, applied(put(T + 2), T + 150));
        assertThat(covered()).isNull();
        peer.snapshotPart(T + 100, 0, 1);

        assertThat(covered()).isEqualTo(T + 200);
        assertThat(node.core().view().recordCount()).isEqualTo(1);
    }

    @Test
    void aGapStopsCoverageHoweverFreshTheNextMessageIs() {
        peer.begin(T + 100);
        peer.next(T + 200, applied(put(T + 2), T + 150));

        peer.status(T + 900);

        assertThat(covered()).isEqualTo(T + 100);
    }

    @Test
    void theRedundantPartMendsAGapWithoutAskingAgain() {
        peer.redundancy = 2;
        peer.begin(T + 100);
        peer.next(T + 200, applied(put(T + 2), T + 150));
        peer.next(T + 300, applied(put(T + 3), T + 250));

        peer.status(T + 400);

        assertThat(covered()).isEqualTo(T + 400);
        assertThat(node.core().view().recordCount()).isEqualTo(2);
        assertThat(peer.sentToMe(Message.ReRequest.class)).isEmpty();
    }

    @Test
    void aGapThatRedundancyCannotMendIsAskedForAgain() {
        peer.redundancy = 1;
        peer.begin(T + 100);
        Message.StatusMessage second = peer.next(T + 200, applied(put(T + 2), T + 150));
        peer.next(T + 300);
        Message.StatusMessage fourth = peer.next(T + 400);

        node.cluster.run(10);
        peer.tell(fourth);
        Message.ReRequest asked = peer.sentToMe(Message.ReRequest.class).get(0);
        assertThat(asked.fromSeq()).isEqualTo(1);
        assertThat(asked.toSeq()).isEqualTo(2);
        assertThat(covered()).isEqualTo(T + 100);
        peer.tell(second);

        assertThat(covered()).isEqualTo(T + 400); // the third came with the fourth
    }

    @Test
    void aGapThatThePeerCannotFillAnyMoreBeginsANewStream() {
        peer.begin(T + 100);
        int requests = peer.requests().size();
        Message.StatusMessage honest = peer.next(T + 200);

        peer.tell(new Message.StatusMessage(
                honest.hlcMicros(),
                honest.stream(),
                Long.MAX_VALUE / 2,
                honest.msgTsMicros(),
                honest.payload(),
                honest.redundant(),
                null,
                -1,
                honest.echo()));
        node.cluster.run(500);

        assertThat(peer.requests()).hasSize(requests + 1);
        assertThat(peer.sentToMe(Message.ReRequest.class)).isEmpty();
        assertThat(covered()).isEqualTo(T + 100);
    }

    @Test
    void messagesThatArriveInTheWrongOrderAreTakenInTheRightOne() {
        peer.begin(T + 100);
        Message.StatusMessage first = peer.next(T + 200);
        Message.StatusMessage second = peer.next(T + 300);
        Message.StatusMessage third = peer.next(T + 400);

        peer.tell(third);
        peer.tell(second);
        assertThat(covered()).isEqualTo(T + 100);
        peer.tell(first);

        assertThat(covered()).isEqualTo(T + 400);
    }

    @Test
    void aMessageThatComesTwiceChangesNothing() {
        peer.begin(T + 100);
        Message.StatusMessage first = peer.next(T + 200, applied(put(T + 2), T + 150));

        peer.tell(first);
        peer.tell(first);

        assertThat(covered()).isEqualTo(T + 200);
        assertThat(node.core().view().recordCount()).isEqualTo(1);
    }

    @Test
    void moreMessagesAheadOfAGapThanTheWindowHoldsMakeTheStreamStartAnew() {
        peer.begin(T + 100);
        int before = peer.requests().size();
        peer.next(T + 150);
        peer.next(T + 160);

        for (int i = 0; i < 9; i++) {
            peer.status(T + 200 + i);
        }

        assertThat(peer.requests()).hasSize(before + 1);
        peer.takeRequest();
        peer.snapshotPart(T + 500, 0, 1);
        assertThat(covered()).isEqualTo(T + 500);
    }

    @Test
    void aGapThatCannotBeMendedMakesTheStreamStartAnew() {
        ScriptedCluster cluster =
                ScriptedCluster.of(3, 2, TestSettings.plain().redundancy(0).windows(4));
        cluster.cutOneWay(1, 2);
        cluster.run(200); // twenty messages lost, four kept
        cluster.heal();
        Long before = cluster.node(2).core().view().coveredUpToMicros(NodeId.of(1));

        cluster.run(3_000);

        assertThat(cluster.node(2).core().view().coveredUpToMicros(NodeId.of(1)))
                .isGreaterThan(before + 1_000_000);
        assertThat(cluster.sent(2, 1, Message.Subscribe.class)).hasSizeGreaterThan(2);
    }

    @Test
    void coverageGoesOnOverSuccessiveStreamsOfOnePeer() {
        peer.begin(T + 100, applied(put(T + 2), T + 50));
        node.cluster.run(4_000); // silence: the node asks anew
        peer.takeRequest();
        peer.snapshotPart(T + 4_000_000, 0, 1, applied(put(T + 2), T + 50), applied(put(T + 3), T + 600));

        assertThat(covered()).isEqualTo(T + 4_000_000);
        assertThat(node.core().view().recordCount()).isEqualTo(2);
    }

    @Test
    void aMessageOfAnEarlierStreamNeverExtendsCoverage() {
        peer.begin(T + 100);
        Message.StatusMessage old = peer.next(T + 9_000);
        node.cluster.run(4_000);
        peer.takeRequest();
        peer.snapshotPart(T + 200, 0, 1);

        peer.tell(old);

        assertThat(covered()).isEqualTo(T + 200);
    }

    @Test
    void aMessageOfTheSendersEarlierIncarnationNeverExtendsCoverage() {
        peer.begin(T + 100);
        Message.StatusMessage old = peer.next(T + 9_000);
        peer.incarnation = 2;
        peer.tell(new Message.Subscribe(T, 2, 1));
        peer.takeRequest();
        peer.snapshotPart(T + 200, 0, 1);

        peer.tell(old);

        assertThat(covered()).isEqualTo(T + 200);
    }

    @Test
    void aMessageMeantForTheReceiversEarlierIncarnationNeverExtendsCoverage() {
        peer.begin(T + 100);
        StreamId mine = peer.stream;
        peer.stream = new StreamId(mine.senderIncarnation(), mine.receiverIncarnation() - 1, mine.number());

        peer.status(T + 200);

        assertThat(covered()).isEqualTo(T + 100);
    }

    @Test
    void aPeerThatRestartedIsAskedForANewStreamAtOnce() {
        peer.begin(T + 100);
        int before = peer.requests().size();

        peer.tell(new Message.Subscribe(T, 2, 1));

        assertThat(peer.requests()).hasSize(before + 1);
    }

    @Test
    void aStreamOfAnEarlierLifeWhoseRequestAlsoReachedTheNewLifeIsReplaced() {
        peer.begin(T + 100);
        int before = peer.requests().size();
        peer.stream = new StreamId(2, peer.stream.receiverIncarnation(), peer.stream.number());
        peer.seq = 0;

        // The request came twice: the peer answered it, restarted, and answers it again.
        peer.status(T + 200);
        node.cluster.run(5);

        assertThat(peer.requests()).hasSize(before + 1);
    }

    @Test
    void aRequestThatComesLateOrTwiceStartsNoStream() {
        ScriptedNode real = ScriptedCluster.ofThree().node(1);
        real.receive(NodeId.of(2), new Message.Subscribe(T, 1, 100));
        int snapshots = real.cluster.sent(1, 2, Message.Snapshot.class).size();

        real.receive(NodeId.of(2), new Message.Subscribe(T, 1, 100));
        real.receive(NodeId.of(2), new Message.Subscribe(T, 1, 99));
        real.receive(NodeId.of(2), new Message.Subscribe(T, 0, 101));

        assertThat(real.cluster.sent(1, 2, Message.Snapshot.class)).hasSize(snapshots);
    }

    /** The receiver may be far along in it: numbers given out a second time would hide what the first ones told. */
    /**
     * It may be off the ring and not know: what was forgotten here with an earlier name would be missing in its
     * snapshot.
     */
    @Test
    void aNodeThatIsNoPeerGetsNoStream() {
        Puppet stranger = new Puppet(node, 9);

        stranger.tell(new Message.Subscribe(T, 1, 1));
        assertThat(stranger.sentToMe(Message.Snapshot.class)).isEmpty();
        assertThat(stranger.sentToMe(Message.Tables.class)).isNotEmpty();

        peer.tell(new Message.Subscribe(T, 1, 1));
        assertThat(peer.sentToMe(Message.Snapshot.class)).isNotEmpty();
    }

    @Test
    void aStreamThatEndedNeverBeginsAgainUnderItsName() {
        ScriptedCluster cluster = ScriptedCluster.ofThree();
        ScriptedNode real = cluster.node(1);
        real.receive(NodeId.of(2), new Message.Subscribe(T, 1, 100));
        cluster.cut(1, 2);
        cluster.run(7_000);
        cluster.forgetSent();

        real.receive(NodeId.of(2), new Message.Subscribe(T, 1, 100));
        cluster.run(50);

        assertThat(cluster.sent(1, 2, Message.Snapshot.class)).isEmpty();
        assertThat(cluster.sent(1, 2, Message.StatusMessage.class)).isEmpty();

        real.receive(NodeId.of(2), new Message.Subscribe(T, 1, 101));
        assertThat(cluster.sent(1, 2, Message.Snapshot.class)).hasSize(1);
    }

    @Test
    void aSnapshotOfWhichAPartWasLostIsAskedForAgainAndItsOtherPartsCount() {
        peer.reportTable();
        peer.takeRequest();
        peer.snapshotPart(T + 100, 0, 2, applied(put(T + 1), T + 10));
        int before = peer.requests().size();
        // Of those that come meanwhile the first eight are kept, and nothing begins anew for the others.
        for (int i = 0; i < 12; i++) {
            peer.status(T + 200 + i);
        }
        node.cluster.run(1_500);

        assertThat(peer.requests()).hasSize(before + 1);
        assertThat(peer.requests().get(before).number()).isEqualTo(peer.stream.number());
        peer.snapshotPart(T + 100, 1, 2, applied(put(T + 2), T + 20));
        assertThat(covered()).isEqualTo(T + 207);
        assertThat(node.core().view().recordCount()).isEqualTo(2);
    }

    @Test
    void aSnapshotThatNeverBecomesWholeIsGivenUpForANewOne() {
        peer.reportTable();
        peer.takeRequest();
        peer.snapshotPart(T + 100, 0, 2, applied(put(T + 1), T + 10));

        node.cluster.run(10_000);

        assertThat(peer.requests().get(peer.requests().size() - 1).number()).isGreaterThan(peer.stream.number());
    }

    /** The peer asks again and again, and so keeps this node's own time-out from ever running out. */
    @Test
    void aRequestThatAPeersOwnRequestsHaveItRepeatGetsANewNumberInTheEnd() {
        peer.reportTable();
        long first = peer.requests().get(0).number();

        for (int i = 0; i < 20; i++) {
            node.cluster.run(200);
            peer.tell(new Message.Subscribe(T, 1, i + 1));
        }

        assertThat(peer.requests().get(peer.requests().size() - 1).number()).isGreaterThan(first);
    }

    @Test
    void aRequestRepeatedBringsTheSameSnapshotUntilTheReceiverHasIt() {
        ScriptedCluster cluster = ScriptedCluster.of(3, 2, TestSettings.plain().announcementsPerMessage(2));
        ScriptedNode real = cluster.node(1);
        for (int i = 0; i < 3; i++) {
            real.apply(put(cluster.nowMicros + i));
        }
        cluster.cutOneWay(1, 2);
        cluster.forgetSent();
        real.receive(NodeId.of(2), new Message.Subscribe(T, 5, 1));
        List<Message.Snapshot> first = cluster.sent(1, 2, Message.Snapshot.class);
        cluster.run(500);
        cluster.forgetSent();

        real.receive(NodeId.of(2), new Message.Subscribe(T, 5, 1));

        assertThat(first).hasSize(2);
        assertThat(cluster.sent(1, 2, Message.Snapshot.class)).isEqualTo(first);
        real.receive(
                NodeId.of(2),
                new Message.StatusMessage(
                        T,
                        new StreamId(5, 1, 1),
                        1,
                        0,
                        List.of(),
                        List.of(),
                        first.get(0).stream(),
                        0,
                        new Message.Echo(0, 0, 0, 0)));
        cluster.run(500);
        cluster.forgetSent();
        real.receive(NodeId.of(2), new Message.Subscribe(T, 5, 1));
        assertThat(cluster.sent(1, 2, Message.Snapshot.class)).isEmpty();
    }

    @Test
    void aSnapshotHoldsAllThatTheSenderHasAppliedAndNotRetired() {
        ScriptedCluster cluster = ScriptedCluster.ofThree();
        Put put = put(cluster.nowMicros);
        long stamp = cluster.node(1).apply(put);
        cluster.forgetSent();

        cluster.node(1).receive(NodeId.of(2), new Message.Subscribe(T, 5, 1));

        Message.Snapshot snapshot = cluster.sent(1, 2, Message.Snapshot.class).get(0);
        assertThat(snapshot.applied()).containsExactly(applied(put, stamp));
        assertThat(snapshot.snapshotMicros()).isGreaterThanOrEqualTo(stamp);
    }

    @Test
    void aMessageThatCannotHoldAllThereIsToTellPromisesNothing() {
        ScriptedCluster cluster = ScriptedCluster.of(3, 2, TestSettings.plain().announcementsPerMessage(2));
        for (int i = 0; i < 5; i++) {
            cluster.node(1).apply(put(cluster.nowMicros + i));
        }
        cluster.forgetSent();
        cluster.run(10);

        List<Message.StatusMessage> sent = cluster.sent(1, 2, Message.StatusMessage.class).stream()
                .filter(status -> !status.payload().isEmpty())
                .toList();
        assertThat(sent).extracting(status -> status.payload().size()).containsExactly(2, 2, 1);
        assertThat(sent).extracting(status -> status.msgTsMicros() > 0).containsExactly(false, false, true);
    }

    @Test
    void statusMessagesLeaveAtLeastEveryDispatchIntervalAlsoWithNothingToTell() {
        ScriptedCluster cluster = ScriptedCluster.ofThree();
        cluster.forgetSent();

        cluster.run(1_000);

        assertThat(cluster.sent(1, 2, Message.StatusMessage.class)).hasSizeBetween(99, 101);
    }

    @Test
    void nothingPilesUpForAPeerThatIsSilent() {
        ScriptedCluster cluster = ScriptedCluster.ofThree();
        cluster.cut(1, 3);
        cluster.run(7_000);
        cluster.forgetSent();

        cluster.run(1_000);

        assertThat(cluster.sent(1, 3, Message.StatusMessage.class)).isEmpty();
    }
}
