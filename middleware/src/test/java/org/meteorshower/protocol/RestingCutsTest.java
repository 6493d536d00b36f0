/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meteorshower.protocol.Put.TABLE;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.meteorshower.atrest.PartitionsAtRest;

/** Reads that take no step: where they are offered a cut, and when the offer does not stand. */
class RestingCutsTest {
    private final ScriptedCluster cluster = ScriptedCluster.of(3, 2, TestSettings.plain());
    private final ScriptedNode node = cluster.node(1);

    /** The effects that tell of partitions at rest are carried out here, and not as they come. */
    private final PartitionsAtRest atRest = new PartitionsAtRest();

    private int carriedOut;

    private void begin() {
        cluster.run(100);
        assertThat(node.read(0).waits()).isFalse(); // from now on they are told
        cluster.run(1);
    }

    private PartitionsAtRest.Offer offer(long tokenMicros) {
        for (; carriedOut < node.effects.size(); carriedOut++) {
            Effect effect = node.effects.get(carriedOut);
            if (effect instanceof Effect.Stirred stirred) {
                atRest.stirred(stirred);
            } else if (effect instanceof Effect.Rested rested) {
                atRest.rested(rested);
            }
        }
        return atRest.offer(
                Put.KEY, cluster.group(), tokenMicros, false, node.now().elapsedNanos());
    }

    @Test
    void isOfferedWhatTheCoreWouldAnswerAt() {
        begin();

        PartitionsAtRest.Offer offer = offer(0);

        assertThat(offer).isNotNull();
        ScriptedNode.Reading reading = node.read(0);
        assertThat(offer.cutMicros()).isEqualTo(reading.cutMicros());
        assertThat(atRest.stands(offer, cluster.nowNanos())).isTrue();
    }

    @Test
    void nothingIsOfferedBeforeAReadHasAskedForItNorLongAfter() {
        cluster.run(100);
        assertThat(offer(0)).as("nobody has read yet").isNull();

        begin();
        assertThat(offer(0)).isNotNull();

        cluster.run(200);
        assertThat(offer(0)).as("the last read was a while ago").isNull();
    }

    @Test
    void nothingIsOfferedBelowTheToken() {
        begin();
        long cutMicros = offer(0).cutMicros();

        assertThat(offer(cutMicros)).isNotNull();
        assertThat(offer(cutMicros + 1)).isNull();
    }

    @Test
    void aStampMeanwhileMakesTheOfferVoidAndNoOtherIsGivenUntilTheMutationIsDoneWith() {
        begin();
        PartitionsAtRest.Offer before = offer(0);
        ScriptedNode.Write write = node.write("a", 0);

        node.stamp(write.put());

        assertThat(offer(0)).isNull();
        assertThat(atRest.stands(before, cluster.nowNanos())).isFalse();
        for (int member = 1; member <= 3; member++) {
            cluster.node(member).apply(write.put());
        }
        assertThat(offer(0)).as("in flight still").isNull();
        cluster.run(2_000);
        assertThat(node.core().view().recordCount()).isZero();
        node.read(0);
        cluster.run(1);
        PartitionsAtRest.Offer after = offer(0);
        assertThat(after).isNotNull();
        assertThat(after.cutMicros())
                .as("the mutation is in the store, so the cut is one that shows it")
                .isGreaterThanOrEqualTo(write.tokenMicros == null ? write.timestampMicros() : write.tokenMicros);
        assertThat(atRest.stands(before, cluster.nowNanos())).isFalse();
    }

    @Test
    void soDoesAnAnnouncement() {
        begin();
        PartitionsAtRest.Offer before = offer(0);
        ScriptedNode.Write write = cluster.node(2).write("a", 0);

        cluster.node(2).apply(write.put());
        cluster.run(20);

        assertThat(offer(0)).isNull();
        assertThat(atRest.stands(before, cluster.nowNanos())).isFalse();
    }

    static List<Event> whatChangesStoresUnannounced() {
        return List.of(
                new Event.ForeignDataComing(TABLE),
                new Event.ForeignData(TABLE),
                new Event.TableDisabled(TABLE),
                new Event.TableEnded(TABLE, Set.of(), Set.of()),
                new Event.TableLeft(TABLE));
    }

    /** Data comes into the store of which the core knows nothing: what was offered before must not be taken from it. */
    @ParameterizedTest
    @MethodSource("whatChangesStoresUnannounced")
    void noOfferOutlives(Event change) {
        begin();
        PartitionsAtRest.Offer before = offer(0);
        assertThat(before).isNotNull();

        node.step(change);

        assertThat(offer(0)).isNull();
        assertThat(atRest.stands(before, cluster.nowNanos())).isFalse();
    }

    @Test
    void nobodyIsOfferedAnythingOnceItIsClosed() {
        begin();
        assertThat(offer(0)).isNotNull();

        atRest.close();

        assertThat(offer(0)).isNull();
    }

    /** No seed of the simulator tells: a cut is given for 0.1 s after a read that needed the lease. */
    @Test
    void aStrictReadAtHomeIsAnsweredUntilTheLeaseEnds() {
        PartitionsAtRest resting = new PartitionsAtRest();
        Effect.RestingCut cut = new Effect.RestingCut(cluster.group(), Put.TABLE, 1_000, 5_000, 3_000);
        resting.rested(new Effect.Rested(List.of(cut), List.of(), false));
        PartitionsAtRest.Offer offer = resting.offer(Put.KEY, cluster.group(), 0, true, 2_999);
        assertThat(offer).isNotNull();
        assertThat(resting.stands(offer, 2_999)).isTrue();
        assertThat(resting.stands(offer, 3_000))
                .as("it ended while the store was read")
                .isFalse();
        assertThat(resting.offer(Put.KEY, cluster.group(), 0, true, 3_000)).isNull();
        assertThat(resting.offer(Put.KEY, cluster.group(), 0, false, 3_000))
                .as("a sequential one")
                .isNotNull();
    }
}
