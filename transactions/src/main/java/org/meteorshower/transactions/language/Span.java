/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.Set;

/** Some of a partition's rows, which it has to itself when it runs: from one bound to another. */
public sealed interface Span permits Range, ComputedRange {
    Partition partition();

    /** As many are taken; {@link Range#ALL} for all, or {@link Range#MANY}. */
    int most();

    /** The same with all rows, of which there may be many: to be deleted. */
    Span many();

    /** The same with all rows. */
    Span all();

    /** Whether it names one row by all that it is ordered by. */
    boolean isRow();

    /** Adds the rows that its bounds are computed from. */
    void addRows(Set<RowKey> rows);

    /** About how many bytes it takes on the heap, see {@link Weight}. */
    int weight();

    /** What a transaction with it has to itself. */
    default Claim claim() {
        int rows =
                switch (most()) {
                    case Range.ALL -> Range.MOST_ROWS + 1;
                    case Range.MANY -> Range.MOST_DELETED + 1;
                    default -> most();
                };
        return new Claim(partition(), isRow() ? 1 : rows, !isRow());
    }
}
