/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryBuilder;
import org.meteorshower.checker.LinearizableChecker;
import org.meteorshower.checker.Outcome;
import org.meteorshower.protocol.Effect;

/**
 * Clocks that begin within ε of each other and drift apart, with all kinds of faults: what was answered as strict is
 * linearizable.
 */
class DriftingClocksTest {
    private static final int SEEDS = 40;

    private record Run(Outcome outcome, int reads, int refused) {}

    private static Run run(long seed, boolean watched) {
        HistoryBuilder history = History.builder();
        SimulationResult result =
                Simulation.run(Plans.driftingClocks(seed, watched), new CheckedRun.Operations(history));
        return new Run(
                LinearizableChecker.check(history.build()).outcome(),
                result.reads(),
                result.failures().getOrDefault(Effect.Failure.CLOCK, 0));
    }

    private static List<Run> runs(boolean watched) {
        return LongStream.range(0, SEEDS).mapToObj(seed -> run(seed, watched)).toList();
    }

    @Test
    void whereClocksAreWatchedStrictIsWithdrawnBeforeAnyAnswerIsWrong() {
        List<Run> runs = runs(true);

        assertThat(runs).noneMatch(run -> run.outcome == Outcome.VIOLATION);
        assertThat(runs).anyMatch(run -> run.refused > 0);
        assertThat(runs).anyMatch(run -> run.reads > 100);
        System.out.println("watched: " + summary(runs));
    }

    /** Else the test above would show nothing. */
    @Test
    void whereTheyAreNotSomeAnswersAreWrong() {
        List<Run> runs = runs(false);

        assertThat(runs).anyMatch(run -> run.outcome == Outcome.VIOLATION);
        System.out.println("not watched: " + summary(runs));
    }

    private static String summary(List<Run> runs) {
        return runs.stream().mapToInt(Run::reads).sum() + " reads, "
                + runs.stream().mapToInt(Run::refused).sum() + " refused, "
                + runs.stream().filter(run -> run.outcome == Outcome.VIOLATION).count() + " of " + SEEDS
                + " runs wrong";
    }
}
