/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CombinationTest {
    @Test
    void eachPairOfFaultsHasANumber() {
        Set<Combination> pairs = new HashSet<>();
        int disksOfTwo = 0;
        for (int number = 0; number < Combination.PAIRS; number++) {
            Combination pair = Combination.of(number);
            assertThat(pair.parts()).hasSize(2);
            boolean bothLose =
                    pair.parts().stream().allMatch(part -> part.what().losesADisk());
            disksOfTwo += bothLose ? 1 : 0;
            pairs.add(pair);
        }
        // Of two data centres that would lose their disks the first one loses it twice.
        assertThat(pairs).hasSize(Combination.PAIRS - disksOfTwo * 2 / 3);
    }

    @Test
    void threesLoseOneDataCentresDiskOnly() {
        for (int number = Combination.PAIRS; number < Combination.PAIRS + 5_000; number++) {
            Combination three = Combination.of(number);
            assertThat(three.parts()).hasSize(3);
            assertThat(three.parts().stream()
                            .filter(part -> part.what().losesADisk())
                            .map(Combination.Part::dc)
                            .distinct()
                            .count())
                    .isLessThanOrEqualTo(1);
        }
    }

    @Test
    void nothingBreaksInSomeOfThem() {
        for (int number = 0; number < Combination.PAIRS; number += Combination.PAIRS / 40) {
            CheckedRun run = CheckedRun.of(Kind.COMBINED, number, org.meteorshower.simulator.Trace.NONE);
            assertThat(run.complaint()).as("seed %d", number).isNull();
        }
    }
}
