/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Coming back: a node that was left behind is waited for again, is filled, and is counted again, with no operator. */
class RejoiningTest {
    /** In seconds: what a step of an attempt may take, and the pause after the first one that came to nothing. */
    private static final int PATIENCE_AND_PAUSE = 30 + 5;

    @Test
    void nobodyIsAskedWhereNobodyLeftTheNodeBehind() {
        ScriptedCluster cluster = ScriptedCluster.ofThree();
        cluster.write(1, "a");
        for (int n = 1; n <= 3; n++) {
            cluster.node(n).step(new Event.ComeBack());
        }
        cluster.run(2_000);

        for (int n = 1; n <= 3; n++) {
            ScriptedNode node = cluster.node(n);
            assertThat(node.all(Effect.FillFrom.class)).isEmpty();
            assertThat(node.all(Effect.Send.class))
                    .noneMatch(send ->
                            send.message() instanceof Message.Returning || send.message() instanceof Message.Awaited);
        }
    }

    /** A real cluster: the first two have left the third behind, which is there again. */
    @Nested
    class TheThirdComesBack {
        private static final String LAST_MISSED = "v29";

        private final ScriptedCluster cluster =
                ScriptedCluster.of(3, 2, TestSettings.plain().maxRecords(20));
        private final ScriptedNode one = cluster.node(1);
        private final ScriptedNode two = cluster.node(2);
        private final ScriptedNode three = cluster.node(3);

        TheThirdComesBack() {
            leaveBehind();
            cluster.heal();
            cluster.run(2_000);
            assertThat(three.core().view().leftBehindBy()).containsExactlyInAnyOrder(one.id, two.id);
        }

        private void leaveBehind() {
            cluster.cutOff(3);
            cluster.run(4_000);
            writeWithoutTheThird(30, "v");
            cluster.run(1_000);
            assertThat(one.core().view().leftBehind()).containsExactly(three.id);
            assertThat(two.core().view().leftBehind()).containsExactly(three.id);
        }

        private void writeWithoutTheThird(int writes, String prefix) {
            for (int i = 0; i < writes; i++) {
                ScriptedNode.Write write = one.write(prefix + i, 0);
                for (ScriptedNode node : List.of(one, two)) {
                    node.apply(write.put());
                    node.acknowledge(write);
                }
                cluster.run(20);
            }
        }

        /** As the host says it, every second. */
        private void comeBackFor(int seconds) {
            for (int i = 0; i < seconds; i++) {
                three.step(new Event.ComeBack());
                cluster.run(1_000);
            }
        }

        private Effect.FillFrom lastOrder() {
            List<Effect.FillFrom> orders = three.all(Effect.FillFrom.class);
            return orders.get(orders.size() - 1);
        }

        /** What the last order asks of the host, but for the last word about it. */
        private void bringIn() {
            three.step(new Event.ForeignDataComing(Put.TABLE));
            for (NodeId source : lastOrder().sources()) {
                three.store.merge(cluster.node(numberOf(source)).store);
            }
            three.step(new Event.ForeignData(Put.TABLE));
        }

        private void fill() {
            bringIn();
            three.step(new Event.Filled(lastOrder().number(), true));
        }

        private static int numberOf(NodeId node) {
            return (int) node.value().getLeastSignificantBits();
        }

        private List<Message.Returning> asked(ScriptedNode peer) {
            return cluster.sent(3, numberOf(peer.id), Message.Returning.class);
        }

        private List<Message.Awaited> answered(ScriptedNode peer) {
            return cluster.sent(numberOf(peer.id), 3, Message.Awaited.class);
        }

        private List<Message.Stale> refused(ScriptedNode peer) {
            return cluster.sent(numberOf(peer.id), 3, Message.Stale.class);
        }

        private static <M> M last(List<M> messages) {
            return messages.get(messages.size() - 1);
        }

        private long promiseOf(ScriptedNode peer) {
            return last(answered(peer)).awaitedMicros();
        }

        private void assertBack() {
            assertThat(one.core().view().leftBehind()).isEmpty();
            assertThat(two.core().view().leftBehind()).isEmpty();
            assertThat(three.core().view().leftBehindBy()).isEmpty();
            assertThat(three.core().view().streamOf(one.id)).isEqualTo("live");
            assertThat(three.core().view().streamOf(two.id)).isEqualTo("live");
        }

        @Test
        void thePeersAreAskedAndWaitFillItAndCountItAgain() {
            three.step(new Event.ComeBack());
            cluster.deliver();
            for (ScriptedNode peer : List.of(one, two)) {
                assertThat(asked(peer)).hasSize(1);
                assertThat(asked(peer).get(0).filledMicros()).isZero();
                assertThat(answered(peer)).hasSize(1);
                assertThat(answered(peer).get(0).admitted()).isFalse();
                assertThat(peer.core().view().awaitedAgain()).containsExactly(three.id);
            }
            assertThat(three.all(Effect.FillFrom.class)).isEmpty(); // no stream has begun yet

            cluster.run(2_000);
            for (ScriptedNode peer : List.of(one, two)) {
                Message.Snapshot begun = last(cluster.sent(numberOf(peer.id), 3, Message.Snapshot.class));
                assertThat(begun.behindMicros()).isPositive().isEqualTo(promiseOf(peer));
                assertThat(three.core().view().streamOf(peer.id)).isEqualTo("behind");
            }
            assertThat(three.all(Effect.FillFrom.class))
                    .containsExactly(new Effect.FillFrom(asked(one).get(0).number(), List.of(one.id, two.id)));

            long promised = promiseOf(one);
            fill();
            assertThat(last(asked(one)).filledMicros()).isEqualTo(promised);
            cluster.run(200);

            assertBack();
            assertThat(last(answered(one))).matches(Message.Awaited::admitted);
            assertThat(one.all(Effect.JournalStale.class))
                    .containsExactly(new Effect.JournalStale(three.id, true), new Effect.JournalStale(three.id, false));
            assertThat(three.read(cluster.nowMicros - 50_000).value).isEqualTo(LAST_MISSED);
        }

        @Test
        void andFromThenOnNothingIsRetiredWithoutIt() {
            comeBackFor(2);
            fill();
            cluster.run(2_000);
            assertBack();

            cluster.lose(message -> message instanceof Message.Settle);
            writeWithoutTheThird(1, "later");
            cluster.run(2_000);
            assertThat(one.core().view().recordCount()).isEqualTo(1);
            cluster.lose(message -> false);
            cluster.run(20_000);

            assertThat(one.core().view().recordCount()).isZero();
            assertThat(three.read(cluster.nowMicros - 50_000).value).isEqualTo("later0");
        }

        @Test
        void whatIsWrittenBetweenThePromiseAndTheEndIsNotMissed() {
            cluster.lose(message -> message instanceof Message.Settle);
            comeBackFor(2);
            bringIn();
            writeWithoutTheThird(1, "after the repair had looked");
            three.step(new Event.Filled(lastOrder().number(), true));
            cluster.run(1_000);
            ScriptedNode.Reading early = three.read(cluster.nowMicros);
            assertThat(early.waits()).isTrue();
            cluster.lose(message -> false);
            cluster.run(10_000);

            assertBack();
            assertThat(three.read(cluster.nowMicros - 50_000).value).isEqualTo("after the repair had looked0");
        }

        @Test
        void itIsNotFilledBeforeEveryStreamLives() {
            cluster.lose(message -> message instanceof Message.Snapshot part && part.behindMicros() == promiseOf(two));
            comeBackFor(5);
            assertThat(three.core().view().streamOf(one.id)).isEqualTo("behind");
            assertThat(three.all(Effect.FillFrom.class)).isEmpty();
            cluster.lose(message -> false);
            comeBackFor(10);

            assertThat(three.all(Effect.FillFrom.class)).hasSize(1);
        }

        @Test
        void noCutIsCoveredByAStreamThatIsBehindBeforeTheNodeIsFilled() {
            comeBackFor(2);
            assertThat(three.core().view().streamOf(one.id)).isEqualTo("behind");
            assertThat(three.core().view().streamOf(two.id)).isEqualTo("behind");
            ScriptedNode.Reading beforeTheData = three.read(cluster.nowMicros - 100_000);
            cluster.run(500);
            bringIn();
            ScriptedNode.Reading beforeTheWord = three.read(cluster.nowMicros - 100_000);
            cluster.run(2_500);
            assertThat(beforeTheData.failed).isNotNull();
            assertThat(beforeTheWord.failed).isNotNull();

            // Filled it covers cuts, also before the peers have heard of that.
            cluster.lose(message -> message instanceof Message.Returning);
            three.step(new Event.Filled(lastOrder().number(), true));
            cluster.run(500);

            assertThat(one.core().view().leftBehind()).containsExactly(three.id);
            assertThat(three.read(cluster.nowMicros - 100_000).value).isEqualTo(LAST_MISSED);
        }

        /** Else it would go over its own limit while it is filled, which takes long. */
        @Test
        void whatAllHaveIsForgottenByItAlsoWhileNoCutIsCovered() {
            comeBackFor(2);
            cluster.write(1, "for all");
            cluster.run(3_000);

            assertThat(three.core().view().streamOf(one.id)).isEqualTo("behind");
            assertThat(three.core().view().recordCount()).isZero();
        }

        @Test
        void whatIsLostOnTheWayIsSaidAgain() {
            cluster.lose(message -> message instanceof Message.Returning);
            comeBackFor(2);
            cluster.lose(message -> message instanceof Message.Awaited);
            comeBackFor(2);
            assertThat(three.all(Effect.FillFrom.class)).isEmpty();
            cluster.lose(message -> false);
            comeBackFor(3);
            cluster.lose(message -> message instanceof Message.Returning);
            fill();
            comeBackFor(2);
            cluster.lose(message -> message instanceof Message.Awaited);
            comeBackFor(2);
            cluster.lose(message -> false);
            comeBackFor(2);

            assertBack();
            assertThat(asked(one)).extracting(Message.Returning::number).containsOnly(1L);
            assertThat(three.all(Effect.FillFrom.class)).hasSize(1);
        }

        /** It takes itself to be back by then; the peers wait for it and do not count it. */
        @Test
        void whatIsLostForLongerThanItIsRepeatedIsSaidAgainWithoutAnotherFilling() {
            comeBackFor(3);
            cluster.lose(message -> message instanceof Message.Returning returning && returning.filledMicros() > 0);
            fill();
            comeBackFor(60);
            assertThat(one.core().view().leftBehind()).containsExactly(three.id);
            cluster.heal();
            comeBackFor(60);

            assertBack();
            assertThat(three.all(Effect.FillFrom.class)).hasSize(1);
        }

        @Test
        void aPeerThatFallsSilentMeanwhileIsNotWaitedForAndHasItsTurnLater() {
            cluster.cut(2, 3);
            comeBackFor(8);
            assertThat(lastOrder().sources()).containsExactly(one.id);
            fill();
            comeBackFor(2);
            assertThat(one.core().view().leftBehind()).isEmpty();
            assertThat(two.core().view().leftBehind()).containsExactly(three.id);

            cluster.heal();
            comeBackFor(10);
            assertThat(lastOrder().sources()).containsExactly(two.id);
            fill();
            comeBackFor(2);

            assertBack();
        }

        // --- promises ----------------------------------------------------------------------------------------------

        /** More than both keep for it: the third is heard, but gets none of it. */
        private void outgrowTheLimit() {
            cluster.lose(message -> message instanceof Message.Settle);
            writeWithoutTheThird(60, "w");
            assertThat(one.core().view().awaitedAgain()).isEmpty();
            assertThat(two.core().view().awaitedAgain()).isEmpty();
            cluster.lose(message -> false);
        }

        @Test
        void aPromiseIsVoidOnceThePeerGaveUp() {
            comeBackFor(2);
            long promised = promiseOf(one);
            bringIn();
            outgrowTheLimit();
            cluster.forgetSent();
            three.step(new Event.Filled(lastOrder().number(), true));
            cluster.run(500);

            assertThat(asked(one).get(0).filledMicros()).isEqualTo(promised);
            assertThat(answered(one)).isEmpty();
            assertThat(refused(one)).isNotEmpty();
            assertThat(one.core().view().leftBehind()).containsExactly(three.id);
            assertThat(two.core().view().leftBehind()).containsExactly(three.id);
            assertAnotherRoundBringsItBack(promised);
        }

        @Test
        void aPromiseIsVoidOnceThePeerRestarted() {
            comeBackFor(2);
            long promised = promiseOf(one);
            bringIn();
            one.crash();
            one.restart();
            cluster.run(1_000);
            cluster.forgetSent();
            three.step(new Event.Filled(lastOrder().number(), true));
            cluster.run(500);

            assertThat(asked(one).get(0).filledMicros()).isEqualTo(promised);
            assertThat(answered(one)).isEmpty();
            assertThat(refused(one)).isNotEmpty();
            assertThat(one.core().view().leftBehind()).containsExactly(three.id);
            assertThat(two.core().view().leftBehind()).isEmpty(); // which went on
            assertAnotherRoundBringsItBack(promised);
        }

        @Test
        void alsoWhereThePeerWaitsForItAgainByThen() {
            comeBackFor(2);
            long promised = promiseOf(one);
            outgrowTheLimit();
            one.receive(three.id, new Message.Returning(cluster.nowMicros, 1, 1, 0));
            assertThat(one.core().view().awaitedAgain()).containsExactly(three.id);
            assertThat(promiseOf(one)).isGreaterThan(promised);
            cluster.forgetSent();
            one.receive(three.id, new Message.Returning(cluster.nowMicros, 1, 1, promised));

            assertThat(refused(one)).hasSize(1);
            assertThat(one.core().view().leftBehind()).containsExactly(three.id);
        }

        private void assertAnotherRoundBringsItBack(long voidPromise) {
            long before = lastOrder().number();
            int orders = three.all(Effect.FillFrom.class).size();
            comeBackFor(PATIENCE_AND_PAUSE + 5);

            assertThat(three.all(Effect.FillFrom.class)).hasSize(orders + 1);
            assertThat(lastOrder().number()).isGreaterThan(before);
            assertThat(promiseOf(one)).isGreaterThan(voidPromise);
            fill();
            cluster.run(1_000);
            assertBack();
        }

        @Test
        void aLateDuplicateOfTheWordDoesNotTakeItBack() {
            comeBackFor(2);
            fill();
            cluster.run(1_000);
            assertBack();
            Message.Returning request = asked(one).get(0);
            Message.Returning word = last(asked(one));
            assertThat(word.filledMicros()).isPositive();
            leaveBehind();
            cluster.forgetSent();

            one.receive(three.id, word);
            assertThat(one.core().view().leftBehind()).containsExactly(three.id);
            assertThat(one.core().view().awaitedAgain()).isEmpty();
            assertThat(answered(one)).isEmpty();
            assertThat(refused(one)).hasSize(1);

            // Asked to wait it does so, also by a duplicate; that makes the word no truer.
            one.receive(three.id, request);
            one.receive(three.id, word);
            assertThat(one.core().view().leftBehind()).containsExactly(three.id);
            assertThat(answered(one)).extracting(Message.Awaited::admitted).containsExactly(false);
            assertThat(refused(one)).hasSize(2);
        }

        @Test
        void aDuplicateThatComesAtOnceDoesNoHarm() {
            cluster.duplicate();
            comeBackFor(3);
            fill();
            cluster.run(1_000);

            assertBack();
            assertThat(one.all(Effect.JournalStale.class)).hasSize(2);
            assertThat(three.all(Effect.FillFrom.class)).hasSize(1);
        }

        // --- attempts ----------------------------------------------------------------------------------------------

        @Test
        void itsRestartInTheMiddleBeginsAnew() {
            comeBackFor(2);
            long promised = promiseOf(one);
            Message.Awaited earlier = last(answered(one));
            bringIn();
            three.crash();
            three.restart();
            cluster.run(2_000);
            assertThat(three.core().view().streamOf(one.id))
                    .isEqualTo("refused"); // another life may have lost what it had
            three.step(new Event.Filled(lastOrder().number(), true));
            cluster.run(200);
            assertThat(one.core().view().leftBehind()).containsExactly(three.id);

            three.step(new Event.ComeBack());
            cluster.deliver();
            three.receive(one.id, earlier); // late, and of no worth any more
            comeBackFor(2);
            assertThat(three.all(Effect.FillFrom.class)).hasSize(2);
            assertThat(last(asked(one)).incarnation()).isEqualTo(2);
            assertThat(promiseOf(one)).isGreaterThan(promised);
            assertThat(three.core().view().streamOf(one.id)).isEqualTo("behind");
            fill();
            cluster.run(1_000);

            assertBack();
            assertThat(three.read(cluster.nowMicros - 100_000).value).isEqualTo(LAST_MISSED);
        }

        @Test
        void onlyTheEndOfThePresentFillingCounts() {
            three.step(new Event.ComeBack());
            three.step(new Event.Filled(1, true));
            comeBackFor(2);
            assertThat(lastOrder().number()).isEqualTo(1);
            three.step(new Event.Filled(lastOrder().number() + 1, true));
            three.step(new Event.Filled(lastOrder().number() - 1, true));
            cluster.run(200);

            assertThat(asked(one)).allMatch(message -> message.filledMicros() == 0);
            assertThat(three.core().view().streamOf(one.id)).isEqualTo("behind");
        }
    }

    /** One node, and a peer that left it behind and waits for it, as the test makes it. */
    @Nested
    class AnAttemptThatComesToNothing {
        private static final long SHORTEST_PAUSE_SECONDS = 5;
        private static final long LONGEST_PAUSE_SECONDS = 300;

        private final ScriptedNode node = Puppet.loneNode(TestSettings.plain());
        private final Puppet peer = new Puppet(node, 2);
        private long promiseMicros = ScriptedCluster.START_MICROS + 1_000;

        AnAttemptThatComesToNothing() {
            leftBehind();
        }

        private void leftBehind() {
            peer.tell(new Message.Stale(ScriptedCluster.START_MICROS, 1));
            assertThat(node.core().view().leftBehindBy()).containsExactly(peer.id);
        }

        private List<Message.Returning> asked() {
            return peer.sentToMe(Message.Returning.class).stream()
                    .filter(message -> message.filledMicros() == 0)
                    .toList();
        }

        /** The peer is heard, and the host says that the node is to come back. */
        private void comeBack() {
            peer.tell(new Message.Pull(ScriptedCluster.START_MICROS));
            node.step(new Event.ComeBack());
        }

        /** Up to the order. */
        private void attempt(int number) {
            comeBack();
            assertThat(asked()).hasSize(number);
            assertThat(asked().get(number - 1).number()).isEqualTo(number);
            peer.tell(new Message.Awaited(ScriptedCluster.START_MICROS, 1, number, promiseMicros, false));
            node.step(new Event.Tick());
            peer.takeRequest();
            peer.tell(new Message.Snapshot(promiseMicros, peer.stream, promiseMicros, 0, 1, List.of(), promiseMicros));
            node.step(new Event.Tick());
            assertThat(node.all(Effect.FillFrom.class)).hasSize(number);
        }

        private void fail(int number) {
            node.step(new Event.Filled(number, false));
        }

        private void passSeconds(long seconds) {
            node.cluster.nowMicros += seconds * 1_000_000;
        }

        @Test
        void isFollowedByAnotherOneAfterAPauseThatDoublesUpToALongest() {
            long pause = SHORTEST_PAUSE_SECONDS;
            for (int number = 1; number <= 10; number++) {
                attempt(number);
                fail(number);
                passSeconds(pause - 1);
                comeBack();
                assertThat(asked()).hasSize(number);
                passSeconds(1);
                pause = Math.min(LONGEST_PAUSE_SECONDS, 2 * pause);
            }

            assertThat(pause).isEqualTo(LONGEST_PAUSE_SECONDS);
            assertThat(peer.sentToMe(Message.Returning.class))
                    .isEqualTo(asked()); // and it never said that it is filled
        }

        @Test
        void andOnceTheNodeIsBackThePauseIsShortAgain() {
            for (int number = 1; number <= 3; number++) {
                attempt(number);
                fail(number);
                passSeconds(LONGEST_PAUSE_SECONDS);
            }
            attempt(4);
            node.step(new Event.Filled(4, true));
            peer.tell(new Message.Awaited(ScriptedCluster.START_MICROS, 1, 4, promiseMicros, true));
            assertThat(node.core().view().leftBehindBy()).isEmpty();
            passSeconds(10);
            node.step(new Event.Tick());
            leftBehind();
            promiseMicros += 1_000_000;

            attempt(5);
            fail(5);
            passSeconds(SHORTEST_PAUSE_SECONDS);
            attempt(6);
        }
    }
}
