/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import org.meteorshower.transactions.fronts.Tokens;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.RowKey;

/**
 * How the ring is divided into ranges: the same at all nodes of a data centre, and always. Other data centres may
 * divide it otherwise. A pure function.
 */
public interface Division extends Tokens {
    /** There are so many, from 0 on. */
    int ranges();

    /** Of any token. */
    int rangeOf(long token);

    /** Of any row. */
    default int rangeOf(RowKey row) {
        return rangeOf(tokenOf(row));
    }

    /** Of all rows of a partition. */
    default int rangeOf(Partition partition) {
        return rangeOf(new RowKey(partition.table(), partition.partition()));
    }
}
