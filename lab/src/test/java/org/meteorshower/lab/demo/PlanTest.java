/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PlanTest {
    private static final List<Mode> ALL = List.of(Mode.values());

    @Test
    void everyModeIsHeatedBeforeAnyIsMeasured() {
        Plan plan = Plan.of(ALL, 20, 0.5);
        assertThat(plan.heating()).extracting(Phase::mode).containsExactlyElementsOf(ALL);
        assertThat(plan.heating()).allMatch(phase -> phase.measureMillis() == 0 && phase.settleMillis() > 0);
    }

    @Test
    void theSecondRoundGoesBackwards() {
        Plan plan = Plan.of(ALL, 20, 0.5);
        assertThat(plan.rounds()).isEqualTo(2);
        assertThat(plan.measured()).hasSize(2 * ALL.size());
        for (int i = 0; i < ALL.size(); i++) {
            assertThat(plan.measured().get(i).mode())
                    .isEqualTo(plan.measured().get(2 * ALL.size() - 1 - i).mode());
        }
    }

    @Test
    void sequentialAndStrictAreMeasuredForTheSecondsAskedForAndOthersForTwoFifths() {
        Plan plan = Plan.of(ALL, 20, 0.5);
        assertThat(millis(plan, Mode.SEQUENTIAL)).isEqualTo(20_000);
        assertThat(millis(plan, Mode.STRICT)).isEqualTo(20_000);
        assertThat(millis(plan, Mode.STRICT_HOME)).isEqualTo(20_000);
        assertThat(millis(plan, Mode.METEORSHOWER1)).isEqualTo(8_000);
        assertThat(millis(plan, Mode.CASSANDRA_QUORUM)).isEqualTo(8_000);
    }

    @Test
    void twentySecondsLeaveTimeForTheRestInTwoMinutes() {
        assertThat(Plan.of(ALL, 20, 0.5).seconds()).isLessThanOrEqualTo(108);
    }

    @Test
    void aShortRunHasOneRoundAndNoPhaseUnderASecond() {
        Plan plan = Plan.of(ALL, DemoOptions.MIN_SECONDS, 0.5);
        assertThat(plan.rounds()).isEqualTo(1);
        assertThat(plan.measured()).allMatch(phase -> phase.measureMillis() >= 1_000);
    }

    private static long millis(Plan plan, Mode mode) {
        return plan.measured().stream()
                .filter(phase -> phase.mode() == mode)
                .mapToLong(Phase::measureMillis)
                .sum();
    }
}
