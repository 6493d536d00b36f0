/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import org.jspecify.annotations.Nullable;

/**
 * Adds to the keys of a problem whose order is not known what follows from what is known, until nothing new follows:
 *
 * <ul>
 *   <li>a write that comes before a read of another write of its key comes before that other write (OVERWRITTEN);
 *   <li>a read of a write comes before every later write of the key (FROM_READ);
 *   <li>a read of null whose other explanations are ruled out saw the one that is left, see {@link NullReads}.
 * </ul>
 *
 * <p>All three are forced, so a cycle afterwards is a violation. No cycle is not yet a proof of consistency.
 */
final class Saturation {
    private static final int MAX_ROUNDS = 100;

    private final Problem problem;
    private final Closure closure;
    private final KeyChains keyChains;
    private Graph graph;
    private int contradiction = Problem.NONE;

    private Saturation(Problem problem, Graph graph) {
        this.problem = problem;
        this.graph = graph;
        closure = new Closure(problem);
        keyChains = new KeyChains(problem);
    }

    /** Runs to the end, or to a cycle or a contradiction. */
    static Saturation run(Problem problem, Graph graph, int[] order) {
        Saturation saturation = new Saturation(problem, graph);
        if (!saturation.closure.useless()) {
            saturation.run(order);
        }
        return saturation;
    }

    /** The graph of all edges; it has a cycle if they contradict each other. */
    Graph graph() {
        return graph;
    }

    /** What comes before what, as far as memory allowed to find out. */
    Closure closure() {
        return closure;
    }

    /** A read of null that nothing can explain, or NONE. */
    int contradiction() {
        return contradiction;
    }

    private void run(int[] firstOrder) {
        int @Nullable [] order = firstOrder;
        boolean anew = true;
        Readers readers = new Readers(problem);
        for (int round = 0; round < MAX_ROUNDS && order != null; round++) {
            closure.compute(graph, order);
            int known = problem.edges.size();
            for (int node = 0; node < problem.opNodes; node++) {
                if ((anew || closure.changed(node)) && problem.unordered.get(problem.key[node])) {
                    derive(node, readers);
                }
            }
            int derived = problem.edges.size();
            contradiction = NullReads.decide(problem, closure, keyChains);
            if (contradiction != Problem.NONE || problem.edges.size() == known) {
                return;
            }
            anew = problem.edges.size() > derived;
            if (anew) {
                readers = new Readers(problem);
            }
            graph = new Graph(problem.edges, problem.nodes);
            int[] sorted = graph.topologicalOrder();
            order = sorted.length == graph.nodes ? sorted : null;
        }
    }

    private void derive(int node, Readers readers) {
        boolean write = problem.isWrite(node);
        int saw = problem.readsFrom[node];
        if (!write && saw < 0) {
            return;
        }
        int key = problem.key[node];
        for (int block = keyChains.firstBlock(key); block < keyChains.endBlock(key); block++) {
            int earlier = keyChains.lastAmong(block, closure.before(node, keyChains.chain(block)));
            if (earlier == Problem.NONE) {
                continue;
            }
            if (write) {
                readsBefore(node, earlier, readers);
            } else if (earlier != saw && !closure.reaches(earlier, saw)) {
                problem.edges.add(earlier, saw, Reason.OVERWRITTEN, node);
            }
        }
    }

    private void readsBefore(int write, int earlier, Readers readers) {
        for (int i = readers.first(earlier); i < readers.end(earlier); i++) {
            if (!closure.reaches(readers.read(i), write)) {
                problem.edges.add(readers.read(i), write, Reason.FROM_READ, earlier);
            }
        }
    }
}
