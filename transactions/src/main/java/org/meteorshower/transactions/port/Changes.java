/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import java.util.List;

/**
 * A piece of the change stream: everything that transactions have set from one place of the merged order up to another.
 * A function of these places. Where the stream that is stored ends before {@code from}, there is a gap, and it begins
 * anew.
 *
 * @param from the first place
 * @param below the last one is before it
 * @param rows in the merged order
 */
public record Changes(long from, long below, List<ChangedRow> rows) {
    public Changes {
        rows = List.copyOf(rows);
    }
}
