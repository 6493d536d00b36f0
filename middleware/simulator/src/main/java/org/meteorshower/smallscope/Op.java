/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.Map;
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
    static Op write(int node, int partition, Map<Integer, String> cells) {
        return new Op(node, partition, new TreeMap<>(cells), 0);
    }

    static Op read(int node, int partition, int row) {
        return new Op(node, partition, new TreeMap<>(), row);
    }

    boolean isWrite() {
        return !write.isEmpty();
    }
}
