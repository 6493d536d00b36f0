/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Mutation;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.RowKey;

/**
 * Tells the keys of rows that an earlier plugin has written, which told none. Those of rows that are written meanwhile
 * are told with them. To be done while the process runs that goes on to ranges, so that no earlier plugin writes behind
 * it. Blocks; used by one thread.
 */
final class KeyBackfill {
    /** Partitions that are looked at together. */
    private static final int PAGE = 512;

    /** Between two pages that had something to tell. */
    private static final long PAUSE_NANOS = 20_000_000;

    private static final String TOKEN = "token(edition, tbl, key)";

    private final RowKeys keys;
    private final String page;

    KeyBackfill(LogKeyspace keyspace, UserTables tables) {
        this.keys = new RowKeys(keyspace, tables);
        page = "SELECT DISTINCT edition, tbl, key, " + TOKEN + " AS place FROM " + keyspace.table(LogKeyspace.VERSIONS)
                + " WHERE " + TOKEN + " > ? AND " + TOKEN + " <= ? LIMIT " + PAGE;
    }

    /** What a page of rows brings, and where the next one begins; null at the end. */
    record Page(List<Mutation> mutations, @Nullable Long next) {}

    /** @param place {@link TokenScan#BEGINNING}, or where the last page said */
    Page page(long place) {
        TokenScan.Found found = TokenScan.read(
                place, (after, to) -> QueryProcessor.execute(page, ConsistencyLevel.LOCAL_QUORUM, after, to));
        List<RowKeys.Told> told = new ArrayList<>();
        long last = place;
        for (UntypedResultSet.Row row : found.rows()) {
            told.add(new RowKeys.Told(row.getInt("edition"), new RowKey(row.getString("tbl"), row.getString("key"))));
            last = row.getLong("place");
        }
        boolean cut = found.rows().size() == PAGE;
        // Rows of one token may be cut apart: the last one of a full page is looked at again.
        Long next = cut ? Long.valueOf(Math.max(last - 1, place + 1)) : found.to() < TokenScan.END ? found.to() : null;
        return new Page(keys.ofEarlier(told), next);
    }

    /** Leaves time to others. */
    static void pause() {
        LockSupport.parkNanos(PAUSE_NANOS);
    }
}
