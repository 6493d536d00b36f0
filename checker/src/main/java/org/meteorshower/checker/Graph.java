/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Arrays;

/** Edges by the node they leave: those of node v are {@code out[offset[v]]} to {@code out[offset[v + 1] - 1]}. */
final class Graph {
    final Edges edges;
    final int nodes;
    final int[] offset;
    final int[] out; // edge numbers, ascending within a node

    Graph(Edges edges, int nodes) {
        this.edges = edges;
        this.nodes = nodes;
        offset = new int[nodes + 1];
        for (int e = 0; e < edges.size(); e++) {
            offset[edges.from(e) + 1]++;
        }
        for (int v = 0; v < nodes; v++) {
            offset[v + 1] += offset[v];
        }
        out = new int[edges.size()];
        int[] next = offset.clone();
        for (int e = 0; e < edges.size(); e++) {
            out[next[edges.from(e)]++] = e;
        }
    }

    int target(int position) {
        return edges.to(out[position]);
    }

    int[] inDegrees() {
        int[] degrees = new int[nodes];
        for (int e = 0; e < edges.size(); e++) {
            degrees[edges.to(e)]++;
        }
        return degrees;
    }

    /** The nodes in an order that all edges agree with; shorter than {@link #nodes} where there is a cycle. */
    int[] topologicalOrder() {
        int[] missing = inDegrees();
        int[] order = new int[nodes];
        int size = 0;
        for (int v = 0; v < nodes; v++) {
            if (missing[v] == 0) {
                order[size++] = v;
            }
        }
        for (int done = 0; done < size; done++) {
            int v = order[done];
            for (int i = offset[v]; i < offset[v + 1]; i++) {
                if (--missing[target(i)] == 0) {
                    order[size++] = target(i);
                }
            }
        }
        return size == nodes ? order : Arrays.copyOf(order, size);
    }
}
