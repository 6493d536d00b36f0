/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.ArrayList;
import java.util.List;

/** Picks the cycle to show: the shortest found from a bounded number of starting points. */
final class Cycles {
    private static final long WORK_LIMIT = 100_000_000L;

    private Cycles() {}

    /** A cycle of the graph, as hops between operations; the graph must have one. */
    static List<Hop> shortest(Problem problem, Graph graph) {
        int[] component = Components.smallestCyclic(graph);
        PathFinder paths = new PathFinder(problem, graph);
        List<Hop> best = List.of();
        // Strided, so that a large component is sampled all over before the work limit ends the search.
        int stride = Math.max(1, component.length / 64);
        for (int first = 0; first < stride; first++) {
            for (int i = first; i < component.length; i += stride) {
                if (problem.isHelper(component[i])) {
                    continue;
                }
                int limit = best.isEmpty() ? Integer.MAX_VALUE : best.size();
                List<Hop> cycle = paths.find(component[i], component[i], Integer.MAX_VALUE, limit);
                if (!cycle.isEmpty() && (best.isEmpty() || cycle.size() < best.size())) {
                    best = cycle;
                }
                if (!best.isEmpty() && (best.size() <= 2 || paths.work() > WORK_LIMIT)) {
                    return joinEnds(best);
                }
            }
        }
        return joinEnds(best);
    }

    /** A run that the starting point cut in two becomes one hop again. */
    private static List<Hop> joinEnds(List<Hop> cycle) {
        Hop first = cycle.get(0);
        Hop last = cycle.get(cycle.size() - 1);
        if (cycle.size() < 3
                || first.reason() != last.reason()
                || !first.reason().transitive()) {
            return cycle;
        }
        List<Hop> joined = new ArrayList<>(cycle.subList(1, cycle.size() - 1));
        joined.add(new Hop(last.from(), first.to(), last.reason(), last.via(), Math.max(first.edge(), last.edge())));
        return joined;
    }
}
