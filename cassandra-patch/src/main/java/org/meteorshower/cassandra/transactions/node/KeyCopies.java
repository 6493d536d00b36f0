/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.meteorshower.transactions.language.RowKey;

/**
 * Tells the keys of rows that users had before transactions, for all editions: once those of a table are told, ranges
 * need not look into the users' table any more, where whatever was deleted stands in their way for days. Thread-safe.
 */
final class KeyCopies {
    private final RowKeys keys;
    private final UserTables tables;
    private final StoreThreads threads;
    private final Housekeeping housekeeping;
    private final Set<String> copied = ConcurrentHashMap.newKeySet();
    private final Set<String> begun = ConcurrentHashMap.newKeySet();

    KeyCopies(RowKeys keys, UserTables tables, StoreThreads threads, Housekeeping housekeeping) {
        this.keys = keys;
        this.tables = tables;
        this.threads = threads;
        this.housekeeping = housekeeping;
    }

    /** Whether all of a table's are told. If not it is begun with. Blocks as long as a read takes. */
    boolean has(String table) {
        if (copied.contains(table)) {
            return true;
        } else if (begun.contains(table)) {
            return false;
        } else if (keys.isCopied(table)) {
            copied.add(table);
            return true;
        }
        if (begun.add(table)) {
            housekeeping.behind(() -> copy(table));
        }
        return false;
    }

    /** Behind what is under way, where it has not begun. Does not block. */
    void begin(List<String> tables) {
        for (String table : tables) {
            if (!copied.contains(table) && begun.add(table)) {
                housekeeping.behind(() -> copyIfNeeded(table));
            }
        }
    }

    /** As far as it is known here already. */
    boolean haveAll(List<String> tables) {
        return copied.containsAll(tables);
    }

    private void copyIfNeeded(String table) {
        if (threads.tried("see whose keys are told", () -> keys.isCopied(table))) {
            copied.add(table);
        } else {
            copy(table);
        }
    }

    private void copy(String table) {
        for (long place = TokenScan.BEGINNING; place != TokenScan.END; ) {
            long from = place;
            place = threads.tried("look for rows of before", () -> tables.walk(table, from, this::tell));
        }
        housekeeping.write(List.of(keys.copied(table)));
        copied.add(table);
    }

    private void tell(List<RowKey> page) {
        housekeeping.write(keys.ofEarlier(page.stream()
                .map(key -> new RowKeys.Told(RowVersions.BASE, key))
                .toList()));
    }
}
