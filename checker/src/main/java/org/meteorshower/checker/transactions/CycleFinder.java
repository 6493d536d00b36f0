/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker.transactions;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds cycles in a graph of which only some kinds of edges count. */
final class CycleFinder {
    private final Dependencies graph;
    private final Predicate<Dependencies.Why> counts;
    private final int[] component;

    CycleFinder(Dependencies graph, Predicate<Dependencies.Why> counts) {
        this.graph = graph;
        this.counts = counts;
        this.component = components();
    }

    /** A short cycle; null where there is none. */
    @Nullable
    List<Dependencies.Edge> any() {
        for (int node = 0; node < graph.nodes(); node++) {
            for (Dependencies.Edge edge : graph.from(node)) {
                if (counts.test(edge.why()) && component[edge.from()] == component[edge.to()]) {
                    return closing(edge);
                }
            }
        }
        return null;
    }

    /**
     * The shortest way from the edge's end back to its beginning, with the edge before it; null where there is none.
     */
    @Nullable
    List<Dependencies.Edge> closing(Dependencies.Edge edge) {
        Dependencies.Edge[] reachedBy = new Dependencies.Edge[graph.nodes()];
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        queue.add(edge.to());
        while (!queue.isEmpty()) {
            for (Dependencies.Edge next : graph.from(queue.poll())) {
                if (counts.test(next.why()) && reachedBy[next.to()] == null && next.to() != edge.to()) {
                    reachedBy[next.to()] = next;
                    if (next.to() == edge.from()) {
                        return path(edge, reachedBy);
                    }
                    queue.add(next.to());
                }
            }
        }
        return null;
    }

    private static List<Dependencies.Edge> path(Dependencies.Edge first, Dependencies.Edge[] reachedBy) {
        ArrayList<Dependencies.Edge> path = new ArrayList<>();
        for (int node = first.from(); node != first.to(); node = reachedBy[node].from()) {
            path.add(0, reachedBy[node]);
        }
        path.add(0, first);
        return path;
    }

    /** Strongly connected components, by Tarjan's algorithm without recursion. */
    private int[] components() {
        int nodes = graph.nodes();
        int[] index = new int[nodes];
        int[] low = new int[nodes];
        int[] found = new int[nodes];
        int[] nextEdge = new int[nodes];
        boolean[] onStack = new boolean[nodes];
        Arrays.fill(found, -1);
        ArrayDeque<Integer> stack = new ArrayDeque<>();
        ArrayDeque<Integer> path = new ArrayDeque<>();
        int visited = 0;
        for (int root = 0; root < nodes; root++) {
            if (index[root] == 0) {
                path.push(root);
            }
            while (!path.isEmpty()) {
                int node = path.peek();
                if (index[node] == 0) {
                    index[node] = ++visited;
                    low[node] = visited;
                    stack.push(node);
                    onStack[node] = true;
                }
                List<Dependencies.Edge> edges = graph.from(node);
                boolean descended = false;
                while (nextEdge[node] < edges.size() && !descended) {
                    Dependencies.Edge edge = edges.get(nextEdge[node]++);
                    boolean isCounted = counts.test(edge.why());
                    if (isCounted && index[edge.to()] == 0) {
                        path.push(edge.to());
                        descended = true;
                    } else if (isCounted && onStack[edge.to()]) {
                        low[node] = Math.min(low[node], index[edge.to()]);
                    }
                }
                if (!descended) {
                    path.pop();
                    if (!path.isEmpty()) {
                        low[path.peek()] = Math.min(low[path.peek()], low[node]);
                    }
                    for (int member = -1; low[node] == index[node] && member != node; ) {
                        member = stack.pop();
                        onStack[member] = false;
                        found[member] = node;
                    }
                }
            }
        }
        return found;
    }
}
