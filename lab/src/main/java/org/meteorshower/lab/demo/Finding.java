/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import org.meteorshower.checker.CheckReport;
import org.meteorshower.checker.History;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.Verdict;

/**
 * A history and what the checker says of it. Immutable.
 *
 * @param title whose history it is
 * @param promised whether the model is promised; otherwise it is only shown what the checker finds
 */
record Finding(String title, History history, Verdict verdict, long elapsedNanos, boolean promised) {
    boolean isViolation() {
        return verdict.outcome() == Outcome.VIOLATION;
    }

    boolean isUndecided() {
        return verdict.outcome() == Outcome.UNDECIDED;
    }

    /** The checker's report, counterexample included. */
    String report() {
        return CheckReport.of(history, verdict, elapsedNanos);
    }
}
