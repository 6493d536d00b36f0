/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.List;
import java.util.function.Consumer;

/** Decides a problem: a cycle among what is evident, then among what follows from it, then a search for an order. */
final class Engine {
    private Engine() {}

    static Finding run(Problem problem, CheckLimits limits) {
        return run(problem, limits, order -> {});
    }

    /** @param found gets the order that shows the problem to be consistent: nodes, helpers among them */
    static Finding run(Problem problem, CheckLimits limits, Consumer<int[]> found) {
        int evident = problem.edges.size();
        Graph graph = new Graph(problem.edges, problem.nodes);
        int[] order = graph.topologicalOrder();
        if (order.length < graph.nodes) {
            return cycle(problem, graph, evident);
        }
        if (problem.loose.isEmpty()) {
            found.accept(order);
            return of(Finding.Kind.CONSISTENT, problem, graph, evident);
        }
        Saturation saturation = Saturation.run(problem, graph, order);
        if (saturation.contradiction() != Problem.NONE) {
            return new Finding(
                    Finding.Kind.UNEXPLAINED_NULL,
                    problem,
                    saturation.graph(),
                    evident,
                    List.of(),
                    saturation.contradiction());
        }
        graph = saturation.graph();
        if (graph.topologicalOrder().length < graph.nodes) {
            return cycle(problem, graph, evident);
        }
        WriteRanks ranks = new WriteRanks(problem);
        if (GuidedRun.findsOrder(problem, graph, saturation.closure(), ranks, limits.searchSteps(), found)) {
            return of(Finding.Kind.CONSISTENT, problem, graph, evident);
        }
        Finding.Kind kind =
                switch (OrderSearch.run(problem, graph, ranks, limits.searchSteps(), found)) {
                    case FOUND -> Finding.Kind.CONSISTENT;
                    case NONE -> Finding.Kind.NO_ORDER;
                    case GAVE_UP -> Finding.Kind.UNDECIDED;
                };
        return of(kind, problem, graph, evident);
    }

    private static Finding cycle(Problem problem, Graph graph, int evident) {
        List<Hop> cycle = Cycles.shortest(problem, graph);
        return new Finding(Finding.Kind.CYCLE, problem, graph, evident, cycle, Problem.NONE);
    }

    private static Finding of(Finding.Kind kind, Problem problem, Graph graph, int evident) {
        return new Finding(kind, problem, graph, evident, List.of(), Problem.NONE);
    }
}
