/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Looks for an order of all operations by trying writes one after the other, earliest first, and going back where reads
 * are left without their value. States that led nowhere are remembered. Exact unless a limit ends it; the choices that
 * cannot hurt are not gone back on, so that on a consistent history it mostly runs straight through.
 */
final class OrderSearch {
    /** How a search ends. */
    enum Result {
        FOUND,
        NONE,
        GAVE_UP
    }

    private final Execution execution;
    private final WriteRanks ranks;
    private final DeadStates dead = new DeadStates();
    private int[] frameTrail = new int[64];
    private int[] frameRank = new int[64];
    private int frames;

    private OrderSearch(Problem problem, Graph graph, WriteRanks ranks) {
        execution = new Execution(problem, graph);
        this.ranks = ranks;
    }

    /**
     * @param extraSteps operations that may be done beyond one straight run
     * @param found gets the order
     */
    static Result run(Problem problem, Graph graph, WriteRanks ranks, long extraSteps, Consumer<int[]> found) {
        OrderSearch search = new OrderSearch(problem, graph, ranks);
        Result result = search.run(graph.nodes + extraSteps);
        if (result == Result.FOUND) {
            found.accept(search.execution.order());
        }
        return result;
    }

    private Result run(long maxSteps) {
        int tried = WriteRanks.NO_RANK;
        while (!execution.complete()) {
            int write = tried == WriteRanks.NO_RANK && isDead() ? Problem.NONE : ranks.next(execution, tried);
            if (write == Problem.NONE) {
                if (tried != WriteRanks.NO_RANK) {
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
                push(before, ranks.rank(write));
            }
            tried = WriteRanks.NO_RANK;
        }
        return Result.FOUND;
    }

    private boolean isDead() {
        return dead.contains(execution.firstHash(), execution.secondHash());
    }

    private void push(int trailSize, int writeRank) {
        if (frames == frameTrail.length) {
            frameTrail = Arrays.copyOf(frameTrail, frames * 2);
            frameRank = Arrays.copyOf(frameRank, frames * 2);
        }
        frameTrail[frames] = trailSize;
        frameRank[frames++] = writeRank;
    }
}
