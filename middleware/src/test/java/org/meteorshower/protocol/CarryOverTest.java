/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A table whose partitions have moved, used again before it is repaired: what was in flight is carried over. */
class CarryOverTest {
    private static final UUID NEXT = new UUID(0, 2);
    private static final UUID THIRD = new UUID(0, 3);
    private static final PartitionKey NEXT_KEY = new PartitionKey(NEXT, Put.KEY.bytes());

    private ScriptedCluster cluster = ScriptedCluster.ofThree();

    private void follow(int... numbers) {
        follow(Put.TABLE, NEXT, numbers);
    }

    private void follow(UUID from, UUID to, int... numbers) {
        for (int number : numbers) {
            ScriptedNode node = cluster.node(number);
            node.tableName = to;
            node.step(new Event.TableMoved(to, from, true));
            node.step(new Event.TableLeft(from));
        }
        cluster.run(100);
    }

    private PlainReads plainReads(int number, UUID name) {
        return cluster.node(number).core().view().plainReads(name);
    }

    private void open(int... numbers) {
        open(NEXT, numbers);
    }

    private void open(UUID name, int... numbers) {
        for (int number : numbers) {
            cluster.node(number).step(new Event.TableOpened(name));
        }
    }

    /** Whether the table is read here within so many milliseconds, as one that is served, or plainly at QUORUM. */
    private boolean isReadWithin(int number, int millis) {
        for (int i = 0; i < millis; i++) {
            CoreView view = cluster.node(number).core().view();
            if (view.plainReads(NEXT) == PlainReads.AT_QUORUM || view.notReady(NEXT, cluster.group()) == null) {
                return true;
            }
            cluster.run(1);
        }
        return false;
    }

    /** Stamped by nodes 1 and 2, so visible; the third has not heard of it yet. */
    private Put writtenAtTwo() {
        cluster.lose(message -> message instanceof Message.Settle || message instanceof Message.Fetch);
        ScriptedNode.Write write = cluster.node(1).write("in flight", 0);
        cluster.node(1).apply(write.put());
        cluster.node(2).apply(write.put());
        cluster.node(2).acknowledge(write);
        cluster.deliver();
        assertThat(write.isDone()).isTrue();
        return write.put();
    }

    @Test
    void whatWasInFlightIsStampedUnderTheNextName() {
        Put put = writtenAtTwo();
        follow(1, 2, 3);

        assertThat(cluster.sent(1, 3, Message.StatusMessage.class)).anyMatch(message -> message.payload().stream()
                .anyMatch(announced ->
                        announced.key().equals(NEXT_KEY) && announced.id().equals(put.id())));
    }

    @Test
    void itIsReadOnceAllFollowAndWhatWasInFlightIsInTheStoresOfAMajority() {
        writtenAtTwo();
        follow(1, 2, 3);
        assertThat(isReadWithin(1, 100)).isFalse();

        cluster.heal();
        open(1, 2, 3);
        assertThat(isReadWithin(1, 1_000)).isTrue();
    }

    @Test
    void notWhileTheOthersHaveStampedItAlone() {
        Put put = writtenAtTwo();
        cluster.node(2).storeIsSlow = true;
        cluster.node(3).storeIsSlow = true;
        cluster.heal(); // the third fetches it
        follow(1, 2, 3);
        open(1, 2, 3);
        assertThat(isReadWithin(1, 3_000)).isFalse();
        assertThat(cluster.sent(3, 1, Message.StatusMessage.class)).anyMatch(message -> message.payload().stream()
                .anyMatch(announced -> announced.key().equals(NEXT_KEY)));

        cluster.node(3).land(put.named(NEXT));
        assertThat(isReadWithin(1, 200)).isTrue();
    }

    @Test
    void whoHoldsNothingNewHasNothingToRepairAndTheTableIsServed() {
        writtenAtTwo();
        follow(1, 2, 3);
        open(1, 2, 3);
        cluster.heal();
        cluster.run(3_000);

        for (int number = 1; number <= 3; number++) {
            assertThat(cluster.node(number).core().view().needsStep(NEXT)).isFalse();
            assertThat(cluster.node(number).core().view().hasBaseline(NEXT)).isTrue();
        }
        assertThat(cluster.node(3).core().view().notReady(NEXT, cluster.group()))
                .isNull();
    }

    @Test
    void whoMayLackWhatOthersRetiredIsToBeRepaired() {
        cluster.node(1).step(new Event.ForeignDataComing(Put.TABLE));
        follow(1, 2, 3);
        open(1, 2, 3);

        assertThat(isReadWithin(2, 100)).isTrue(); // plainly: two of three are enough
        assertThat(cluster.node(2).core().view().plainReads(NEXT).areAllowed()).isTrue();
        assertThat(cluster.node(1).core().view().needsStep(NEXT)).isTrue();
        assertThat(cluster.node(2).core().view().needsStep(NEXT)).isFalse();
    }

    @Test
    void whatIsWrittenMeanwhileWaitsAndGoesOnOnceAllFollow() {
        follow(1, 2);
        ScriptedNode node = cluster.node(1);
        node.step(new Event.WriteStarted(77, List.of(NEXT_KEY), 0, false));
        cluster.run(200);
        assertThat(stampsOf(node)).isEmpty();

        follow(3);
        open(1);
        assertThat(stampsOf(node)).hasSize(1);
    }

    private static List<Effect.WriteStamped> stampsOf(ScriptedNode node) {
        return node.all(Effect.WriteStamped.class).stream()
                .filter(stamped -> stamped.writeId() == 77)
                .toList();
    }

    @Test
    void whatWasWrittenJustBeforeIsAcknowledgedOnceAllFollowByStampsUnderTheNextName() {
        ScriptedNode.Write write = cluster.node(1).write("just before", 0);
        cluster.node(1).apply(write.put());
        follow(1, 2, 3);
        assertThat(write.isDone()).isFalse();

        cluster.node(2).apply(write.put().named(NEXT)); // its mutation was under way
        open(2, 3);
        cluster.run(100);
        assertThat(write.isDone()).isFalse();

        open(1);
        assertThat(write.isDone()).isTrue();
    }

    /** They have it in their stores, and do not stamp it once more. */
    @Test
    void whatAllHaveByTheEarlierNameIsAcknowledgedOnceAllFollow() {
        cluster.lose(message -> message instanceof Message.Settle || message instanceof Message.Fetch);
        ScriptedNode.Write write = cluster.node(1).write("at the moment itself", 0);
        cluster.node(1).apply(write.put());
        follow(1);
        cluster.node(2).apply(write.put());
        cluster.node(3).apply(write.put());
        cluster.run(100);
        assertThat(write.isDone()).isFalse();

        follow(2, 3);
        assertThat(write.isDone()).isFalse();
        open(1, 2, 3);
        cluster.run(100);
        assertThat(write.isDone()).isTrue();
    }

    /** As one that died and was replaced is, for ever: those that are not are enough. */
    @Test
    void thatOneWasLeftBehindKeepsNothingFromBeingCarriedOver() {
        cluster = ScriptedCluster.of(3, 2, TestSettings.plain().maxRecords(20));
        cluster.cutOff(3);
        cluster.run(4_000);
        for (int i = 0; i < 30; i++) {
            ScriptedNode.Write write = cluster.node(1).write("v" + i, 0);
            for (int number = 1; number <= 2; number++) {
                cluster.node(number).apply(write.put());
                cluster.node(number).acknowledge(write);
            }
            cluster.run(20);
        }
        cluster.run(1_000);
        assertThat(cluster.node(1).core().view().leftBehind()).containsExactly(NodeId.of(3));

        follow(1, 2);
        assertThat(cluster.node(1).core().view().isCarrying(NEXT)
                        || cluster.node(1).core().view().carriedFrom(NEXT) != null)
                .isTrue();
        open(1, 2);
        assertThat(isReadWithin(1, 1_000)).isTrue();
        assertThat(cluster.node(1).core().view().carriedFrom(NEXT)).isEqualTo(Put.TABLE);
    }

    /** Before that a read of all replicas sees it: some replica that stayed has it. */
    @Test
    void untilWhatWasInFlightIsInEnoughStoresAllReplicasAreRead() {
        writtenAtTwo();
        cluster.node(2).storeIsSlow = true;
        cluster.node(3).storeIsSlow = true;
        follow(1, 2, 3);
        assertThat(plainReads(1, NEXT)).isEqualTo(PlainReads.NONE); // others may serve the earlier name

        open(1, 2, 3);
        assertThat(plainReads(1, NEXT)).isEqualTo(PlainReads.AT_ALL);
        assertThat(plainReads(3, NEXT)).isEqualTo(PlainReads.AT_ALL);
    }

    /** Nodes 2 and 3 hold all, the first one repairs for a long time. */
    private void movedAndNotRepaired() {
        cluster.node(1).step(new Event.ForeignDataComing(Put.TABLE));
        follow(1, 2, 3);
        open(1, 2, 3);
        assertThat(isReadWithin(2, 100)).isTrue();
        assertThat(cluster.node(2).core().view().hasBaseline(NEXT)).isFalse();
    }

    @Test
    void whoHoldsAllCarriesItOverToAThirdNameBeforeTheOthersAreRepaired() {
        movedAndNotRepaired();
        follow(NEXT, THIRD, 1, 2, 3);
        open(THIRD, 1, 2, 3);
        cluster.run(200);

        assertThat(plainReads(2, THIRD)).isEqualTo(PlainReads.AT_QUORUM);
        assertThat(plainReads(1, THIRD)).isEqualTo(PlainReads.AT_QUORUM); // the others say so
        assertThat(cluster.node(1).core().view().needsStep(THIRD)).isTrue();
        assertThat(cluster.node(2).core().view().needsStep(THIRD)).isFalse();
        assertThat(cluster.node(2).core().view().carriedFrom(THIRD)).isEqualTo(NEXT);
    }

    @Test
    void whereOneAloneHoldsAllEachReadAsksAllReplicas() {
        movedAndNotRepaired();
        cluster.node(2).step(new Event.ForeignDataComing(NEXT));
        follow(NEXT, THIRD, 1, 2, 3);
        open(THIRD, 1, 2, 3);
        cluster.run(200);

        assertThat(plainReads(2, THIRD)).isEqualTo(PlainReads.AT_ALL);
        assertThat(plainReads(3, THIRD)).isEqualTo(PlainReads.AT_ALL);
    }

    /** What was visible is in some store, and may be in one alone: who has it may leave next. */
    @Test
    void whereAllReplicasHadToBeReadTheNextNameWaitsForTheRepair() {
        movedAndNotRepaired();
        cluster.node(2).step(new Event.ForeignDataComing(NEXT));
        follow(NEXT, THIRD, 1, 2, 3);
        open(THIRD, 1, 2, 3);
        cluster.run(200);
        UUID fourth = new UUID(0, 4);
        follow(THIRD, fourth, 1, 2, 3);
        open(fourth, 1, 2, 3);
        cluster.run(200);

        assertThat(plainReads(3, fourth)).isEqualTo(PlainReads.NONE);
        assertThat(cluster.node(3).core().view().lacksData(fourth, cluster.group()))
                .isTrue(); // others may know more
        assertThat(cluster.node(3).core().view().needsStep(fourth)).isTrue();
    }

    @Test
    void ofEachThatSufficedBeforeOneMustStayForReadsOfAllReplicas() {
        ReplicaGroup four = group(1, 2, 3, 4);
        assertThat(new GroupChange(group(1), group(1, 2, 3)).keepsSome()).isTrue();
        assertThat(new GroupChange(group(1, 2, 3), group(3, 4, 5)).keepsSome()).isFalse();
        assertThat(new GroupChange(group(1, 2, 3), group(2, 3, 4)).keepsSome()).isTrue();
        assertThat(new GroupChange(four, group(2, 3, 4, 5)).keepsSome()).isTrue();
        assertThat(new GroupChange(four, group(3, 4, 5, 6)).keepsSome()).isFalse(); // two were enough to carry over
        assertThat(new GroupChange(group(1, 2, 3, 4, 5), group(1, 2, 3)).keepsSome())
                .isTrue();
    }

    private static ReplicaGroup group(int... numbers) {
        return ReplicaGroup.majority(IntStream.of(numbers).mapToObj(NodeId::of).toArray(NodeId[]::new));
    }

    @Test
    void theWordOfWhoHeldNothingBeforeDoesNotCount() {
        ReplicaGroup before = cluster.group();
        ReplicaGroup after = ReplicaGroup.majority(NodeId.of(2), NodeId.of(3), NodeId.of(4));

        assertThat(new GroupChange(before, after).stayed()).containsExactly(NodeId.of(2), NodeId.of(3));
        assertThat(GroupChange.untilPlain(after)).isEqualTo(2);
    }

    @Test
    void afterARestartAMovedTableIsNotReadPlainlyAnyMore() {
        cluster.node(1).step(new Event.ForeignDataComing(Put.TABLE)); // so that the table is not served at once
        follow(1, 2, 3);
        open(1, 2, 3);
        assertThat(isReadWithin(2, 100)).isTrue();

        ScriptedNode restarted = cluster.node(2);
        restarted.crash();
        restarted.restart();
        restarted.step(new Event.TableMoved(NEXT, null, true));
        restarted.step(new Event.TableOpened(NEXT));
        cluster.run(100);

        assertThat(restarted.core().view().plainReads(NEXT).areAllowed()).isFalse();
        assertThat(restarted.core().view().lacksData(NEXT, cluster.group())).isTrue();
    }
}
