/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.meteorshower.lab.transactions.Account;

/**
 * What a data centre holds: the rows of which it is the home, with their locks, and copies of all rows, which may be
 * old. On the model's thread.
 */
final class Site {
    private final String dc;
    private final Map<Integer, Account> home = new HashMap<>();
    private final Map<Integer, Account> copies = new HashMap<>();
    private final Map<Integer, RowLock> locks = new HashMap<>();

    Site(String dc) {
        this.dc = dc;
    }

    String dc() {
        return dc;
    }

    /** The row as last committed here, its home. */
    Account row(int row) {
        return of(home, row);
    }

    /** The row as far as this data centre has heard. */
    Account copy(int row) {
        return of(copies, row);
    }

    private Account of(Map<Integer, Account> rows, int row) {
        Account found = rows.get(row);
        if (found == null) {
            throw new IllegalStateException("row " + row + " was not loaded in " + dc);
        }
        return found;
    }

    RowLock lock(int row) {
        return locks.computeIfAbsent(row, none -> new RowLock());
    }

    /** Takes in what was committed of rows whose home this is. */
    void commit(List<Account> written) {
        written.forEach(account -> home.put(account.row(), account));
    }

    /** Hears of what was committed, perhaps late. */
    void hear(List<Account> written) {
        for (Account account : written) {
            copies.merge(account.row(), account, (old, now) -> now.version() > old.version() ? now : old);
        }
    }

    /** Lets the transaction go on without any lock here, and whoever waited go on with it. */
    void release(String transaction, List<Integer> rows) {
        rows.forEach(row -> lock(row).release(transaction));
    }
}
