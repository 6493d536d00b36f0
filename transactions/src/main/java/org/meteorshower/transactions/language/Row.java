/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a row holds: values by column, in the order of the columns' names. A row without values does not exist.
 * Immutable.
 */
public record Row(SortedMap<String, Value> columns) {
    public static final Row ABSENT = new Row(new TreeMap<>());

    public Row {
        columns = Collections.unmodifiableSortedMap(new TreeMap<>(columns));
    }

    public boolean exists() {
        return !columns.isEmpty();
    }

    /** {@link Value#NOTHING} where the column is not set. */
    public Value get(String column) {
        return columns.getOrDefault(column, Value.NOTHING);
    }

    /** The row with this column set; {@link Value#NOTHING} takes the column away. */
    public Row with(String column, Value value) {
        TreeMap<String, Value> changed = new TreeMap<>(columns);
        if (value.equals(Value.NOTHING)) {
            changed.remove(column);
        } else {
            changed.put(column, value);
        }
        return new Row(changed);
    }

    @Override
    public String toString() {
        return columns.toString();
    }
}
