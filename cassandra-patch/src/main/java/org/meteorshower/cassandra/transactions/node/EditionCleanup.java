/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.service.pager.PagingState;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.StoredRow;

/**
 * Deletes the rows of editions that nobody reads any more, and of users' tables what the edition in use has not,
 * slowly. What a replica that was down, or a late hint, brings back of them does no harm: no edition is used again. It
 * is noted how far that was done, not where in an edition: a restart begins it again. Blocks; used by one thread.
 */
final class EditionCleanup {
    private static final String FORGOTTEN = "forgotten";

    /** Partitions that are looked at together. */
    private static final int PAGE = 256;

    /** Rows of a users' table, before it is known how large they are. */
    private static final int FEW = 8;

    /** Of rows of a users' table that are looked at together, about. */
    private static final long PAGE_BYTES = 1 << 20;

    /** Between two pages: about a thousand rows a second are deleted. */
    private static final long PAUSE_NANOS = 200_000_000;

    private static final String TOKEN = "token(edition, tbl, key)";

    private final LogKeyspace keyspace;
    private final RowVersions versions;
    private final RowKeys keys;
    private final UserTables tables;
    private final String page;

    EditionCleanup(LogKeyspace keyspace, UserTables tables) {
        this.keyspace = keyspace;
        this.versions = new RowVersions(keyspace);
        this.keys = new RowKeys(keyspace, tables);
        this.tables = tables;
        page = "SELECT DISTINCT edition, tbl, key, " + TOKEN + " AS place FROM " + keyspace.table(LogKeyspace.VERSIONS)
                + " WHERE " + TOKEN + " > ? AND " + TOKEN + " <= ? LIMIT "
                + PAGE;
    }

    /** Whether there may be any. */
    boolean isNeeded(int below) {
        if (below <= Recovery.FIRST_EDITION) {
            return false;
        }
        UntypedResultSet noted = keyspace.read(
                keyspace.key("checkpoints", LogKeyspace.PARTITION),
                "SELECT content FROM " + keyspace.table("checkpoints") + " WHERE part = " + LogKeyspace.PARTITION
                        + " AND kind = '" + FORGOTTEN + "'");
        return noted.isEmpty() || noted.one().getBlob("content").duplicate().getInt() < below;
    }

    /** The deletions of a page, in this order, and where the next one begins; null at the end. */
    record Page(List<Mutation> deletions, @Nullable Long next) {}

    /**
     * @param count of merged entries that the edition in use has, at least
     * @param place {@link TokenScan#BEGINNING}, or where the last page said
     */
    Page page(int below, long count, long place) {
        TokenScan.Found found = TokenScan.read(
                place, (after, to) -> QueryProcessor.execute(page, ConsistencyLevel.LOCAL_QUORUM, after, to));
        List<Mutation> deletions = new ArrayList<>();
        Map<DecoratedKey, Mutation> ofKeys = new LinkedHashMap<>();
        long last = place;
        for (UntypedResultSet.Row row : found.rows()) {
            int edition = row.getInt("edition");
            if (edition < below && edition != RowVersions.BASE) {
                RowKey key = new RowKey(row.getString("tbl"), row.getString("key"));
                deletions.addAll(inUsersTable(below, count, edition, key));
                deletions.add(deletion(keyspace.key(LogKeyspace.VERSIONS, edition, key.table(), key.key())));
                Mutation itsKeys = keys.deletion(edition, key);
                if (itsKeys != null) {
                    ofKeys.putIfAbsent(itsKeys.key(), itsKeys);
                }
            }
            last = row.getLong("place");
        }
        deletions.addAll(0, ofKeys.values()); // found by their rows, and so gone before these
        // Two rows of one token, cut apart here, are so few that one may stay.
        boolean cut = found.rows().size() == PAGE;
        return new Page(deletions, cut ? Long.valueOf(last) : found.to() < TokenScan.END ? found.to() : null);
    }

    /**
     * What the edition in use does not have, of entries that it has, was deleted since and forgotten by who gave it.
     * With the version that put it there, so that it takes nothing away that is written later.
     */
    private List<Mutation> inUsersTable(int inUse, long count, int edition, RowKey key) {
        long version = versions.newest(edition, key);
        boolean isGone = version > 0 && version < Version.endOf(count) && versions.newest(inUse, key) == 0;
        return isGone ? tables.mutations(key, new StoredRow(version, Row.ABSENT)) : List.of();
    }

    /**
     * What of a users' table is to be deleted.
     *
     * @param next where the next page begins; null at the end
     * @param most rows that it should have, so that it takes about as much heap whatever they take
     */
    record Strays(List<Mutation> deletions, @Nullable PagingState next, int most) {}

    /**
     * Rows that came into a users' table by Cassandra's own ways, such as a repair, while this data centre lagged, of
     * entries that it has now: the edition in use would have them if they had not been deleted since, and forgotten
     * where the edition came from. No earlier edition has ever heard of them.
     *
     * @param last null for the table's beginning
     */
    Strays strays(int inUse, long count, String table, @Nullable Strays last) {
        int most = last == null ? FEW : last.most();
        UserTables.WrittenPage page = tables.written(table, last == null ? null : last.next(), most);
        List<Mutation> deletions = new ArrayList<>();
        for (UserTables.Written row : page.rows()) {
            if (row.entry() <= count && !versions.isTold(inUse, row.key())) {
                deletions.addAll(tables.mutations(row.key(), new StoredRow(Version.ofEntry(row.entry()), Row.ABSENT)));
            }
        }
        long fit = PAGE_BYTES * most / Math.max(1, page.bytes());
        return new Strays(deletions, page.next(), (int) Math.max(1, Math.min(Math.min(PAGE, 2L * most), fit)));
    }

    private Mutation deletion(DecoratedKey partition) {
        return new Mutation(PartitionUpdate.fullPartitionDelete(
                keyspace.metadata(LogKeyspace.VERSIONS), partition, Deletions.TIMESTAMP, FBUtilities.nowInSeconds()));
    }

    /** What says that there are none any more. */
    Mutation done(int below) {
        Mutation.SimpleBuilder note =
                Mutation.simpleBuilder(keyspace.name(), keyspace.key("checkpoints", LogKeyspace.PARTITION));
        note.update(keyspace.metadata("checkpoints"))
                .row(FORGOTTEN)
                .timestamp(below)
                .add("content", ByteBuffer.allocate(Integer.BYTES).putInt(0, below));
        return note.build();
    }

    /** Leaves time to others. */
    static void pause() {
        LockSupport.parkNanos(PAUSE_NANOS);
    }
}
