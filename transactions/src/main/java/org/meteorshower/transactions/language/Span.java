/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.Set;

/** Some of a partition's rows, which it has to itself when it runs: from one bound to another. */
public sealed interface Span permits Range, ComputedRange {
    Partition partition();

    /** As many are taken; {@link Range#ALL} for all. */
    int most();

    /** Whether it names one row by all that it is ordered by. */
    boolean isRow();

    /** Adds the rows that its bounds are computed from. */
    void addRows(Set<RowKey> rows);

    /** About how many bytes it takes on the heap, see {@link Weight}. */
    int weight();

    /** What a transaction with it has to itself. */
    default Claim claim() {
        return new Claim(partition(), isRow() ? 1 : most() == Range.ALL ? Range.MOST_ROWS + 1 : most(), !isRow());
    }
}
