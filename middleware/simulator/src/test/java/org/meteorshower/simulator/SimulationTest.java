/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Served;
import org.meteorshower.protocol.Settings;

/**
 * Random clusters under faults: delay, jitter, loss, duplicates, cuts, crashes, pauses, repairs, wrong clocks, moving
 * sessions, stock clients, peers left behind. Every run must be right for all verifiers, and must settle once the
 * faults are over. {@code ./meteor simulate} runs the same, by the thousand.
 */
class SimulationTest {
    /** Of the seeds below, one in so many. */
    private static final int SHARE = Boolean.getBoolean("long.tests") ? 1 : 2;

    @ParameterizedTest(name = "{0}, from {2}")
    @CsvSource({
        "RANDOM, 18, 0",
        "DISABLED, 7, 0",
        "STRICT, 7, 0",
        "METEORSHOWER1, 3, 0",
        "BOUNDED, 3, 0",
        "CLOCKS_BEHIND, 7, 0",
        "MIXED, 3, 0",
        "READERS_CUT_OFF, 5, 0",
        "RESTARTS, 2, 0",
        "RESTART_BURSTS, 1, 0",
        "CLOCKS_BACK, 2, 0",
        "CLOCKS_APART, 1, 0",
        "REPAIRS, 2, 0",
        "REPAIRS_CUT_SHORT, 1, 0",
        "LEFT_BEHIND, 6, 0",
        "LEFT_BEHIND_BY_ONE, 1, 0",
        "LEFT_BEHIND_BY_ALL, 1, 0",
        "HALF_DEAF_RESTARTS, 1, 0",
        "FRESH_CLIENTS, 1, 0",
        "MINORITY_DOWN, 2, 0",
        "SIZE, 3, 0",
        "SCANS, 4, 0",
        "MOVES, 7, 0",
        "MOVES_UNSETTLED, 4, 0",
        "MOVES_OUSTING, 5, 0",
        "MOVES_IN_A_ROW, 6, 0",
        "MOVES_AND_RESTARTS, 6, 0",
        "WRITE_ALL, 6, 0",
        "LEASES, 7, 0",
        "LEASES_MOVE, 4, 0",
        "LEASES_ENABLED, 4, 0",
        "SETTLE_SLOWLY, 2, 120"
    })
    void everyRunIsRightAndSettles(Kind kind, int seeds, long first) {
        List<CheckedRun> runs = LongStream.range(first, first + (seeds + SHARE - 1) / SHARE)
                .parallel()
                .mapToObj(seed -> CheckedRun.of(kind, seed, Bug.NONE))
                .toList();

        assertThat(runs)
                .filteredOn(run -> run.complaint() != null)
                .extracting(run ->
                        "./meteor simulate --seed " + run.seed() + " --kind " + kind.word() + ": " + run.complaint())
                .isEmpty();
        System.out.println(kind + ": " + summary(runs));
    }

    @Test
    void nodesThatShareAScanMostlyFindACutAtWhichAllCanAnswerAtOnce() {
        List<SimulationResult> runs = LongStream.range(0, 8)
                .parallel()
                .mapToObj(seed -> CheckedRun.of(Kind.SCANS, seed, Bug.NONE).result())
                .toList();
        int scans = runs.stream().mapToInt(SimulationResult::scans).sum();
        int shared = runs.stream().mapToInt(SimulationResult::sharedScans).sum();
        int agreed = runs.stream().mapToInt(SimulationResult::scansAgreed).sum();

        System.out.println(scans + " scans, " + shared + " by several nodes; a cut was found " + agreed + " times");
        assertThat(agreed).isGreaterThan(shared / 2); // a quarter does not look for one
    }

    private static String summary(List<CheckedRun> runs) {
        long reads = 0;
        long writes = 0;
        long unknown = 0;
        long leftBehind = 0;
        Map<Served, Integer> served = new EnumMap<>(Served.class);
        Map<Effect.Failure, Integer> failed = new EnumMap<>(Effect.Failure.class);
        for (CheckedRun run : runs) {
            reads += run.result().reads();
            writes += run.result().writes();
            unknown += run.result().unknownWrites();
            leftBehind += run.result().leftBehind();
            run.result().served().forEach((how, count) -> served.merge(how, count, Integer::sum));
            run.result().failures().forEach((why, count) -> failed.merge(why, count, Integer::sum));
        }
        assertThat(reads).isPositive();
        assertThat(writes).isPositive();
        return runs.size() + " seeds, " + reads + " reads " + served + " failed " + failed + ", " + writes + " writes, "
                + unknown + " unknown, " + leftBehind + " times a peer was left behind";
    }

    @Test
    void theRandomRunsReachEveryRungOfTheLadder() {
        List<CheckedRun> runs = LongStream.range(1_000, 1_012)
                .parallel()
                .mapToObj(seed -> CheckedRun.of(Kind.RANDOM, seed, Bug.NONE))
                .toList();

        for (Served served : EnumSet.complementOf(EnumSet.of(Served.PLAIN))) {
            assertThat(runs.stream()
                            .mapToInt(run -> run.result().served().getOrDefault(served, 0))
                            .sum())
                    .isPositive();
        }
        assertThat(runs.stream().mapToInt(run -> run.result().unknownWrites()).sum())
                .isPositive();
        assertThat(runs.stream()
                        .mapToInt(run -> run.result().failures().getOrDefault(Effect.Failure.TIMED_OUT, 0))
                        .sum())
                .isPositive();
    }

    @Test
    void theRunsThatShallLeavePeersBehindDo() {
        assertThat(CheckedRun.of(Kind.LEFT_BEHIND, 0, Bug.NONE).result().leftBehind())
                .isPositive();
        assertThat(CheckedRun.of(Kind.SIZE, 2, Bug.NONE).result().leftBehind()).isPositive();
        assertThat(CheckedRun.of(Kind.LEFT_BEHIND_BY_ALL, 0, Bug.NONE).result().leftBehind())
                .isPositive();
    }

    /** In these, everybody had left everybody behind, and was given up again as soon as its repair began. */
    @ParameterizedTest
    @ValueSource(longs = {14689, 17207, 18407})
    void whereAllPeersWereLeftBehindRepairsEnd(long seed) {
        CheckedRun run = CheckedRun.of(Kind.RANDOM, seed, Bug.NONE);
        assertThat(run.result().leftBehind()).isPositive();
        assertThat(run.complaint()).isNull();
    }

    /** Here one node waited to hear that another follows the epoch, which did not count it as a peer any more. */
    @Test
    void whoWaitsForANodeThatSharesNothingWithItAnyMoreHearsFromIt() {
        assertThat(CheckedRun.of(Kind.MOVES_UNSETTLED, 40, Bug.NONE).complaint())
                .isNull();
    }

    @Test
    void whereTheTableIsDisabledClientsAreAnsweredBeforeAndAfter() {
        CheckedRun run = CheckedRun.of(Kind.DISABLED, 5, Bug.NONE);
        assertThat(run.result().ordinary()).isPositive();
        assertThat(run.result().reads()).isPositive();
    }

    @Test
    void theRandomRunsHaveAllThatPlansCanHold() {
        List<SimulationPlan> plans =
                LongStream.range(0, 200).mapToObj(Plans::random).toList();

        assertThat(plans).anyMatch(plan -> plan.cluster().nodesPerDc().size() == 1);
        assertThat(plans).anyMatch(plan -> plan.cluster().nodesPerDc().size() == 7);
        assertThat(plans).anyMatch(plan -> plan.cluster().replicas() % 2 == 0);
        assertThat(plans).anyMatch(plan -> plan.cluster().replicas() < plan.nodes());
        assertThat(plans).anyMatch(plan -> plan.cluster().replicasPerDc().contains(3));
        assertThat(plans).anyMatch(plan -> plan.links().asymmetry() > 0);
        assertThat(plans).anyMatch(plan -> plan.links().tailShare() > 0);
        assertThat(plans).anyMatch(plan -> plan.faults().clockOffsetMicros() > 3_600_000_000L);
        assertThat(plans).anyMatch(plan -> plan.faults().hintDelayMicros() > 15_000_000);
        assertThat(plans).anyMatch(plan -> plan.faults().storeForgets());
        assertThat(plans).anyMatch(plan -> plan.faults().readRepairs() > 0);
        assertThat(plans).anyMatch(plan -> plan.faults().flaps() > 0);
        assertThat(plans).anyMatch(plan -> plan.workload().stockShare() > 0);
        assertThat(plans).anyMatch(plan -> plan.workload().batchShare() > 0);
        assertThat(plans).anyMatch(plan -> plan.workload().newShare() > 0);
    }

    @Test
    void everyKindOfPlanIsDrawnThatIsNotByNameAlone() {
        Set<Kind> drawn = EnumSet.allOf(Kind.class);
        drawn.removeAll(Set.of(
                Kind.WRITE_ALL, Kind.SETTLE_SLOWLY, Kind.LEASES, Kind.LEASES_MOVE, Kind.LEASES_ENABLED, Kind.TRACES));
        assertThat(LongStream.range(0, 2_000).mapToObj(Kind::of).distinct()).containsExactlyInAnyOrderElementsOf(drawn);
    }

    @Test
    void withAMinorityDownNoOperationAtTheOthersTakesLongerThanStated() {
        List<CheckedRun> runs = LongStream.range(100, 103)
                .mapToObj(seed -> CheckedRun.of(Kind.MINORITY_DOWN, seed, Bug.NONE))
                .toList();

        assertThat(runs)
                .extracting(run -> run.result().longestWithMinorityDownMicros())
                .allMatch(micros -> micros > 0 && micros <= CheckedRun.LONGEST_WITH_MINORITY_DOWN_MICROS);
    }

    /**
     * A write of two hot rows was stamped before what they held was known, and no write of them could be kept apart
     * after that.
     */
    @Test
    void whereAllSessionsBeginWithTheSameRowsReadsOfThemDoNotWaitForSeconds() {
        CheckedRun run = CheckedRun.of(Kind.MINORITY_DOWN, 42_995, Bug.NONE);
        assertThat(run.complaint()).isNull();
        assertThat(run.result().readMillis(1)).isLessThan(500);
    }

    @ParameterizedTest
    @CsvSource({"RANDOM, 7", "STRICT, 9"})
    void theSameSeedGivesTheSameTrace(Kind kind, long seed) {
        TraceHash once = new TraceHash();
        TraceHash again = new TraceHash();
        TraceHash other = new TraceHash();

        CheckedRun.of(kind, seed, Bug.NONE, once);
        CheckedRun.of(kind, seed, Bug.NONE, again);
        CheckedRun.of(kind, seed + 1, Bug.NONE, other);

        assertThat(again).hasToString(once.toString());
        assertThat(other.toString()).isNotEqualTo(once.toString());
    }

    @Test
    void withHistoryAndLeadHotRowsBetweenThreeContinentsAreReadWithoutAWideAreaWait() {
        SimulationResult hot = LatencyTable.measure(
                new SimulationPlan.Workload(4, 1, 1, 24, 4_000, 0.5, 0, 0, 0, 0, false),
                ReadMode.SEQUENTIAL,
                Settings.DEFAULTS);

        assertThat(hot.readMillis(0.5)).isLessThan(1);
        assertThat(hot.readMillis(0.9)).isLessThan(5);
        assertThat(hot.readMillis(0.99)).isLessThan(50);
        assertThat(hot.writeMillis(0.5)).isLessThan(160);
    }

    @Test
    void coldRowsAreReadLocally() {
        SimulationResult cold = LatencyTable.measure(
                new SimulationPlan.Workload(1_000, 1, 1, 24, 4_000, 0.95, 0, 0, 0, 0, false),
                ReadMode.SEQUENTIAL,
                Settings.DEFAULTS);

        assertThat(cold.readMillis(0.99)).isLessThan(1);
    }
}
