/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import org.jspecify.annotations.Nullable;

/**
 * What a check found. Immutable.
 *
 * @param outcome CONSISTENT, VIOLATION or UNDECIDED
 * @param reason one line that says why
 * @param counterexample present for a violation
 */
public record Verdict(
        Model model,
        Outcome outcome,
        String reason,
        @Nullable Counterexample counterexample) {
    static Verdict consistent(Model model, String reason) {
        return new Verdict(model, Outcome.CONSISTENT, reason, null);
    }

    static Verdict undecided(Model model, String reason) {
        return new Verdict(model, Outcome.UNDECIDED, reason, null);
    }

    static Verdict violation(Model model, Counterexample counterexample) {
        return new Verdict(model, Outcome.VIOLATION, counterexample.summary(), counterexample);
    }
}
