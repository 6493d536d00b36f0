/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.simulator.Trace;
import org.meteorshower.transactions.log.Formats;

/** Data centres go on to another format while clients work. */
class UpgradesTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 5, 8, 13})
    void nobodyIsSentWhatHeCannotRead(long seed) {
        CheckedRun run = CheckedRun.of(Kind.FORMATS, seed, Trace.NONE);

        assertThat(run.complaint())
                .as("./meteor simulate --model catenae --kind formats --seed %d", seed)
                .isNull();
        assertThat(run.operations()).isGreaterThan(100);
    }

    /** So that the others say something. */
    @Test
    void someGoBackAndAllGoOnUnderLoad() {
        int[] seen = new int[2];
        CheckedRun.of(Kind.FORMATS.word(), 3, line -> {
            seen[0] += line.contains("gets a plugin that knows formats 1 to 7") ? 1 : 0;
            seen[1] += line.contains("goes on to format 9") ? 1 : 0;
        });

        assertThat(seen[0]).as("plugins that went back").isPositive();
        assertThat(seen[1]).as("data centres that went on").isGreaterThanOrEqualTo(3);
    }

    /** Half of all plans of other kinds have entries with fronts from the beginning on. */
    @Test
    void plansOfEvenSeedsHaveFronts() {
        assertThat(Kind.KILLS.plan(2).format()).isEqualTo(Formats.PROPOSES_FRONTS);
        assertThat(Kind.KILLS.plan(3).format()).isEqualTo(Formats.PROPOSES_ENDS);
        assertThat(Kind.FORMATS.plan(2).format()).isEqualTo(Formats.PROPOSES_ENDS);
    }
}
