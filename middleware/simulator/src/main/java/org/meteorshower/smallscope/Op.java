/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One operation of a session.
 *
 * @param node where the session issues it
 * @param write the values to write, by cell number (row * 100 + column); empty for a read
 * @param row the row to read
 */
record Op(int node, int partition, SortedMap<Integer, String> write, int row) {
    static Op write(int node, int partition, int cell, String value) {
        return new Op(node, partition, new TreeMap<>(), 0).and(cell, value);
    }

    /** The same, and this cell too. */
    Op and(int cell, String value) {
        SortedMap<Integer, String> cells = new TreeMap<>(write);
        cells.put(cell, value);
        return new Op(node, partition, cells, row);
    }

    static Op read(int node, int partition, int row) {
        return new Op(node, partition, new TreeMap<>(), row);
    }

    boolean isWrite() {
        return !write.isEmpty();
    }
}
