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

    /** Of a row of which nothing ends. */
    public static final long NEVER = Long.MAX_VALUE;

    public Row {
        columns = Collections.unmodifiableSortedMap(new TreeMap<>(columns));
    }

    public boolean exists() {
        return !columns.isEmpty();
    }

    /** {@link Value#NOTHING} where the column is not set. What ends and has not been taken away is as any other. */
    public Value get(String column) {
        Value held = columns.getOrDefault(column, Value.NOTHING);
        return held instanceof Value.Expiring expiring ? expiring.value() : held;
    }

    /** When the first of its values ends, in milliseconds since 1970; {@link #NEVER} where none does. */
    public long endsFirst() {
        long first = NEVER;
        for (Value value : columns.values()) {
            if (value instanceof Value.Expiring expiring) {
                first = Math.min(first, expiring.untilMillis());
            }
        }
        return first;
    }

    /** The row without what has ended by then. */
    public Row withoutEnded(long byMillis) {
        if (endsFirst() > byMillis) {
            return this;
        }
        TreeMap<String, Value> left = new TreeMap<>(columns);
        left.values().removeIf(value -> value instanceof Value.Expiring expiring && expiring.untilMillis() <= byMillis);
        return new Row(left);
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
