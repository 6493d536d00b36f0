/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.Optional;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.memtable.ShardedSkipListMemtable;
import org.apache.cassandra.db.memtable.SkipListMemtable;
import org.apache.cassandra.db.memtable.TrieMemtable;
import org.apache.cassandra.schema.TableMetadata;

/**
 * What a table of this node holds at one moment, told apart from what it holds at another without a read: two equal
 * stamps, and no write was completed between them. Immutable.
 *
 * <p>Whatever comes from files (a flush, a compaction, a stream) comes with another view. Whatever is written goes to
 * one of the view's memtables, which counts it after it can be read and before its writer is told.
 *
 * @param view compared by identity, as it has no other equality
 * @param operations that its memtables have ever taken
 */
record LocalStamp(View view, long operations) {
    /** Empty where this node does not have the table (any more), or has it in memtables that are not Cassandra's. */
    static Optional<LocalStamp> of(TableMetadata table) {
        ColumnFamilyStore store = ColumnFamilyStore.getIfExists(table);
        return store == null ? Optional.empty() : of(store.getTracker().getView());
    }

    private static Optional<LocalStamp> of(View view) {
        long operations = 0;
        for (Memtable memtable : view.getAllMemtables()) { // what was begun before a switch goes to the one before
            if (!counts(memtable)) {
                return Optional.empty();
            }
            operations += memtable.operationCount();
        }
        return Optional.of(new LocalStamp(view, operations));
    }

    /** Whether it is known to count as is said above. */
    private static boolean counts(Memtable memtable) {
        return memtable instanceof SkipListMemtable
                || memtable instanceof TrieMemtable
                || memtable instanceof ShardedSkipListMemtable;
    }
}
