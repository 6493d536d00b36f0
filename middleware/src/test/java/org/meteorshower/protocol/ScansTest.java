/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Scans: a cut that is kept for all partitions of a range, and the partitions that are read one by one at it. */
class ScansTest {
    private static final long SCAN = 1_000_000;

    private final ScriptedCluster cluster = farApart(TestSettings.plain());
    private final ScriptedNode node = cluster.node(1);
    private long nextRead = SCAN + 1_000;

    private static ScriptedCluster farApart(TestSettings settings) {
        ScriptedCluster cluster = ScriptedCluster.unstarted(3, 2, settings);
        cluster.oneWayMillis(1, 2, 50).oneWayMillis(1, 3, 50).oneWayMillis(2, 3, 50);
        cluster.startAll();
        cluster.run(1_000);
        return cluster;
    }

    private record All(UUID table, Set<ReplicaGroup> groups) implements ScanRange {
        @Override
        public boolean contains(PartitionKey key) {
            return true;
        }
    }

    private List<Effect.ReadAnswer> begin(ScriptedNode at, long scan, long tokenMicros) {
        return answers(
                at,
                new Event.ScanStarted(
                        scan,
                        new All(Put.TABLE, Set.of(at.cluster.group())),
                        tokenMicros,
                        at.cluster.nowNanos() + 60_000_000_000L,
                        false));
    }

    private static List<Effect.ReadAnswer> answers(ScriptedNode at, Event event) {
        return at.step(event).stream()
                .filter(Effect.ReadAnswer.class::isInstance)
                .map(Effect.ReadAnswer.class::cast)
                .toList();
    }

    private long pinned() {
        assertThat(begin(node, SCAN, 0)).singleElement().isInstanceOf(Effect.ReadAt.class);
        return node.all(Effect.ReadAt.class)
                .get(node.all(Effect.ReadAt.class).size() - 1)
                .info()
                .cutMicros();
    }

    private List<PartitionKey> stirred() {
        List<Effect.ReadAnswer> given = answers(node, new Event.ScanRead(SCAN));
        return ((Effect.ScanStirred) given.get(0)).partitions();
    }

    /** The value of row 1 at the scan's cut. */
    private String readAtCut() {
        long id = nextRead++;
        List<Effect.ReadAnswer> given =
                answers(node, new Event.PinnedReadStarted(id, SCAN, Put.KEY, cluster.nowNanos() + 2_000_000_000L));
        Effect.ReadAt at = (Effect.ReadAt) given.get(0);
        String value = Rows.read(node.store, at.overlay(), 1);
        if (at.confirm()) {
            assertThat(answers(node, new Event.StoreRead(id))).containsExactly(new Effect.ReadConfirmed(id));
        }
        return value;
    }

    private static Effect.ReadFailed failure(List<Effect.ReadAnswer> given) {
        assertThat(given).singleElement().isInstanceOf(Effect.ReadFailed.class);
        return (Effect.ReadFailed) given.get(0);
    }

    private void settled(String value) {
        cluster.write(1, value);
        cluster.run(1_000);
    }

    @Test
    void whereNothingIsInFlightTheStoreIsTheAnswer() {
        settled("before");
        pinned();
        cluster.run(100);

        assertThat(stirred()).isEmpty();
    }

    @Test
    void whatIsWrittenMeanwhileIsReadAtTheCutHoweverLongTheScanTakes() {
        settled("before");
        pinned();
        cluster.write(1, "after");
        cluster.run(5_000);

        assertThat(Rows.read(node.store, null, 1)).isEqualTo("after");
        assertThat(stirred()).containsExactly(Put.KEY);
        assertThat(readAtCut()).isEqualTo("before");
        assertThat(node.core().view().recordCount()).isEqualTo(1);
        assertThat(cluster.node(2).core().view().recordCount())
                .as("others forget it")
                .isZero();
    }

    @Test
    void whenTheScanIsOverWhatItKeptIsForgotten() {
        settled("before");
        pinned();
        cluster.write(1, "after");
        cluster.run(1_000);
        node.step(new Event.ReadAbandoned(SCAN));
        cluster.run(100);

        assertThat(node.core().view().recordCount()).isZero();
        assertThat(node.core().view().pinnedScanCount()).isZero();
    }

    @Test
    void whatWasInFlightWhenTheCutWasPinnedIsReadOneByOne() {
        settled("before");
        node.apply(node.write("after", 0).put());
        cluster.run(10);
        pinned();

        assertThat(stirred()).containsExactly(Put.KEY);
        assertThat(readAtCut()).isEqualTo("before");
    }

    @Test
    void whatIsVisibleAndInTheStoreCountsAsAtRestUntilMoreComes() {
        settled("before");
        cluster.write(1, "visible");
        cluster.run(100); // decided, not retired
        assertThat(node.core().view().recordCount()).isEqualTo(1);
        pinned();
        assertThat(stirred()).isEmpty();

        cluster.run(2_000);
        assertThat(node.core().view().recordCount()).as("it is below the cut").isZero();
        cluster.write(1, "after");
        cluster.run(2_000);
        assertThat(stirred()).containsExactly(Put.KEY);
        assertThat(readAtCut()).isEqualTo("visible");
    }

    @Test
    void aScanGoesNotBackBehindItsSession() {
        long ahead = node.wallMicros() + 20_000;

        assertThat(begin(node, SCAN, ahead)).as("no cut is as new as that").isEmpty();
        cluster.run(200);
        assertThat(node.all(Effect.ReadAt.class)).last().satisfies(at -> {
            assertThat(at.readId()).isEqualTo(SCAN);
            assertThat(at.info().cutMicros()).isGreaterThanOrEqualTo(ahead);
        });
    }

    @Test
    void withoutHistoryTheCutIsLost() {
        ScriptedCluster without = farApart(TestSettings.plain().withoutHistory());
        ScriptedNode there = without.node(1);
        without.write(1, "before");
        without.run(1_000);
        assertThat(begin(there, SCAN, 0)).singleElement().isInstanceOf(Effect.ReadAt.class);
        without.write(1, "after");
        without.run(1_000);

        List<Effect.ReadAnswer> given = answers(
                there, new Event.PinnedReadStarted(7_000_000, SCAN, Put.KEY, without.nowNanos() + 2_000_000_000L));
        assertThat(given)
                .extracting(answer -> ((Effect.ReadFailed) answer).failure())
                .containsOnly(Effect.Failure.CUT_GONE);
        assertThat(there.core().view().pinnedScanCount()).isZero();
    }

    @Test
    void aCutIsKeptForHalfAMinuteAtMost() {
        pinned();
        cluster.run(31_000);

        assertThat(node.all(Effect.ReadFailed.class)).singleElement().satisfies(failed -> {
            assertThat(failed.readId()).isEqualTo(SCAN);
            assertThat(failed.failure()).isEqualTo(Effect.Failure.CUT_GONE);
        });
        assertThat(node.core().view().pinnedScanCount()).isZero();
    }

    @Test
    void dataThatComesInUnannouncedEndsTheCut() {
        pinned();

        assertThat(failure(answers(node, new Event.ForeignDataComing(Put.TABLE)))
                        .failure())
                .isEqualTo(Effect.Failure.CUT_GONE);
    }

    @Test
    void aTableThatIsDisabledIsScannedNoMore() {
        pinned();

        assertThat(failure(answers(node, new Event.TableDisabled(Put.TABLE))).failure())
                .isEqualTo(Effect.Failure.CUT_GONE);
        assertThat(failure(begin(node, SCAN + 1, 0)).failure()).isEqualTo(Effect.Failure.NOT_READY);
    }

    private long sharedPinned() {
        List<Effect.ReadAnswer> given = answers(
                node,
                new Event.ScanStarted(
                        SCAN,
                        new All(Put.TABLE, Set.of(cluster.group())),
                        0,
                        cluster.nowNanos() + 60_000_000_000L,
                        true));
        return ((Effect.ReadAt) given.get(0)).info().cutMicros();
    }

    private long newestUpTo(long mostMicros) {
        List<Effect.ReadAnswer> given = answers(node, new Event.ScanLowered(SCAN, mostMicros));
        return ((Effect.ScanLowered) given.get(0)).newestMicros();
    }

    private List<Effect.ReadAnswer> raise(long cutMicros) {
        return answers(node, new Event.ScanRaised(SCAN, cutMicros, cluster.nowNanos() + 2_000_000_000L));
    }

    @Test
    void whoSharesAScanCanReadItSomewhatEarlierToo() {
        settled("before");
        cluster.write(1, "visible");
        cluster.run(100); // decided, not retired
        long cut = sharedPinned();

        assertThat(newestUpTo(cut)).isEqualTo(cut);
        assertThat(newestUpTo(cut - 20_000)).isEqualTo(cut - 20_000);
        assertThat(newestUpTo(cut - 60_000_000)).as("that is forgotten").isEqualTo(Long.MIN_VALUE);
        assertThat(raise(cut - 20_000)).singleElement().isInstanceOf(Effect.ReadAt.class);
        assertThat(stirred()).as("what was visible between is not at rest").containsExactly(Put.KEY);
    }

    @Test
    void whatIsWrittenWhileACutIsLookedForIsReadAtIt() {
        settled("before");
        long cut = sharedPinned();
        cluster.write(1, "after");
        cluster.run(2_000);
        raise(cut);

        assertThat(stirred()).containsExactly(Put.KEY);
        assertThat(readAtCut()).isEqualTo("before");
    }

    @Test
    void aNewerCutIsTakenWhenAllBelowItIsKnown() {
        settled("before");
        long cut = sharedPinned();

        assertThat(raise(cut + 100_000)).as("it is not covered yet").isEmpty();
        assertThat(node.core().view().whyWaits(SCAN)).isNull();
        cluster.run(400);
        assertThat(node.all(Effect.ReadAt.class)).last().satisfies(at -> {
            assertThat(at.readId()).isEqualTo(SCAN);
            assertThat(at.info().cutMicros()).isEqualTo(cut + 100_000);
        });
    }

    @Test
    void aCutThatIsNotKeptIsNotTaken() {
        settled("before");
        long cut = sharedPinned();

        assertThat(failure(raise(cut - 60_000_000)).failure()).isEqualTo(Effect.Failure.CUT_GONE);
        assertThat(raise(cut)).as("it is over").isEmpty();
    }

    @Test
    void aCutThatIsNeverCoveredIsGivenUpAtItsDeadline() {
        settled("before");
        long cut = sharedPinned();
        cluster.cut(1, 2);
        cluster.cut(1, 3);
        raise(cut + 1_000_000);
        cluster.run(3_000);

        assertThat(node.all(Effect.ReadFailed.class)).singleElement().satisfies(failed -> assertThat(failed.failure())
                .isEqualTo(Effect.Failure.TIMED_OUT));
        assertThat(node.core().view().pinnedScanCount()).isZero();
    }

    @Test
    void oneScanTooManyIsRefused() {
        for (int i = 0; i < Pins.MOST; i++) {
            assertThat(begin(node, SCAN + i, 0)).singleElement().isInstanceOf(Effect.ReadAt.class);
        }

        assertThat(failure(begin(node, SCAN - 1, 0)).failure()).isEqualTo(Effect.Failure.OVERLOADED);
    }

    @Test
    void onlyWhoHoldsTheWholeRangeScansIt() {
        var elsewhere = new All(Put.TABLE, Set.of(cluster.group(), ReplicaGroup.majority(NodeId.of(9))));

        assertThat(failure(answers(node, new Event.ScanStarted(SCAN, elsewhere, 0, Long.MAX_VALUE, false)))
                        .failure())
                .isEqualTo(Effect.Failure.NOT_A_REPLICA);
    }
}
