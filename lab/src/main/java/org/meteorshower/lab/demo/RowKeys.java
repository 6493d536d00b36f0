/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.HashMap;
import java.util.Map;

/** The rows' names in the history: table and number. Made once, for a history repeats them often. Immutable. */
final class RowKeys {
    private final int rows;
    private final Map<String, String[]> byTable = new HashMap<>();

    RowKeys(int rows) {
        this.rows = rows;
        for (Mode mode : Mode.values()) {
            byTable.computeIfAbsent(mode.table(), table -> {
                String[] keys = new String[rows];
                for (int row = 0; row < rows; row++) {
                    keys[row] = table + "/" + row;
                }
                return keys;
            });
        }
    }

    int rows() {
        return rows;
    }

    String of(Mode mode, int row) {
        String[] keys = byTable.get(mode.table());
        if (keys == null) {
            throw new IllegalArgumentException("no table " + mode.table());
        }
        return keys[row];
    }
}
