/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class GoalsTest {
    @Test
    void figuresAsHopedMeetEveryGoal() {
        List<Goal> goals = Goals.of(Samples.allModes(), List.of(50.0), 20, 1_000);
        assertThat(goals).hasSize(11).allMatch(Goal::isMet);
    }

    @Test
    void aSlowSequentialReadMissesThem() {
        Map<Mode, ModeStats> stats = Samples.allModes();
        stats.put(Mode.SEQUENTIAL, Samples.stats(Mode.SEQUENTIAL, 4, 120));
        assertThat(Goals.of(stats, List.of(50.0), 20, 1_000))
                .filteredOn(goal -> !goal.isMet())
                .extracting(Goal::word)
                .containsExactly(
                        "sequential_read_p50_to_local_one",
                        "sequential_read_p99_to_local_one",
                        "quorum_read_p50_to_sequential",
                        "sequential_write_p50_to_quorum");
    }

    @Test
    void withoutDelayTheOnlyGoalIsNotToBeSlowerThanQuorum() {
        List<Goal> goals = Goals.of(Samples.allModes(), List.of(0.0), Double.NaN, Double.NaN);
        assertThat(goals)
                .filteredOn(Goal::isJudged)
                .singleElement()
                .matches(goal -> goal.word().equals("quorum_read_p50_to_sequential") && goal.limit() == 1);
    }

    @Test
    void atShorterDelaysFiguresAreShownAndNotJudged() {
        assertThat(Goals.of(Samples.allModes(), List.of(50.0, 20.0, 50.0), Double.NaN, Double.NaN))
                .hasSize(9)
                .noneMatch(Goal::isJudged);
    }

    @Test
    void aGoalOfAModeThatDidNotRunIsLeftOut() {
        Map<Mode, ModeStats> stats = Map.of(Mode.SEQUENTIAL, Samples.stats(Mode.SEQUENTIAL, 1, 100));
        assertThat(Goals.of(stats, List.of(50.0), 20, 1_000))
                .extracting(Goal::word)
                .containsExactly("first_row_seconds", "rss_mb");
    }
}
