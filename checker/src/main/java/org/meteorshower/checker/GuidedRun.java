/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for an order like one who mends a plan: runs straight on, and where it is stuck finds the latest choice that
 * made it so, goes back there, forbids it and runs on. It proves consistency when it gets to the end; that it does not
 * says nothing. Large histories need it, for trying choices one by one would never come back far enough.
 */
final class GuidedRun {
    private final Execution execution;
    private final Closure closure;
    private final WriteRanks ranks;
    private final Problem problem;
    private final Graph graph;
    private final Set<Long> learned = new HashSet<>();
    private @Nullable Waits waits;

    private GuidedRun(Problem problem, Graph graph, Closure closure, WriteRanks ranks) {
        this.problem = problem;
        this.graph = graph;
        this.closure = closure;
        this.ranks = ranks;
        execution = new Execution(problem, graph);
    }

    /**
     * @param extraSteps operations that may be done beyond one straight run
     */
    static boolean findsOrder(Problem problem, Graph graph, Closure closure, WriteRanks ranks, long extraSteps) {
        return new GuidedRun(problem, graph, closure, ranks).run(graph.nodes + extraSteps);
    }

    private boolean run(long maxSteps) {
        while (!execution.complete()) {
            int write = ranks.next(execution, WriteRanks.NO_RANK);
            if (write != Problem.NONE) {
                execution.perform(write);
            } else if (execution.steps() > maxSteps || !mend()) {
                return false;
            }
        }
        return true;
    }

    private boolean mend() {
        if (waits == null) {
            waits = new Waits(problem, graph, execution);
        }
        Waits.@Nullable Cure best = null;
        for (Waits.Cure cure : waits.cures()) {
            boolean possible = execution.isDone(cure.second())
                    && !closure.reaches(cure.second(), cure.first())
                    && !learned.contains(pair(cure.second(), cure.first()));
            if (possible && (best == null || execution.position(cure.second()) > execution.position(best.second()))) {
                best = cure;
            }
        }
        if (best == null || !learned.add(pair(best.first(), best.second()))) {
            return false;
        }
        execution.undoTo(execution.position(best.second()));
        execution.require(best.first(), best.second());
        return true;
    }

    private static long pair(int before, int after) {
        return (long) before << 32 | after;
    }
}
