/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataIn;
import org.meteorshower.transactions.codec.DataOut;
import org.meteorshower.transactions.codec.LanguageCodec;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;

/**
 * The rows that transactions have written, as this data centre has executed them, in versions. This, not the users'
 * tables, is what transactions go by: repairs, hints and reads with repair carry rows between data centres, which are
 * at different places in the order. A version never changes, and none that was forgotten comes back. Blocks;
 * thread-safe.
 */
final class RowVersions {
    /** Of all versions: what each holds is always the same, so it does not matter which of two writes of it wins. */
    private static final long WRITTEN = 1;

    /**
     * No edition, but where it is kept for all of them what rows were before any transaction wrote them: the users'
     * table has lost it, and a snapshot that is put into the next edition may be from before that.
     */
    static final int BASE = 0;

    private final LogKeyspace keyspace;
    private final String newest;
    private final String newestBelow;
    private final String oldest;

    RowVersions(LogKeyspace keyspace) {
        this.keyspace = keyspace;
        String from = " FROM " + keyspace.table(LogKeyspace.VERSIONS) + " WHERE edition = ? AND tbl = ? AND key = ?";
        newest = "SELECT version, content" + from + " LIMIT 1";
        newestBelow = "SELECT version, content" + from + " AND version < ? LIMIT 1";
        oldest = "SELECT version, previous" + from + " AND version >= ? ORDER BY version ASC LIMIT 1";
    }

    /** The newest version below a limit, or that there was one; null where no transaction has ever written the row. */
    @Nullable
    StoredRow read(int edition, long below, RowKey key) {
        DecoratedKey partition = partition(edition, key);
        UntypedResultSet found = newestIn(edition, key);
        if (found == null) {
            // What the first edition has of a row is never gone from it while the edition is in use.
            return edition > Recovery.FIRST_EDITION ? base(key) : null;
        } else if (found.one().getLong("version") < below) {
            return row(found.one());
        }
        found = keyspace.read(partition, newestBelow, edition, key.table(), key.key(), below);
        if (!found.isEmpty()) {
            return row(found.one());
        }
        found = keyspace.read(partition, oldest, edition, key.table(), key.key(), below);
        if (found.isEmpty()) {
            // Gone since: then the limit is one that nobody has promised to keep.
            return new StoredRow(StoredRow.PAST_GONE, Row.ABSENT);
        }
        StoredRow unkept = StoredRow.unkept(found.one().getLong("previous"), below);
        if (unkept != null) {
            return unkept;
        }
        // No transaction had written it, but users may have, and the edition may have forgotten what.
        StoredRow before = base(key);
        return before == null ? StoredRow.NEVER_WRITTEN : before;
    }

    /** Whether surely nothing is kept of the row. Where it is not sure, false. Does not block. */
    boolean hasNothing(int edition, RowKey key) {
        return hasNothingIn(edition, key) && (edition == Recovery.FIRST_EDITION || hasNothingIn(BASE, key));
    }

    private boolean hasNothingIn(int edition, RowKey key) {
        return HomeReplica.hasNothing(keyspace.metadata(LogKeyspace.VERSIONS), partition(edition, key));
    }

    /** The newest version that an edition has of a row; 0 where it has none. */
    long newest(int edition, RowKey key) {
        UntypedResultSet found = newestIn(edition, key);
        return found == null ? 0 : found.one().getLong("version");
    }

    /** The newest version that an edition has of a row; absent where it has none. */
    Row newestRow(int edition, RowKey key) {
        UntypedResultSet found = newestIn(edition, key);
        return found == null ? Row.ABSENT : row(found.one()).row();
    }

    /** Whether an edition, or what is kept for all of them, says anything of a row. */
    boolean isTold(int edition, RowKey key) {
        return newestIn(edition, key) != null || hasBase(key);
    }

    /** Null where the edition has no version of the row. */
    private @Nullable UntypedResultSet newestIn(int edition, RowKey key) {
        if (hasNothingIn(edition, key)) {
            return null;
        }
        UntypedResultSet found = keyspace.read(partition(edition, key), newest, edition, key.table(), key.key());
        return found.isEmpty() ? null : found;
    }

    /** Whether users had the row before any transaction wrote it. */
    boolean hasBase(RowKey key) {
        return base(key) != null;
    }

    /** Of those of which users had something before any transaction wrote them, what. */
    Map<RowKey, Row> bases(Set<RowKey> keys) {
        Map<RowKey, Row> bases = new HashMap<>();
        for (RowKey key : keys) {
            StoredRow base = base(key);
            if (base != null) {
                bases.put(key, base.row());
            }
        }
        return bases;
    }

    private @Nullable StoredRow base(RowKey key) {
        UntypedResultSet found = newestIn(BASE, key);
        return found == null ? null : row(found.one());
    }

    static StoredRow row(UntypedResultSet.Row row) {
        try {
            DataIn in = new DataIn(ByteBufferUtil.getArray(row.getBlob("content")));
            Row content = LanguageCodec.readRow(in);
            in.end();
            return new StoredRow(row.getLong("version"), content);
        } catch (BadDataException e) {
            throw new IllegalStateException("a row of the transactions' state is damaged: " + e.getMessage(), e);
        }
    }

    /** What is to be kept beyond the edition, before {@link #mutation}; null where that is nothing. */
    @Nullable
    Mutation baseMutation(RowWrite write) {
        Row base = write.base();
        if (base == null) {
            return null;
        }
        Mutation.SimpleBuilder mutation = Mutation.simpleBuilder(keyspace.name(), partition(BASE, write.key()));
        add(mutation.update(keyspace.metadata(LogKeyspace.VERSIONS)), StoredRow.NEVER_WRITTEN.version(), 0, base);
        return mutation.build();
    }

    /** The version, what was before any, and that older ones are forgotten: all or nothing of it. */
    Mutation mutation(int edition, RowWrite write) {
        Mutation.SimpleBuilder mutation = Mutation.simpleBuilder(keyspace.name(), partition(edition, write.key()));
        PartitionUpdate.SimpleBuilder update = mutation.update(keyspace.metadata(LogKeyspace.VERSIONS));
        if (!write.isPurge()) {
            add(update, write.row().version(), write.previous(), write.row().row());
        }
        Row base = write.base();
        if (base != null) {
            add(update, StoredRow.NEVER_WRITTEN.version(), 0, base);
        }
        if (write.forgetBelow() > 0) {
            update.addRangeTombstone(Deletions.versions(base == null ? 0 : 1, write.forgetBelow()));
        }
        return mutation.build();
    }

    private static void add(PartitionUpdate.SimpleBuilder update, long version, long previous, Row row) {
        DataOut content = new DataOut();
        LanguageCodec.write(row, content);
        update.row(version)
                .timestamp(WRITTEN)
                .add("previous", previous)
                .add("size", content.size())
                .add("content", ByteBuffer.wrap(content.toBytes()));
    }

    private DecoratedKey partition(int edition, RowKey key) {
        return keyspace.key(LogKeyspace.VERSIONS, edition, key.table(), key.key());
    }
}
