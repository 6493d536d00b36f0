/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import org.meteorshower.transactions.language.RowKey;

/** How rows are divided into ranges: the same at all nodes of a data centre, and always. A pure function. */
public interface Division {
    /** There are so many, from 0 on. */
    int ranges();

    int rangeOf(RowKey row);
}
