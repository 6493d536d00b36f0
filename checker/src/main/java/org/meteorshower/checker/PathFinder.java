/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Shortest paths as a reader counts them: a run of session order, version order or real time is one step, and the
 * helper nodes that stand for no operation are none. A 0-1 breadth-first search over (node, reason it was entered by).
 */
final class PathFinder {
    private static final List<Reason> REASONS = List.of(Reason.values());
    private static final int WAYS = REASONS.size() + 1; // the last: entered by nothing

    private final Problem problem;
    private final Graph graph;
    private final int[] distance;
    private final int[] enteredBy; // edge
    private final int[] enteredFrom; // state
    private final int[] touched;
    private int touchedSize;
    private long work;

    PathFinder(Problem problem, Graph graph) {
        this.problem = problem;
        this.graph = graph;
        int states = Math.multiplyExact(graph.nodes, WAYS);
        distance = new int[states];
        Arrays.fill(distance, Integer.MAX_VALUE);
        enteredBy = new int[states];
        enteredFrom = new int[states];
        touched = new int[states];
    }

    /** Edges followed so far, over all searches. */
    long work() {
        return work;
    }

    /**
     * The path of fewest hops, at least one, along edges numbered below {@code edgeLimit}; empty where there is none of
     * fewer than {@code hopLimit} hops.
     */
    List<Hop> find(int from, int to, int edgeLimit, int hopLimit) {
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        int start = from * WAYS + WAYS - 1;
        reach(start, 0, -1, -1);
        queue.add(start);
        int found = -1;
        while (!queue.isEmpty() && found < 0) {
            int state = queue.poll();
            int v = state / WAYS;
            if (v == to && state != start) {
                found = state;
                break;
            }
            for (int i = graph.offset[v]; i < graph.offset[v + 1]; i++) {
                int edge = graph.out[i];
                if (edge >= edgeLimit) {
                    break;
                }
                work++;
                int way = REASONS.indexOf(graph.edges.reason(edge));
                int cost = continues(v, state % WAYS, way) ? 0 : 1;
                int next = graph.target(i) * WAYS + way;
                int reached = distance[state] + cost;
                if (reached < distance[next] && reached < hopLimit) {
                    reach(next, reached, edge, state);
                    if (cost == 0) {
                        queue.addFirst(next);
                    } else {
                        queue.addLast(next);
                    }
                }
            }
        }
        List<Hop> hops = found < 0 ? List.of() : hops(found, start);
        for (int i = 0; i < touchedSize; i++) {
            distance[touched[i]] = Integer.MAX_VALUE;
        }
        touchedSize = 0;
        return hops;
    }

    private void reach(int state, int reached, int edge, int fromState) {
        if (distance[state] == Integer.MAX_VALUE) {
            touched[touchedSize++] = state;
        }
        distance[state] = reached;
        enteredBy[state] = edge;
        enteredFrom[state] = fromState;
    }

    private boolean continues(int node, int enteredWay, int way) {
        return problem.isHelper(node) || (enteredWay == way && REASONS.get(way).transitive());
    }

    private List<Hop> hops(int found, int start) {
        List<Hop> hops = new ArrayList<>();
        int state = found;
        while (state != start) {
            int end = state;
            int first;
            do {
                first = state;
                state = enteredFrom[state];
            } while (state != start && continues(state / WAYS, state % WAYS, first % WAYS));
            int edge = enteredBy[end];
            int firstEdge = enteredBy[first];
            hops.add(new Hop(state / WAYS, end / WAYS, graph.edges.reason(edge), graph.edges.via(firstEdge), edge));
        }
        Collections.reverse(hops);
        return hops;
    }
}
