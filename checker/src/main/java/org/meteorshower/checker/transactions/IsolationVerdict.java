/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker.transactions;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.Outcome;

/**
 * What a check found.
 *
 * @param anomaly null where the history is consistent
 * @param steps why, a line each; for a cycle each transaction with its reason to come before the next
 */
public record IsolationVerdict(
        IsolationModel model, Outcome outcome, @Nullable Anomaly anomaly, boolean realTime, List<String> steps) {
    public IsolationVerdict {
        steps = List.copyOf(steps);
    }

    static IsolationVerdict consistent(IsolationModel model) {
        return new IsolationVerdict(model, Outcome.CONSISTENT, null, false, List.of());
    }

    static IsolationVerdict violation(IsolationModel model, Anomaly anomaly, boolean realTime, List<String> steps) {
        return new IsolationVerdict(model, Outcome.VIOLATION, anomaly, realTime, steps);
    }

    /** The text that an operator reads, several lines. */
    public String report() {
        if (anomaly == null) {
            return model.word() + ": " + outcome + System.lineSeparator();
        }
        StringBuilder text = new StringBuilder(model.word() + ": " + outcome + " - " + anomaly + ", " + anomaly.words()
                + (realTime ? ", with real time" : "") + System.lineSeparator());
        steps.forEach(step -> text.append("  ").append(step).append(System.lineSeparator()));
        return text.toString();
    }
}
