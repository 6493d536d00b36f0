/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** History: rows in flight are answered at an older cut from the values that were replaced. */
class HistoryTest {
    private final ScriptedCluster cluster = farApart(TestSettings.plain());

    private static ScriptedCluster farApart(TestSettings settings) {
        ScriptedCluster cluster = ScriptedCluster.unstarted(3, 2, settings);
        cluster.oneWayMillis(1, 2, 50).oneWayMillis(1, 3, 50).oneWayMillis(2, 3, 50);
        cluster.startAll();
        cluster.run(1_000);
        return cluster;
    }

    private long settled(ScriptedCluster on, String value) {
        ScriptedNode.Write write = on.write(1, value);
        on.run(1_000);
        return write.tokenMicros;
    }

    @Test
    void aRowInFlightHereIsAnsweredAtAnOlderCutFromWhatItHeldBefore() {
        settled(cluster, "before");
        cluster.node(1).apply(cluster.node(1).write("after", 0).put());
        cluster.run(10);

        ScriptedNode.Reading reading = cluster.node(1).read(0);

        assertThat(reading.value).isEqualTo("before");
        assertThat(reading.offer.overlay()).isNotNull();
        assertThat(reading.offer.confirm()).isFalse();
    }

    @Test
    void withoutHistoryTheSameReadWaits() {
        ScriptedCluster without = farApart(TestSettings.plain().withoutHistory());
        settled(without, "before");
        without.node(1).apply(without.node(1).write("after", 0).put());
        without.run(10);

        ScriptedNode.Reading reading = without.node(1).read(0);

        assertThat(reading.waits()).isTrue();
    }

    @Test
    void anOverlayHoldsTheVisibleMutationsAndNoneOfTheInvisibleOnes() {
        settled(cluster, "before");
        cluster.write(1, "first");
        cluster.run(70); // decided, not retired
        cluster.node(2).apply(cluster.node(2).write("second", 0).put());
        cluster.run(5);

        ScriptedNode.Reading reading = cluster.node(2).read(0);

        assertThat(reading.value).isEqualTo("first");
        assertThat(reading.offer.overlay().visible()).hasToString("[{1.v=first}]");
    }

    /** While a replica is down nothing is retired, and a row that is written often has thousands of visible ones. */
    @Test
    void anOverlayLeavesOutWhatALaterVisibleMutationOverwrites() {
        settled(cluster, "before");
        cluster.cut(1, 3);
        cluster.cut(2, 3);
        for (int i = 0; i < 20; i++) {
            cluster.write(1, "v" + i);
            cluster.run(150);
        }
        cluster.node(2).apply(cluster.node(2).write("in flight", 0).put());
        cluster.run(5);

        ScriptedNode.Reading reading = cluster.node(2).read(0);

        assertThat(cluster.node(2).core().view().recordCount()).isGreaterThan(20);
        assertThat(reading.value).isEqualTo("v19");
        assertThat(reading.offer.overlay().visible()).hasToString("[{1.v=v19}]");
    }

    @Test
    void aMutationThatHistoryDoesNotCoverIsNeverHidden() {
        ScriptedNode node = cluster.node(1);
        Put put = node.write("after", 0).put();
        // The store never gets around to telling what it held.
        node.step(new Event.Intended(put, null, 0, ApplyWorker.HISTORY_ATTEMPTS));
        node.land(put);
        cluster.run(10);

        assertThat(node.read(0).waits()).isTrue();
    }

    @Test
    void whileAnUncoveredMutationIsInTheStoreNoHistoryIsTakenFromIt() {
        ScriptedNode node = cluster.node(1);
        Put uncovered = node.write("uncovered", 0).put();
        node.step(new Event.Intended(uncovered, null, 0, ApplyWorker.HISTORY_ATTEMPTS));
        node.land(uncovered);
        node.apply(node.write("later", 0).put());
        cluster.run(10);

        assertThat(node.read(0).waits()).isTrue();
    }

    @Test
    void historyReadBeforeSomethingElseEnteredTheRowIsReadAgain() {
        ScriptedNode node = cluster.node(1);
        Put put = node.write("one", 0).put();
        long version = node.step(new Event.Intended(put, null, 0, 0)).stream()
                .filter(Effect.NeedHistory.class::isInstance)
                .mapToLong(effect -> ((Effect.NeedHistory) effect).asOfVersion())
                .sum();
        Rows read = node.store.only(put.rows());
        node.apply(node.write("another", 0).put());
        node.step(new Event.Intended(Put.of(Put.KEY, 1, Map.of("2.v", "x")), null, 0, 0));

        // The other mutation's history covers this row already, so it is stamped with that; a row without is asked for
        // again.
        Put other = Put.of(Put.KEY, node.wallMicros() + 1, Map.of("1.v", "one", "2.v", "two"));
        assertThat(node.step(new Event.Intended(other, read.only(other.rows()), version, 1)))
                .anyMatch(Effect.NeedHistory.class::isInstance);
    }

    @Test
    void whatIsRetiredBecomesPartOfTheHistoryOfTheRowsStillInFlight() {
        settled(cluster, "zero");
        cluster.write(1, "first");
        cluster.run(10);
        // The second stays in flight at one node while the first is retired everywhere.
        Put second = cluster.node(1).write("second", 0).put();
        cluster.node(1).apply(second);
        cluster.lose(message -> message instanceof Message.Settle);
        cluster.run(2_000);
        assertThat(cluster.node(1).core().view().recordCount()).isEqualTo(1);

        ScriptedNode.Reading reading = cluster.node(1).read(0);

        assertThat(reading.value).isEqualTo("first");
        assertThat(reading.offer.overlay().visible()).isEmpty();
    }

    @Test
    void historyIsDroppedWithTheLastMutationInFlight() {
        settled(cluster, "a");

        ScriptedNode.Reading reading = cluster.node(1).read(0);

        assertThat(cluster.node(1).core().view().recordCount()).isZero();
        assertThat(reading.offer.overlay()).isNull();
        assertThat(reading.value).isEqualTo("a");
    }

    @Test
    void aReadOfSeveralRowsTakesThoseInFlightFromHistoryAndTheOthersFromTheStore() {
        settled(cluster, "before");
        ScriptedNode node = cluster.node(1);
        Put other = node.write(Map.of("2.v", "two"), 0, false).put();
        for (int i = 1; i <= 3; i++) {
            cluster.node(i).apply(other);
        }
        cluster.run(1_000);
        node.apply(node.write("after", 0).put());

        ScriptedNode.Reading first = node.readAll(1, 0);
        ScriptedNode.Reading second = node.readAll(2, 0);

        assertThat(first.value).isEqualTo("before");
        assertThat(second.value).isEqualTo("two");
        assertThat(first.offer.confirm()).isTrue();
    }

    @Test
    void aReadIsNotConfirmedWhenSomethingEnteredTheRowsBetweenTheOfferAndTheStoreRead() {
        settled(cluster, "before");
        ScriptedNode node = cluster.node(1);
        ScriptedNode.Reading reading = node.readByHand(0);

        node.apply(node.write("after", 0).put());

        assertThat(node.finish(reading)).isFalse();
        assertThat(node.finish(reading)).isTrue(); // offered again, with an overlay
        assertThat(reading.value).isEqualTo("before");
    }

    @Test
    void aMutationThatWasStampedButNotAppliedAlsoStopsTheConfirmation() {
        settled(cluster, "before");
        ScriptedNode node = cluster.node(1);
        ScriptedNode.Reading reading = node.readByHand(0);

        node.stamp(node.write("after", 0).put());

        assertThat(node.finish(reading)).isFalse();
    }
}
