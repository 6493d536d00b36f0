/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** When a coordinator hears that a mutation of its is in a replica's store, and in how many messages. */
class AcknowledgingTest {
    private final ScriptedCluster cluster = ScriptedCluster.unstarted(3, 2, TestSettings.plain());
    private final ScriptedNode coordinator = cluster.node(1);

    AcknowledgingTest() {
        cluster.oneWayMillis(1, 2, 50).oneWayMillis(1, 3, 50).oneWayMillis(2, 3, 50);
        cluster.startAll();
        cluster.run(2_000); // until the delays are known
    }

    private ScriptedNode.Write begin() {
        ScriptedNode.Write write = coordinator.write("a", 0);
        coordinator.apply(write.put());
        return write;
    }

    private int messages(int from) {
        return cluster.sent(from, 1, Message.StatusMessage.class).size() + acknowledgements(from);
    }

    private int acknowledgements(int from) {
        return cluster.sent(from, 1, Message.WriteAck.class).size();
    }

    /** So many writes come to replica 2, one after the other. */
    private List<ScriptedNode.Write> cameToTwo(int writes, long everyMillis) {
        List<ScriptedNode.Write> begun = new ArrayList<>();
        for (int i = 0; i < writes; i++) {
            ScriptedNode.Write write = begin();
            cluster.node(2).apply(write.put());
            cluster.node(2).acknowledge(write);
            cluster.run(everyMillis);
            begun.add(write);
        }
        return begun;
    }

    @Test
    void whatAStatusMessageHasToldAlreadyIsNotToldAgain() {
        ScriptedNode.Write write = begin();
        cluster.node(2).stamp(write.put()); // and its store takes its time
        cluster.run(11);
        cluster.forgetSent();

        cluster.node(2).land(write.put());
        cluster.node(2).acknowledge(write);

        assertThat(messages(2)).isZero();
        cluster.run(50);
        assertThat(write.isDone()).isTrue();
    }

    @Test
    void whatTheLastStatusMessageDoesNotPromiseIsToldAtOnce() {
        ScriptedNode.Write write = begin();
        cluster.node(2).clockAheadMicros = -40_000;
        cluster.run(11);
        cluster.node(2).stamp(write.put());
        cluster.forgetSent();

        cluster.node(2).land(write.put());
        cluster.node(2).acknowledge(write);

        assertThat(messages(2)).isPositive();
    }

    @Test
    void whereFewWritesComeNoneWaits() {
        for (ScriptedNode.Write write : cameToTwo(1, 30)) {
            cluster.run(20);
            assertThat(write.isDone()).isTrue();
        }
        cluster.forgetSent();

        List<ScriptedNode.Write> two = new ArrayList<>();
        two.addAll(cameToTwo(1, 1));
        two.addAll(cameToTwo(1, 1));

        assertThat(messages(2)).isGreaterThanOrEqualTo(2);
        cluster.run(49);
        assertThat(two).allMatch(ScriptedNode.Write::isDone);
    }

    @Test
    void whereManyComeOneMessageTellsOfSeveral() {
        cameToTwo(50, 2);
        cluster.forgetSent();

        List<ScriptedNode.Write> begun = cameToTwo(50, 2);

        assertThat(messages(2)).isBetween(15, 21); // one in five milliseconds, a tenth of the way
        assertThat(acknowledgements(2)).isZero();
        cluster.run(55);
        assertThat(begun).allMatch(ScriptedNode.Write::isDone);
    }

    private List<Long> receipts(int from) {
        return cluster.sent(from, 1, Message.StatusMessage.class).stream()
                .flatMap(status -> status.receipts().stream())
                .toList();
    }

    @Test
    void theAnswerToTheRequestGoesAlong() {
        ScriptedNode.Write write = begin();
        cluster.run(11);
        cluster.node(2).apply(write.put());
        cluster.forgetSent();

        assertThat(cluster.node(2).isReturned(write, 17)).isFalse();

        assertThat(receipts(2)).containsExactly(17L);
    }

    /** So a message that is lost, and that no peer asks for again, takes none with it. */
    @Test
    void theNextMessagesRepeatIt() {
        ScriptedNode.Write write = begin();
        cluster.run(11);
        cluster.node(2).apply(write.put());
        assertThat(cluster.node(2).isReturned(write, 17)).isFalse();
        cluster.forgetSent();

        cluster.run(200);

        assertThat(receipts(2)).containsExactly(17L); // the default of redundancy is 1
    }

    @Test
    void whatHasBeenToldAlreadyIsAnsweredOnItsOwn() {
        ScriptedNode.Write write = begin();
        cluster.node(2).stamp(write.put());
        cluster.run(11);
        cluster.node(2).land(write.put());

        assertThat(cluster.node(2).isReturned(write, 17)).isTrue();
        cluster.run(50);
        assertThat(receipts(2)).isEmpty();
    }

    @Test
    void whereManyComeOneMessageCarriesTheAnswersOfSeveral() {
        cameToTwo(50, 2);
        cluster.forgetSent();

        for (long receipt = 1; receipt <= 50; receipt++) {
            ScriptedNode.Write write = begin();
            cluster.node(2).apply(write.put());
            assertThat(cluster.node(2).isReturned(write, receipt)).isFalse();
            cluster.run(2);
        }
        cluster.run(10);

        assertThat(messages(2)).isBetween(15, 24);
        assertThat(receipts(2))
                .containsAll(LongStream.rangeClosed(1, 50).boxed().toList());
    }

    @Test
    void whatNobodyFollowsCarriesNothing() {
        ScriptedNode.Write write = begin();
        cluster.node(2).apply(write.put());
        cluster.node(2).step(new Event.PeersChanged(Set.of(cluster.node(3).id)));

        assertThat(cluster.node(2).isReturned(write, 17)).isTrue();
    }

    @Test
    void whatWaitsWhenTheStreamEndsIsReturned() {
        cameToTwo(50, 2);
        cluster.run(1);
        ScriptedNode.Write write = begin();
        cluster.node(2).apply(write.put());
        assertThat(cluster.node(2).isReturned(write, 17)).isFalse();
        cluster.forgetSent();

        List<Effect> effects = cluster.node(2).step(new Event.PeersChanged(Set.of(cluster.node(3).id)));

        assertThat(receipts(2)).isEmpty();
        assertThat(effects).contains(new Effect.ReceiptReturned(coordinator.id, 17));
    }
}
