/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

/** The order in which writes are tried: by when they probably took effect. */
final class WriteRanks {
    /** Below every rank. */
    static final int NO_RANK = -1;

    private final int[] rank; // per write
    private final int[] byRank;

    WriteRanks(Problem problem) {
        long[] time = times(problem);
        byRank = problem.writes.clone();
        IndexSort.sort(byRank, write -> time[write]);
        rank = new int[problem.opNodes];
        for (int i = 0; i < byRank.length; i++) {
            rank[byRank[i]] = i;
        }
    }

    int rank(int write) {
        return rank[write];
    }

    /** The first write past a rank that may be done now, or NONE. */
    int next(Execution execution, int pastRank) {
        NodeSet ready = execution.readyWrites();
        int best = Integer.MAX_VALUE;
        for (int i = 0; i < ready.size(); i++) {
            int write = ready.get(i);
            if (rank[write] > pastRank && rank[write] < best && execution.allowed(write)) {
                best = rank[write];
            }
        }
        return best == Integer.MAX_VALUE ? Problem.NONE : byRank[best];
    }

    /** By its answer or the first read of it, whichever is earlier; an unknown write that nobody read comes last. */
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
