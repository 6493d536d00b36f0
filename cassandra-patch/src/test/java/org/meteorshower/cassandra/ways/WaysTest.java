/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.ways;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.protocol.NodeId;

class WaysTest {
    private static final NodeId A = node(1);
    private static final NodeId B = node(2);
    private static final NodeId C = node(3);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long ELSEWHERE = 60_000_000;

    private final Ways ways = new Ways();
    /** Begins anywhere: the elapsed clock has no zero. */
    private long now = Long.MAX_VALUE - SECOND;

    private static NodeId node(long id) {
        return new NodeId(new UUID(0, id));
    }

    private static List<Candidate> elsewhere(NodeId... nodes) {
        return List.of(nodes).stream().map(n -> new Candidate(n, ELSEWHERE)).toList();
    }

    private Ways.Choice choose(NodeId... nodes) {
        return ways.choose(elsewhere(nodes), now);
    }

    private Way way(NodeId node) {
        return ways.choose(elsewhere(node), now).order().get(0);
    }

    /** A read that the node is asked for and serves. */
    private void answers(NodeId node, long tripMicros, long servedMicros) {
        Way way = way(node);
        way.begun();
        long begun = now;
        now += TimeUnit.MICROSECONDS.toNanos(tripMicros + servedMicros);
        way.answered(begun, now, servedMicros);
        way.served();
    }

    private void answersOften(NodeId node, long tripMicros) {
        for (int i = 0; i < 2 * RecentTrips.WINDOW; i++) {
            answers(node, tripMicros, 0);
        }
    }

    private Map<NodeId, Integer> firsts(int reads, NodeId... nodes) {
        Map<NodeId, Integer> firsts = new HashMap<>();
        for (int i = 0; i < reads; i++) {
            firsts.merge(choose(nodes).order().get(0).node(), 1, Integer::sum);
        }
        return firsts;
    }

    @Test
    void theShortestMeasuredWayIsFirstAndTheOthersFollowByTheirs() {
        answersOften(A, 240_000);
        answersOften(B, 20_000);
        answersOften(C, 100_000);
        assertThat(choose(A, B, C).order()).extracting(Way::node).containsExactly(B, C, A);
    }

    @Test
    void whereNothingIsMeasuredTheRackAndThenTheDataCentreAreTheFirstGuess() {
        List<Candidate> all = List.of(new Candidate(A, ELSEWHERE), new Candidate(B, 2_000), new Candidate(C, 0));
        for (int i = 0; i < 3; i++) {
            assertThat(ways.choose(all, now).order()).extracting(Way::node).containsExactly(C, B, A);
        }
    }

    @Test
    void whatStatusMessagesTellCountsUntilCallsHaveToldMore() {
        ways.heard(A, 50_000);
        ways.heard(B, 30_000);
        assertThat(choose(A, B).order().get(0).node()).isEqualTo(B);
        answers(A, 10_000, 0);
        ways.heard(A, 50_000);
        assertThat(way(A).roundTripMicros()).isEqualTo(10_000);
        assertThat(choose(A, B).order().get(0).node()).isEqualTo(A);
    }

    @Test
    void whatTheReplicaSpendsOnAReadIsNoPartOfTheWay() {
        answers(A, 20_000, 300_000);
        assertThat(way(A).roundTripMicros()).isEqualTo(20_000);
    }

    @Test
    void aSingleTripThatTookLongChangesNothing() {
        answersOften(A, 20_000);
        answers(A, 900_000, 0);
        assertThat(way(A).roundTripMicros()).isEqualTo(20_000);
    }

    @Test
    void aWayThatHasBecomeLongerIsNoticedAfterSixteenTripsAndAShorterOneAtOnce() {
        answersOften(A, 20_000);
        answersOften(A, 240_000);
        assertThat(way(A).roundTripMicros()).isEqualTo(240_000);
        answers(A, 30_000, 0);
        assertThat(way(A).roundTripMicros()).isEqualTo(30_000);
    }

    /** By the margin of a tenth, and by that of a millisecond. */
    @ParameterizedTest
    @ValueSource(longs = {100_000, 200})
    void replicasThatAreAsNearShareTheReads(long micros) {
        answersOften(A, micros);
        answersOften(B, micros + Math.max(Ways.MARGIN_MICROS, micros / 10));
        answersOften(C, micros + Math.max(Ways.MARGIN_MICROS, micros / 10) + 1);
        assertThat(firsts(1_000, A, B, C)).isEqualTo(Map.of(A, 500, B, 500));
    }

    /** With one counter for all, partitions that are read in turns would have the same replica each time. */
    @Test
    void replicasShareTheReadsOfEachPartition() {
        NodeId d = node(4);
        Map<NodeId, Integer> firsts = new HashMap<>();
        for (int i = 0; i < 500; i++) {
            firsts.merge(choose(A, B).order().get(0).node(), 1, Integer::sum);
            firsts.merge(choose(C, d).order().get(0).node(), 1, Integer::sum);
        }
        assertThat(firsts).isEqualTo(Map.of(A, 250, B, 250, C, 250, d, 250));
    }

    @Test
    void oneThatDoesNotKeepUpWaitsItsTurn() {
        Way slow = way(A);
        way(B);
        for (int i = 0; i <= Ways.MOST_AHEAD; i++) {
            slow.begun();
        }
        assertThat(firsts(10, A, B)).isEqualTo(Map.of(B, 10));
    }

    @Test
    void oneThatIsLateThreeTimesInARowIsAskedLastUntilAProbeIsAnswered() {
        answersOften(A, 10_000);
        answersOften(B, 200_000);
        Way late = way(A);
        for (int i = 0; i < Way.STRIKES; i++) {
            assertThat(choose(A, B).order().get(0).node()).isEqualTo(A);
            late.late();
        }
        Ways.Choice choice = choose(A, B);
        assertThat(choice.order()).extracting(Way::node).containsExactly(B, A);
        assertThat(choice.probes()).containsExactly(late);
        now += SECOND;
        assertThat(choose(A, B).order().get(0).node()).isEqualTo(B);
        late.probeAnswered(now, now + TimeUnit.MILLISECONDS.toNanos(10), 0);
        assertThat(choose(A, B).order().get(0).node()).isEqualTo(A);
    }

    @Test
    void anAnswerInBetweenMakesTheCountBeginAnew() {
        Way way = way(A);
        for (int i = 0; i < 10; i++) {
            way.late();
            way.late();
            answers(A, 10_000, 0);
        }
        assertThat(way.isSuspected()).isFalse();
    }

    @Test
    void callsAndProbesWithoutAnAnswerCountAsWell() {
        Way way = way(A);
        way.begun();
        way.failed();
        assertThat(way.beginProbe(now += SECOND)).isTrue();
        way.probeFailed(true);
        assertThat(way.beginProbe(now += SECOND)).isTrue();
        way.probeFailed(false); // a peer of an earlier release
        assertThat(way.isSuspected()).isFalse();
        assertThat(way.beginProbe(now += SECOND)).isTrue();
        way.probeFailed(true);
        assertThat(way.isSuspected()).isTrue();
        assertThat(way.inFlight()).isZero();
    }

    @Test
    void oneThatRefusesThreeTimesInARowIsAskedLastAlthoughItAnswers() {
        Way way = way(A);
        for (int i = 0; i < Way.STRIKES; i++) {
            assertThat(way.isSuspected()).isFalse();
            way.begun();
            way.answered(now, now + 1_000, 0);
            way.refused();
        }
        assertThat(way.isSuspected()).isTrue();
        now += 2 * SECOND;
        assertThat(choose(A, B).probes()).contains(way);
        way.probeAnswered(now, now + 1_000, 0);
        assertThat(way.isSuspected()).isFalse();
        way.refused();
        assertThat(way.isSuspected()).as("at once, since it was").isTrue();
        way.probeAnswered(now, now + 1_000, 0);
        way.served();
        way.refused();
        assertThat(way.isSuspected()).isFalse();
    }

    @Test
    void whatIsNotReadIsProbedOnceASecondAtMost() {
        answersOften(A, 10_000);
        Way other = way(B);
        now += SECOND;
        assertThat(choose(A, B).probes()).containsExactly(other);
        now += 10 * SECOND;
        assertThat(choose(A, B).probes()).as("one is under way").isEmpty();
        other.probeAnswered(now - SECOND / 5, now, 0);
        assertThat(choose(A, B).probes()).isEmpty();
        now += SECOND;
        assertThat(choose(A, B).probes()).containsExactly(other);
    }

    @Test
    void anAnswerIsLateAfterTheNinetyFifthPercentileOfTheLatest() {
        assertThat(way(A).patienceMicros()).isEqualTo(Way.FIRST_PATIENCE_MICROS);
        for (int i = 0; i < 60; i++) {
            answers(A, 20_000, 0);
        }
        assertThat(way(A).patienceMicros()).as("bounded below").isEqualTo(20_000 + Way.LEAST_PATIENCE_MICROS);
        for (int i = 0; i < 8; i++) {
            answers(A, 20_000, 70_000);
        }
        assertThat(way(A).patienceMicros()).as("with what the replica does").isEqualTo(90_000);
        for (int i = 0; i < 64; i++) {
            answers(A, 5_000_000, 0);
        }
        assertThat(way(A).patienceMicros()).as("bounded above").isEqualTo(Way.MOST_PATIENCE_MICROS);
    }

    @Test
    void whatOneThatStoodStillAnswersLateDoesNotMakeItsLatenessUsual() {
        for (int i = 0; i < 64; i++) {
            answers(A, 20_000, 0);
        }
        Way way = way(A);
        long begun = now;
        for (int i = 0; i < 64; i++) {
            way.begun();
            way.late();
        }
        now += 10 * SECOND;
        for (int i = 0; i < 64; i++) {
            way.answered(begun, now, 0);
        }
        way.probeAnswered(now, now + TimeUnit.MILLISECONDS.toNanos(20), 0);
        assertThat(way.roundTripMicros()).isEqualTo(20_000);
        assertThat(way.patienceMicros()).isEqualTo(20_000 + Way.LEAST_PATIENCE_MICROS);
    }

    @Test
    void whoHasLeftTheRingIsForgotten() {
        choose(A, B, C);
        ways.retain(B::equals);
        assertThat(ways.figures()).extracting(Way.Figures::node).containsExactly(B);
    }

    @Test
    void whatOperatorsSee() {
        answers(A, 20_000, 0);
        Way way = way(A);
        way.begun();
        way.hedged();
        way.won();
        assertThat(ways.figures())
                .containsExactly(new Way.Figures(A, 20_000, Way.FIRST_PATIENCE_MICROS, false, 1, 2, 0, 1, 1));
        assertThat(way(B).figures().roundTripMicros()).isEqualTo(-1);
    }
}
