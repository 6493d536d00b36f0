/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.Model;

/**
 * All that a run gave. Immutable.
 *
 * @param bootSeconds until all nodes served and saw each other
 * @param firstRowSeconds from the start of the tool to the first mode's figures
 * @param rssMegabytes memory of all nodes together, after the last phase
 * @param stats by mode, in the order of the table
 * @param outage null where nothing was killed
 */
record DemoResult(
        DemoOptions options,
        double bootSeconds,
        double firstRowSeconds,
        double rssMegabytes,
        Map<Mode, ModeStats> stats,
        List<Finding> findings,
        List<Goal> goals,
        @Nullable OutageReport outage,
        MachineUse machine) {

    /** Operations of the history that must be consistent, those before and between the measured ones included. */
    long checkedOperations() {
        return findings.stream()
                .filter(finding -> finding.promised() && finding.verdict().model() == Model.SEQUENTIAL)
                .mapToLong(finding -> finding.history().size())
                .sum();
    }

    long measuredOperations() {
        return stats.values().stream()
                .mapToLong(mode -> mode.total().succeeded())
                .sum();
    }

    int failures() {
        return stats.values().stream().mapToInt(mode -> mode.total().failures()).sum();
    }

    /** Checks of what is promised that did not pass. */
    long violations() {
        return findings.stream()
                .filter(finding -> finding.promised() && finding.isViolation())
                .count();
    }

    /** Checks of what is promised that ended without a verdict. */
    long undecided() {
        return findings.stream()
                .filter(finding -> finding.promised() && finding.isUndecided())
                .count();
    }
}
