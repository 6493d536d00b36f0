/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Arrays;

/**
 * Looks for an order of all operations by trying writes one after the other, earliest first, and going back where
 * reads are left without their value. States that led nowhere are remembered. Exact unless a limit ends it; the
 * choices that cannot hurt are not gone back on, so that on a consistent history it mostly runs straight through.
 */
final class OrderSearch {
    /** How a search ends. */
    enum Result {
        FOUND,
        NONE,
        GAVE_UP
    }

    private static final int NO_RANK = -1;

    private final Execution execution;
    private final int[] rank; // per write: its place in the order of trying
    private final int[] byRank;
    private final DeadStates dead = new DeadStates();
    private int[] frameTrail = new int[64];
    private int[] frameRank = new int[64];
    private int frames;

    private OrderSearch(Problem problem, Graph graph) {
        execution = new Execution(problem, graph);
        byRank = problem.writes.clone();
        long[] time = times(problem);
        IndexSort.sort(byRank, write -> time[write]);
        rank = new int[problem.opNodes];
        for (int i = 0; i < byRank.length; i++) {
            rank[byRank[i]] = i;
        }
    }

    /**
     * @param extraSteps operations that may be done beyond one straight run
     */
    static Result run(Problem problem, Graph graph, long extraSteps) {
        return new OrderSearch(problem, graph).run(graph.nodes + extraSteps);
    }

    private Result run(long maxSteps) {
        int tried = NO_RANK;
        while (!execution.complete()) {
            int write = tried == NO_RANK && isDead() ? Problem.NONE : nextAllowed(tried);
            if (write == Problem.NONE) {
                if (tried != NO_RANK) {
                    dead.add(execution.firstHash(), execution.secondHash());
                }
                if (frames == 0) {
                    return Result.NONE;
                }
                frames--;
                execution.undoTo(frameTrail[frames]);
                tried = frameRank[frames];
                continue;
            }
            if (execution.steps() > maxSteps || dead.full()) {
                return Result.GAVE_UP;
            }
            int before = execution.trailSize();
            if (!execution.perform(write)) {
                push(before, rank[write]);
            }
            tried = NO_RANK;
        }
        return Result.FOUND;
    }

    private boolean isDead() {
        return dead.contains(execution.firstHash(), execution.secondHash());
    }

    private int nextAllowed(int tried) {
        NodeSet ready = execution.readyWrites();
        int best = Integer.MAX_VALUE;
        for (int i = 0; i < ready.size(); i++) {
            int write = ready.get(i);
            if (rank[write] > tried && rank[write] < best && execution.allowed(write)) {
                best = rank[write];
            }
        }
        return best == Integer.MAX_VALUE ? Problem.NONE : byRank[best];
    }

    private void push(int trailSize, int writeRank) {
        if (frames == frameTrail.length) {
            frameTrail = Arrays.copyOf(frameTrail, frames * 2);
            frameRank = Arrays.copyOf(frameRank, frames * 2);
        }
        frameTrail[frames] = trailSize;
        frameRank[frames++] = writeRank;
    }

    /** When a write probably took effect: by its answer, or by the first read of it. */
    private static long[] times(Problem problem) {
        History history = problem.history;
        long[] times = new long[problem.opNodes];
        for (int write : problem.writes) {
            long end = history.end(problem.op[write]);
            times[write] = end == Operation.NO_END ? Long.MAX_VALUE : end;
        }
        for (int node = 0; node < problem.opNodes; node++) {
            int from = problem.readsFrom[node];
            if (from >= 0) {
                times[from] = Math.min(times[from], history.end(problem.op[node]));
            }
        }
        return times;
    }
}
