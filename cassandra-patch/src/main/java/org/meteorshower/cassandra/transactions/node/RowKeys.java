/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.filter.TombstoneOverwhelmingException;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.exceptions.ReadFailureException;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.RowOrder;
import org.meteorshower.transactions.port.RowWrite;

/**
 * Which rows an edition has versions of, by partition and in the order of its table: what {@link RowVersions} are not
 * kept by. The users' table does not tell: it may have lost a row to what another data centre has executed already, and
 * repairs and hints have carried here. There may be keys of rows that are not there any more, never the other way
 * round. A key is written with the version with which the row comes, and deleted with the one that is purged, so that
 * the row may come again, also while the purge is under way. Stateless, thread-safe.
 */
final class RowKeys {
    /** Keys are written together up to about so many bytes. */
    private static final int BYTES_TOGETHER = 256 << 10;

    /** Below all versions. Also of what is kept beyond editions, which nobody deletes. */
    private static final long EARLIEST = 1;

    /** How often a read is cut in half: as many bits of a place. */
    private static final int MOST_HALVES = 64;

    /** No edition: of which tables all keys of earlier rows are told. */
    private static final int COPIES = -1;

    private final LogKeyspace keyspace;
    private final UserTables tables;
    private final String forward;
    private final String backward;

    RowKeys(LogKeyspace keyspace, UserTables tables) {
        this.keyspace = keyspace;
        this.tables = tables;
        String select = "SELECT place, key FROM " + keyspace.table(LogKeyspace.KEYS)
                + " WHERE edition = ? AND tbl = ? AND part = ? AND place > ? AND place < ? ORDER BY place ";
        forward = select + "ASC LIMIT ?";
        backward = select + "DESC LIMIT ?";
    }

    private record Partition(int edition, String table, String part) {}

    private record Placed(PlacedKey key, long version) {
        int weight() {
            return key.place().remaining() + key.key().key().length();
        }
    }

    /**
     * What has to be there before the users' table has the rows: keys of those that come, or come again, and of those
     * of which something is kept beyond the edition.
     */
    List<Mutation> ofNew(int edition, List<RowWrite> rows) {
        Map<Partition, List<Placed>> keys = new LinkedHashMap<>();
        for (RowWrite row : rows) {
            if (row.isPurge()) {
                continue;
            }
            if (row.isNew() || row.base() != null) {
                add(keys, edition, row.key(), row.row().version());
            }
            if (row.base() != null) {
                add(keys, RowVersions.BASE, row.key(), EARLIEST);
            }
        }
        return mutations(keys, false);
    }

    /** Whether {@link #copied} is there. Blocks. */
    boolean isCopied(String table) {
        return !keyspace.read(
                        key(copy(table)),
                        "SELECT place FROM " + keyspace.table(LogKeyspace.KEYS)
                                + " WHERE edition = ? AND tbl = ? AND part = ? LIMIT 1",
                        COPIES,
                        table,
                        "")
                .isEmpty();
    }

    /** What says that the keys of all rows that users had before transactions are told of a table. */
    Mutation copied(String table) {
        Mutation.SimpleBuilder mutation = Mutation.simpleBuilder(keyspace.name(), key(copy(table)));
        mutation.update(keyspace.metadata(LogKeyspace.KEYS))
                .row(ByteBuffer.allocate(1), "")
                .timestamp(EARLIEST);
        return mutation.build();
    }

    private static Partition copy(String table) {
        return new Partition(COPIES, table, "");
    }

    /** A row of an edition. */
    record Told(int edition, RowKey key) {}

    /** Of rows that there are already: whoever purges one of them meanwhile, or later, prevails. */
    List<Mutation> ofEarlier(List<Told> rows) {
        Map<Partition, List<Placed>> keys = new LinkedHashMap<>();
        rows.forEach(row -> add(keys, row.edition, row.key, EARLIEST));
        return mutations(keys, false);
    }

    /**
     * To be written when the versions are gone: as long as there is one, the row's next one is not the first.
     *
     * @param purges of the edition
     */
    List<Mutation> ofPurged(int edition, List<RowWrite> purges) {
        Map<Partition, List<Placed>> keys = new LinkedHashMap<>();
        for (RowWrite purge : purges) {
            add(keys, edition, purge.key(), purge.row().version());
        }
        return mutations(keys, true);
    }

    private void add(Map<Partition, List<Placed>> keys, int edition, RowKey key, long version) {
        String part = RowOrder.partition(key);
        ByteBuffer place = part == null ? null : tables.place(key);
        if (part != null && place != null) {
            keys.computeIfAbsent(new Partition(edition, key.table(), part), partition -> new ArrayList<>())
                    .add(new Placed(new PlacedKey(place, key), version));
        }
    }

    private List<Mutation> mutations(Map<Partition, List<Placed>> keys, boolean deleted) {
        List<Mutation> mutations = new ArrayList<>();
        keys.forEach((partition, placed) -> {
            int from = 0;
            long bytes = 0;
            for (int i = 0; i < placed.size(); i++) {
                bytes += placed.get(i).weight();
                if (bytes > BYTES_TOGETHER || i == placed.size() - 1) {
                    mutations.add(mutation(partition, placed.subList(from, i + 1), deleted));
                    from = i + 1;
                    bytes = 0;
                }
            }
        });
        return mutations;
    }

    private Mutation mutation(Partition partition, List<Placed> keys, boolean deleted) {
        Mutation.SimpleBuilder mutation = Mutation.simpleBuilder(keyspace.name(), key(partition));
        PartitionUpdate.SimpleBuilder update = mutation.update(keyspace.metadata(LogKeyspace.KEYS));
        for (Placed each : keys) {
            Row.SimpleBuilder row = update.row(
                            each.key.place().duplicate(), each.key.key().key())
                    .timestamp(each.version);
            if (deleted) {
                row.delete();
            }
        }
        return mutation.build();
    }

    /**
     * Deletes the keys of a row's partition, of an edition that nobody reads any more; null where it surely has none,
     * since nothing names the row in it.
     */
    @Nullable
    Mutation deletion(int edition, RowKey key) {
        String part = RowOrder.partition(key);
        return part == null || key.key().length() == part.length() + 1
                ? null
                : new Mutation(PartitionUpdate.fullPartitionDelete(
                        keyspace.metadata(LogKeyspace.KEYS),
                        key(new Partition(edition, key.table(), part)),
                        Deletions.TIMESTAMP,
                        FBUtilities.nowInSeconds()));
    }

    /**
     * As the range is read, at most so many. Where Cassandra refuses a read because of what was deleted, one half of it
     * is read after the other: that may take seconds, but it does not stand still until all is compacted. Blocks.
     */
    List<PlacedKey> read(int edition, Range range, Stretch stretch, int most) {
        DecoratedKey partition = key(new Partition(
                edition, range.partition().table(), range.partition().partition()));
        return HomeReplica.hasNothing(keyspace.metadata(LogKeyspace.KEYS), partition)
                ? List.of()
                : read(partition, edition, range, stretch, most, MOST_HALVES);
    }

    private List<PlacedKey> read(
            DecoratedKey partition, int edition, Range range, Stretch stretch, int most, int halves) {
        try {
            return read(partition, edition, range, stretch, most);
        } catch (TombstoneOverwhelmingException | ReadFailureException e) {
            ByteBuffer middle = halves > 0 && hasMetTooMany(e) ? stretch.middle() : null;
            if (middle == null) {
                throw new IllegalStateException("keys cannot be read: " + e, e);
            }
            Stretch low = stretch.upTo(middle);
            Stretch high = stretch.behind(middle, false);
            List<PlacedKey> keys =
                    new ArrayList<>(read(partition, edition, range, range.backward() ? high : low, most, halves - 1));
            if (keys.size() < most) {
                Stretch rest = range.backward() ? low : high;
                keys.addAll(read(partition, edition, range, rest, most - keys.size(), halves - 1));
            }
            return keys;
        }
    }

    private static boolean hasMetTooMany(RuntimeException e) {
        return !(e instanceof ReadFailureException failed)
                || failed.failureReasonByEndpoint.containsValue(RequestFailureReason.READ_TOO_MANY_TOMBSTONES);
    }

    private List<PlacedKey> read(DecoratedKey partition, int edition, Range range, Stretch stretch, int most) {
        List<PlacedKey> keys = new ArrayList<>();
        for (UntypedResultSet.Row row : keyspace.read(
                partition,
                range.backward() ? backward : forward,
                edition,
                range.partition().table(),
                range.partition().partition(),
                stretch.above().duplicate(),
                stretch.below().duplicate(),
                most)) {
            keys.add(new PlacedKey(
                    row.getBlob("place"), new RowKey(range.partition().table(), row.getString("key"))));
        }
        return keys;
    }

    private DecoratedKey key(Partition partition) {
        return keyspace.key(LogKeyspace.KEYS, partition.edition, partition.table, partition.part);
    }
}
