/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.search.PlanFile;
import org.meteorshower.lab.search.Subject;
import org.meteorshower.simulator.SimulationPlan;
import org.meteorshower.transactions.simulator.Plan;

/** {@code meteor simulate --plan}: runs a plan that a search has written. */
final class PlanShow {
    private static final int FOUND = 1;

    private final PlanFile file;
    private final PrintWriter out;

    /** Throws {@link IllegalArgumentException} where there is no plan in it. */
    PlanShow(Path file, PrintWriter out) {
        this.file = PlanFile.read(file);
        this.out = out;
    }

    boolean isOfReads() {
        return file.model().equals("reads");
    }

    /**
     * Returns the exit code.
     *
     * @param history gets what clients saw; null: nobody wants it
     */
    int run(boolean trace, @Nullable Path history) {
        PlanJson json = new PlanJson();
        RunOutcome outcome = isOfReads()
                ? Runs.run(json.to(file.plan(), SimulationPlan.class), trace ? out::println : null)
                : CatenaeRuns.run(json.to(file.plan(), Plan.class), trace ? out::println : null);
        outcome.writeSeen(history);
        out.println("a plan of the family " + file.family() + ": " + outcome.summary());
        return tell(outcome.complaint(), outcome.foundBy());
    }

    /** Runs it on a core with a mistake in it. Returns the exit code. */
    int run(Subject wrong) {
        Subject.Ran ran = wrong.run(file.plan());
        out.println("a plan of the family " + file.family() + ": " + ran.operations() + " operations");
        return tell(ran.complaint(), ran.foundBy());
    }

    private int tell(@Nullable String complaint, String foundBy) {
        out.println(complaint == null ? "no verifier found anything wrong" : "found by " + foundBy + ":");
        if (complaint != null) {
            out.println(complaint);
        }
        return complaint == null ? 0 : FOUND;
    }
}
