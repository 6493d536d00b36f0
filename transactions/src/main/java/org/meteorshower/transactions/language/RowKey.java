/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

/** Names a row. Rows are visited in this order, so that no two transactions wait for each other. */
public record RowKey(String table, String key) implements Comparable<RowKey> {
    @Override
    public int compareTo(RowKey other) {
        int byTable = table.compareTo(other.table);
        return byTable != 0 ? byTable : key.compareTo(other.key);
    }

    @Override
    public String toString() {
        return table + "/" + key;
    }
}
