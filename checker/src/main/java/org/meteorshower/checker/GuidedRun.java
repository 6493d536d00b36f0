/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks for an order like one who mends a plan: runs straight on, and where it is stuck finds the latest choice that
 * made it so, goes back there, forbids it and runs on. It proves consistency when it gets to the end; that it does not
 * says nothing. Large histories need it, for trying choices one by one would never come back far enough.
 */
final class GuidedRun {
    private static final int ATTEMPTS = 12;

    private final Execution execution;
    private final Closure closure;
    private final WriteRanks ranks;
    private final Problem problem;
    private final Graph graph;
    private final int attempt;
    private final Set<Long> learned = new HashSet<>();
    private @Nullable Waits waits;

    private GuidedRun(Problem problem, Graph graph, Closure closure, WriteRanks ranks, int attempt) {
        this.problem = problem;
        this.graph = graph;
        this.closure = closure;
        this.ranks = ranks;
        this.attempt = attempt;
        execution = new Execution(problem, graph);
    }

    /**
     * Makes several attempts: a choice mended at the wrong place may leave nothing to mend later.
     *
     * @param extraSteps operations that may be done beyond one straight run, by all attempts
     * @param found gets the order
     */
    static boolean findsOrder(
            Problem problem, Graph graph, Closure closure, WriteRanks ranks, long extraSteps, Consumer<int[]> found) {
        long stepsLeft = graph.nodes + extraSteps;
        for (int attempt = 0; attempt < ATTEMPTS && stepsLeft > 0; attempt++) {
            GuidedRun run = new GuidedRun(problem, graph, closure, ranks, attempt);
            if (run.run(stepsLeft)) {
                found.accept(run.execution.order());
                return true;
            }
            if (run.learned.isEmpty()) {
                return false; // there was no choice that another attempt could make
            }
            stepsLeft -= run.execution.steps();
        }
        return false;
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
            waits = new Waits(problem, graph, execution, ranks, this::possible);
        }
        Waits.@Nullable Cure best = choose(waits.cures());
        if (best == null || !learned.add(pair(best.first(), best.second()))) {
            return false;
        }
        execution.undoTo(execution.position(best.second()));
        execution.require(best.first(), best.second());
        return true;
    }

    /** The cure that undoes least; in later attempts now and then another one. */
    private Waits.@Nullable Cure choose(List<Waits.Cure> cures) {
        long chance = Mix.mix((long) attempt << 32 | learned.size());
        if (attempt > 0 && !cures.isEmpty() && (chance & 1) == 0) {
            return cures.get((int) ((chance >>> 8) % cures.size()));
        }
        Waits.@Nullable Cure best = null;
        for (Waits.Cure cure : cures) {
            if (best == null || execution.position(cure.second()) > execution.position(best.second())) {
                best = cure;
            }
        }
        return best;
    }

    private boolean possible(Waits.Cure cure) {
        long opposite = pair(/* before= */ cure.second(), /* after= */ cure.first());
        return execution.isDone(cure.second())
                && !closure.reaches(cure.second(), cure.first())
                && !learned.contains(opposite);
    }

    private static long pair(int before, int after) {
        return (long) before << 32 | after;
    }
}
