/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Arrays;

/** Finds the smallest strongly connected component of more than one node (Tarjan 1972, without recursion). */
final class Components {
    private final Graph graph;
    private final int[] index; // 0: not visited, else the order of visiting, from 1
    private final int[] low;
    private final boolean[] onStack;
    private final int[] stack;
    private final int[] path;
    private final int[] nextOut;
    private int visited;
    private int stackSize;
    private int[] smallest = {};

    private Components(Graph graph) {
        this.graph = graph;
        index = new int[graph.nodes];
        low = new int[graph.nodes];
        onStack = new boolean[graph.nodes];
        stack = new int[graph.nodes];
        path = new int[graph.nodes];
        nextOut = Arrays.copyOf(graph.offset, graph.nodes);
    }

    /** Its nodes; none where the graph has no cycle. */
    static int[] smallestCyclic(Graph graph) {
        Components components = new Components(graph);
        for (int v = 0; v < graph.nodes; v++) {
            if (components.index[v] == 0) {
                components.visit(v);
            }
        }
        return components.smallest;
    }

    private void visit(int root) {
        int depth = 0;
        path[0] = root;
        open(root);
        while (depth >= 0) {
            int v = path[depth];
            if (nextOut[v] < graph.offset[v + 1]) {
                int w = graph.target(nextOut[v]++);
                if (index[w] == 0) {
                    path[++depth] = w;
                    open(w);
                } else if (onStack[w]) {
                    low[v] = Math.min(low[v], index[w]);
                }
            } else {
                if (low[v] == index[v]) {
                    close(v);
                }
                if (--depth >= 0) {
                    low[path[depth]] = Math.min(low[path[depth]], low[v]);
                }
            }
        }
    }

    private void open(int v) {
        index[v] = ++visited;
        low[v] = visited;
        stack[stackSize++] = v;
        onStack[v] = true;
    }

    private void close(int v) {
        int end = stackSize;
        do {
            onStack[stack[--stackSize]] = false;
        } while (stack[stackSize] != v);
        int size = end - stackSize;
        if (size > 1 && (smallest.length == 0 || size < smallest.length)) {
            smallest = Arrays.copyOfRange(stack, stackSize, end);
        }
    }
}
