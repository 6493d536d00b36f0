/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc.model;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.meteorshower.lab.tpcc.Key;
import org.meteorshower.lab.tpcc.Row;
import org.meteorshower.lab.transactions.model.RowLock;

/**
 * What a data centre holds: the rows of which it is the home, with their locks, and copies of all rows, which may be
 * old. On the model's thread.
 */
final class Site {
    private final String dc;
    private final Map<Key, Versioned> home = new HashMap<>();
    private final Map<Key, Versioned> copies = new HashMap<>();
    private final Map<Key, RowLock> locks = new HashMap<>();

    Site(String dc) {
        this.dc = dc;
    }

    String dc() {
        return dc;
    }

    /** The row as last committed here, its home. */
    Versioned row(Key key) {
        return home.getOrDefault(key, Versioned.NONE);
    }

    /** The row as far as this data centre has heard. */
    Versioned copy(Key key) {
        return copies.getOrDefault(key, Versioned.NONE);
    }

    RowLock lock(Key key) {
        return locks.computeIfAbsent(key, none -> new RowLock());
    }

    /** Takes in a row whose home this is. */
    void commit(Key key, Versioned row) {
        home.put(key, row);
    }

    /** Hears of what was committed, perhaps late. */
    void hear(Key key, Versioned row) {
        copies.merge(key, row, (old, now) -> now.version() > old.version() ? now : old);
    }

    /** Lets the transaction go on without any lock here, and whoever waited go on with it. */
    void release(String transaction, Collection<Key> keys) {
        for (Key key : keys) {
            RowLock lock = locks.get(key);
            if (lock != null) {
                lock.release(transaction);
                if (lock.isIdle()) {
                    locks.remove(key);
                }
            }
        }
    }

    /** Adds the rows whose home this is. */
    void tell(Map<Key, Row> all) {
        home.forEach((key, versioned) -> {
            Row row = versioned.row();
            if (row != null) {
                all.put(key, row);
            }
        });
    }
}
