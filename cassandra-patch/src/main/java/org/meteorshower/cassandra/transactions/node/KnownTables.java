/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.TransactionOptions;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.transactions.language.RowKey;

/**
 * The tables that rows belong to. A transaction may be executed here before the schema that it was written for has
 * come: then it has to wait, since all data centres must read the same. Thread-safe.
 */
final class KnownTables {
    /** A table of which nothing is heard for so long was dropped. */
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private static final int MOST_MISSING = 10_000;

    record Known(TableMetadata metadata, long baseMicros) {}

    private final Map<TableId, Long> missingSinceNanos = new ConcurrentHashMap<>();

    /** Null for what belongs to no table, such as sessions, and for tables that take no part, or none yet. */
    @Nullable
    Known now(RowKey key) {
        TableId id = id(key);
        TableMetadata table = id == null ? null : Schema.instance.getTableMetadata(id);
        TransactionOptions options = table == null ? null : TransactionTables.options(table);
        return table == null || options == null || !options.hasBegun() ? null : new Known(table, options.baseMicros());
    }

    /**
     * The same, for who cannot go on without.
     *
     * @throws IllegalStateException if the table may still come; to be tried again
     */
    @Nullable
    Known awaited(RowKey key) {
        TableId id = id(key);
        Known known = now(key);
        if (id == null || known != null) {
            return known;
        }
        if (missingSinceNanos.size() >= MOST_MISSING) {
            missingSinceNanos.clear();
        }
        long now = System.nanoTime();
        if (now - missingSinceNanos.computeIfAbsent(id, i -> now) < PATIENCE_NANOS) {
            throw new IllegalStateException("table " + id + " is not known here, or not as one that takes part");
        }
        return null;
    }

    private static @Nullable TableId id(RowKey key) {
        try {
            return TableId.fromString(key.table());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
