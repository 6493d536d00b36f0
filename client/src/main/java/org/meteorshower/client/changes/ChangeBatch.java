/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.changes;

import java.util.List;

/**
 * Transactions that follow on each other, without a gap between them. Immutable.
 *
 * @param transactions in their order; may be empty
 * @param next where to go on: between the last of them and here nothing has changed. Keep it together with what was
 *     done for them
 */
public record ChangeBatch(List<ChangedTransaction> transactions, ChangePosition next) {

    public ChangeBatch {
        transactions = List.copyOf(transactions);
    }
}
