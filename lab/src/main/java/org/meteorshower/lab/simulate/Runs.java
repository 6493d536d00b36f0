/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.simulator.Bug;
import org.meteorshower.simulator.CheckedRun;
import org.meteorshower.simulator.Kind;
import org.meteorshower.simulator.SimulationPlan;
import org.meteorshower.simulator.Trace;
import org.meteorshower.simulator.Transcript;

/** Runs seeds. Thread-safe. */
interface Runs {
    /** @param transcript gets a line for each event and effect; null where nobody reads them */
    RunOutcome run(Kind kind, long seed, @Nullable Consumer<String> transcript);

    /** The protocol core as it is; mistakes, if any, are made around it. */
    static Runs of(Bug bug) {
        return (kind, seed, transcript) -> outcome(() -> CheckedRun.of(kind, seed, bug, trace(transcript)));
    }

    /** A plan that is of no seed; no operation of it is held to a longest time. */
    static RunOutcome run(SimulationPlan plan, @Nullable Consumer<String> transcript) {
        return outcome(() -> CheckedRun.of(Kind.RANDOM, plan, trace(transcript)));
    }

    private static Trace trace(@Nullable Consumer<String> transcript) {
        return transcript == null ? Trace.NONE : new Transcript(transcript);
    }

    private static RunOutcome outcome(Supplier<CheckedRun> runs) {
        try {
            CheckedRun run = runs.get();
            return new RunOutcome(
                    run.result().operations(),
                    run.foundBy(),
                    run.complaint(),
                    run.isUndecided(),
                    run.result().toString(),
                    new SeenByClients.Reads(run.history(), run.verdict().model()));
        } catch (RuntimeException e) {
            return thrown(e);
        }
    }

    /** A run that ended in an exception: the core found one of its own invariants broken. */
    static RunOutcome thrown(Throwable failure) {
        String at = failure.getStackTrace().length == 0 ? "" : " at " + failure.getStackTrace()[0];
        return new RunOutcome(0, "invariant", "the core gave up: " + failure + at, false, "the core gave up", null);
    }
}
