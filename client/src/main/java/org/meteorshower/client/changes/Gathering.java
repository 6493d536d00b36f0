/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.changes;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.changes.ChangeTables.StoredChange;

/** Makes transactions of rows that come in order, until a batch is full. Never cuts one in two. For one thread. */
final class Gathering {

    private static final long MOST_CHARACTERS = 4_000_000;

    private final int mostTransactions;
    private final List<ChangedTransaction> transactions = new ArrayList<>();
    private final List<ChangedRow> rows = new ArrayList<>();
    private @Nullable ChangePosition current;
    private long characters;

    Gathering(int mostTransactions) {
        this.mostTransactions = mostTransactions;
    }

    /** False, and nothing is taken, where it belongs to a transaction for which there is no room any more. */
    boolean take(StoredChange change) {
        if (!change.at().equals(current)) {
            if (isFull()) {
                return false;
            }
            complete();
            current = change.at();
        }
        ChangedRow row = change.row();
        rows.add(row);
        characters += row.table().length()
                + row.key().length()
                + (row.row() == null ? 0 : row.row().length());
        return true;
    }

    /** Whether the transaction that is taken at the moment is the last. */
    boolean isFull() {
        int begun = transactions.size() + (current == null ? 0 : 1);
        return begun >= mostTransactions || characters >= MOST_CHARACTERS;
    }

    /** Where there may be more after what was taken; only after something was. */
    ChangeBatch asFarAsTaken() {
        complete();
        return new ChangeBatch(
                transactions, transactions.get(transactions.size() - 1).at().next());
    }

    /** Where there is nothing more before that position. */
    ChangeBatch upTo(ChangePosition end) {
        complete();
        return new ChangeBatch(transactions, end);
    }

    private void complete() {
        if (current != null) {
            transactions.add(new ChangedTransaction(current, rows));
            rows.clear();
            current = null;
        }
    }
}
