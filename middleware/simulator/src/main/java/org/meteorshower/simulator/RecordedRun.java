/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;
import org.meteorshower.checker.History;

/** A simulated run, written down for the specification ReadsAtACut.tla. */
public final class RecordedRun {
    private static final int MOST_WRITES = 12;
    private static final int MOST_SESSIONS = 8;

    private RecordedRun() {}

    /**
     * Runs a seed of the kind {@link Kind#TRACES}.
     *
     * @return tuples of TLA+, one a line: what the sessions do, the writes' keys, how many times there are, and then
     *     each step; or a single line that says why the run has no words in the specification
     * @throws RuntimeException if the core gives up
     */
    public static List<String> of(long seed, Bug bug) {
        SimulationPlan plan = Kind.TRACES.plan(seed).withBug(bug);
        SpecificationTrace trace = new SpecificationTrace(plan.nodes());
        var unused = Simulation.run(plan, new CheckedRun.Operations(History.builder()), trace);
        TraceSteps steps = trace.steps();
        String obstacle = steps.obstacle();
        if (obstacle != null) {
            return List.of(obstacle);
        } else if (steps.writes() > MOST_WRITES || steps.sessions() > MOST_SESSIONS) {
            return List.of("more than " + MOST_WRITES + " writes or " + MOST_SESSIONS + " sessions");
        }
        return steps.lines();
    }
}
