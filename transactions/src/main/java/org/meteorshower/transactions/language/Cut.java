/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.List;

/**
 * A place between the rows of a partition, in their order whichever way they are read.
 *
 * @param values of the first columns that rows are ordered by; none stands for all rows
 * @param behind whether it is behind the rows that have these, or before them
 */
public record Cut(List<Value.Typed> values, boolean behind) {
    public Cut {
        values = List.copyOf(values);
    }

    /** As they stand, of rows in this order. */
    public int compareTo(Cut other, RowOrder order) {
        int byValues = order.compare(values, other.values);
        if (byValues != 0) {
            return byValues;
        } else if (values.size() == other.values.size()) {
            return Boolean.compare(behind, other.behind);
        }
        boolean isWider = values.size() < other.values.size();
        return (isWider ? behind : !other.behind) ? 1 : -1;
    }
}
