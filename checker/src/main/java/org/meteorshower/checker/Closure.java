/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.BitSet;

/**
 * What comes before what, over all paths: for each node and chain, how many of the chain's operations come before the
 * node or are it. Chains past the limit of memory are left out; nothing is then known to come after them, which makes
 * conclusions fewer, never wrong.
 */
final class Closure {
    private static final long MAX_CELLS = Math.min(Runtime.getRuntime().maxMemory() / 12, 256_000_000L);

    private final Problem problem;
    final int chains;
    private final int[] counts;
    private final BitSet changed = new BitSet();

    Closure(Problem problem) {
        this.problem = problem;
        long rows = Math.max(1, problem.nodes);
        chains = (int) Math.min(problem.chains, MAX_CELLS / rows);
        counts = new int[Math.toIntExact(rows * chains)];
    }

    /** Whether the memory allows nothing to be derived. */
    boolean useless() {
        return chains < problem.sessionChains;
    }

    /** Takes in what a graph of more edges adds to the one of the last time. */
    void compute(Graph graph, int[] order) {
        changed.clear();
        for (int v : order) {
            int row = v * chains;
            if (!problem.isHelper(v) && problem.chain[v] < chains) {
                counts[row + problem.chain[v]] = Math.max(counts[row + problem.chain[v]], problem.place[v] + 1);
            }
            for (int i = graph.offset[v]; i < graph.offset[v + 1]; i++) {
                if (merge(row, graph.target(i) * chains)) {
                    changed.set(graph.target(i));
                }
            }
        }
    }

    private boolean merge(int from, int to) {
        boolean more = false;
        for (int c = 0; c < chains; c++) {
            if (counts[from + c] > counts[to + c]) {
                counts[to + c] = counts[from + c];
                more = true;
            }
        }
        return more;
    }

    /** Whether the last computing added to what comes before a node. */
    boolean changed(int node) {
        return changed.get(node);
    }

    /** Whether operation x is known to come before node y, or is y. */
    boolean reaches(int x, int y) {
        return problem.chain[x] < chains && counts[y * chains + problem.chain[x]] > problem.place[x];
    }

    /** How many operations of a chain come before a node, itself not counted. */
    int before(int node, int chain) {
        if (chain >= chains) {
            return 0;
        }
        int count = counts[node * chains + chain];
        return !problem.isHelper(node) && problem.chain[node] == chain ? count - 1 : count;
    }
}
