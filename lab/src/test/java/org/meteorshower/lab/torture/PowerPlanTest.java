/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.power.PowerDisks;

final class PowerPlanTest {
    private static final List<String> NODES = List.of("eu-1", "us-1", "asia-1");

    private static List<PowerPlan.Cut> cuts(long seed, boolean starting) {
        PowerPlan plan = new PowerPlan(seed, NODES, 2_000);
        return Stream.generate(() -> plan.next(starting)).limit(1_000).toList();
    }

    @Test
    void theSameSeedGivesTheSame() {
        assertThat(cuts(1, true)).isEqualTo(cuts(1, true)).isNotEqualTo(cuts(2, true));
    }

    @Test
    void allAreStruckMostlyAndSomeAtTimes() {
        List<PowerPlan.Cut> cuts = cuts(1, false);

        assertThat(cuts.stream().filter(cut -> cut.nodes().size() == 3).count()).isBetween(650L, 850L);
        assertThat(cuts.stream().map(cut -> cut.nodes().size())).contains(1, 2, 3);
        assertThat(cuts).allMatch(cut -> NODES.containsAll(cut.nodes()));
        assertThat(cuts).noneMatch(PowerPlan.Cut::isEarly);
        assertThat(cuts).allMatch(cut -> cut.afterMillis() >= 500 && cut.afterMillis() < 3_500);
    }

    @Test
    void whileTheyStartAllAreStruck() {
        List<PowerPlan.Cut> early =
                cuts(1, true).stream().filter(PowerPlan.Cut::isEarly).toList();

        assertThat(early.size()).isBetween(150, 350);
        assertThat(early).allMatch(cut -> cut.nodes().size() == 3);
    }

    @Test
    void whatWasNotForcedIsLostAltogetherOrInPart() {
        assertThat(cuts(1, false).stream().map(PowerPlan.Cut::share)).contains(0.0, 0.05, 0.5, 0.95);
    }

    @Test
    void aLostRowIsAsOldAsTheNextLossOfPower() {
        PowerNotes notes = new PowerNotes();
        for (long millis : new long[] {1_000, 5_000}) {
            notes.cuts.add(new PowerSwitch.Done(
                    new PowerPlan.Cut(NODES, false, 0, 0, 1),
                    millis * 1_000_000,
                    new PowerDisks.Loss(0, 0),
                    new PowerSwitch.Help(0, 0)));
        }
        assertThat(notes.lost(7, 4_200 * 1_000_000L)).contains("row 7").contains("800 ms");
        assertThat(notes.lost(8, 990 * 1_000_000L)).contains("10 ms");
        assertThat(notes.oldestLostMillis).isEqualTo(800);
        assertThat(notes.lost).hasSize(2);
    }
}
