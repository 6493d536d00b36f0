/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.util.List;

/** What came of a run. Immutable. */
record SizeResult(SizeOptions options, List<PhaseResult> phases) {
    SizeResult {
        phases = List.copyOf(phases);
    }

    long violations() {
        return phases.stream().mapToLong(phase -> phase.violations().size()).sum();
    }

    long lost() {
        return phases.stream().mapToLong(PhaseResult::lost).sum();
    }

    long died() {
        return phases.stream().mapToLong(phase -> phase.deaths().size()).sum();
    }

    long budgetExceeded() {
        return phases.stream().mapToLong(phase -> phase.budgets().exceeded()).sum();
    }

    long unprovokedLaneChanges() {
        return phases.stream().mapToLong(phase -> phase.lanes().unprovoked()).sum();
    }

    /** Whether the four are 0, and every phase was as before in time. */
    boolean isRight() {
        return phases.stream().allMatch(PhaseResult::isRight);
    }
}
