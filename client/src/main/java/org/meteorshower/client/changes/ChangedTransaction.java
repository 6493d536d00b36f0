/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.changes;

import java.util.List;

/**
 * A transaction that has committed, with all that it has changed. Immutable.
 *
 * @param at its position: its name, by which a reader knows one that it has seen
 * @param rows each row once, by table and key
 */
public record ChangedTransaction(ChangePosition at, List<ChangedRow> rows) {

    public ChangedTransaction {
        rows = List.copyOf(rows);
    }
}
