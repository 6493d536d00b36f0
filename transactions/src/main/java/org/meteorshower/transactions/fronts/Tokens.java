/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.fronts;

import org.meteorshower.transactions.language.RowKey;

/**
 * Where rows are on the ring: the same at all nodes of all data centres, and always. A pure function, of any key that
 * may stand in an entry, also of one that is nobody's. A key without a row names a partition, and is where its rows
 * are.
 */
public interface Tokens {
    long tokenOf(RowKey row);
}
