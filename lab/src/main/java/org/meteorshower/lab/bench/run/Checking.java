/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.History;
import org.meteorshower.checker.Model;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.Verdict;
import org.meteorshower.client.ReadMode;
import org.meteorshower.lab.bench.plan.SystemSpec;

/** Puts a run's history before the checker. */
final class Checking {
    private Checking() {}

    /** Null where nothing is promised. A history that was too long to keep is told as that. */
    static RunResult.@Nullable Check check(SystemSpec system, HistoryBook book) {
        if (!system.isJudged()) {
            return null;
        }
        boolean strict = ReadMode.STRICT.equals(system.readMode());
        if (!book.isComplete()) {
            return new RunResult.Check(
                    "sequential", "too_long", "more operations than were to be kept (--check)", 0, 0);
        }
        History history = book.history();
        RunResult.Check worst = null;
        for (Model model : strict ? List.of(Model.SEQUENTIAL, Model.LINEARIZABLE) : List.of(Model.SEQUENTIAL)) {
            long start = System.nanoTime();
            Verdict verdict = model.check(history);
            worst = new RunResult.Check(
                    model.name().toLowerCase(Locale.ROOT),
                    verdict.outcome().name().toLowerCase(Locale.ROOT),
                    verdict.reason(),
                    history.size(),
                    (System.nanoTime() - start) / 1e9);
            if (verdict.outcome() != Outcome.CONSISTENT) {
                return worst;
            }
        }
        return worst;
    }
}
