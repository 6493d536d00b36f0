/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Arrays;

/**
 * Adds "ended before the other started" with about three edges an operation: a row of helpers, one per start in order
 * of time, each before the next and before its operation; an operation comes before the first helper past its end.
 */
final class RealTime {
    private RealTime() {}

    static void addTo(Problem problem) {
        History history = problem.history;
        int[] byStart = new int[problem.opNodes];
        Arrays.setAll(byStart, node -> node);
        IndexSort.sort(byStart, node -> history.start(problem.op[node]));
        int firstHelper = problem.nodes;
        problem.nodes += byStart.length;
        for (int i = 0; i < byStart.length; i++) {
            problem.edges.add(firstHelper + i, byStart[i], Reason.REAL_TIME, Edges.NO_VIA);
            if (i > 0) {
                problem.edges.add(firstHelper + i - 1, firstHelper + i, Reason.REAL_TIME, Edges.NO_VIA);
            }
        }
        for (int node = 0; node < problem.opNodes; node++) {
            long end = history.end(problem.op[node]);
            int after = end == Operation.NO_END ? byStart.length : firstAfter(problem, byStart, end);
            if (after < byStart.length) {
                problem.edges.add(node, firstHelper + after, Reason.REAL_TIME, Edges.NO_VIA);
            }
        }
    }

    private static int firstAfter(Problem problem, int[] byStart, long end) {
        int low = 0;
        int high = byStart.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (problem.history.start(problem.op[byStart[middle]]) > end) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
