/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Arrays;

/** A set of nodes with insertion and removal in constant time, and listing in no particular order. */
final class NodeSet {
    private final int[] position; // per node: index in items, or -1
    private int[] items = new int[16];
    private int size;

    NodeSet(int nodes) {
        position = new int[nodes];
        Arrays.fill(position, -1);
    }

    void add(int node) {
        if (size == items.length) {
            items = Arrays.copyOf(items, size * 2);
        }
        position[node] = size;
        items[size++] = node;
    }

    boolean remove(int node) {
        int at = position[node];
        if (at < 0) {
            return false;
        }
        int moved = items[--size];
        items[at] = moved;
        position[moved] = at;
        position[node] = -1;
        return true;
    }

    int size() {
        return size;
    }

    int get(int index) {
        return items[index];
    }
}
