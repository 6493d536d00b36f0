/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.partitions.PartitionIterator;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.RowIterator;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.service.pager.PagingState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.utils.NoSpamLogger;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.RangeForm;
import org.meteorshower.cassandra.transactions.RowForm;
import org.meteorshower.cassandra.transactions.RowJson;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.StoredRow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users' tables, in this data centre. A row's write timestamp is the time of the enabling and, in microseconds, the
 * number of the entry that wrote it: the same in all data centres, after what was there before, and ordered as the
 * entries are. Entries are fewer than microseconds, so the clock stays ahead of it, and who writes after a table has
 * been taken out is not overruled. Blocks; thread-safe.
 */
final class CassandraTables implements UserTables {
    private static final Logger log = LoggerFactory.getLogger(CassandraTables.class);

    /** A clustering column takes 64 KB. */
    private static final int MOST_KEY_CHARACTERS = 20_000;

    /** A row has to fit into a write of the commit log, with as many before it: three bytes a character at most. */
    private static final int PART_OF_A_WRITE = 8;

    /** Partitions that are looked for together, and keys that are told together, where a table is walked through. */
    private static final int WALKED = 256;

    private static final int TOLD = 1_000;

    private final KnownTables known = new KnownTables();

    @Override
    public Found read(RowKey key) {
        KnownTables.Known table = known.awaited(key);
        if (table == null) {
            return Found.NOTHING;
        }
        long nowSeconds = nowSeconds(table);
        Row row = read(table.metadata(), key, nowSeconds);
        if (row == null) {
            return Found.NOTHING;
        }
        Row before = until(table.baseMicros(), row);
        return new Found(RowForm.fromCassandra(table.metadata(), before, nowSeconds), before != row);
    }

    /** As of the enabling, so that all data centres take the same cells for expired. */
    private static long nowSeconds(KnownTables.Known table) {
        return TimeUnit.MICROSECONDS.toSeconds(table.baseMicros());
    }

    @Override
    public boolean hasNothing(RowKey key) {
        KnownTables.Known table = known.now(key);
        return table != null && HomeReplica.hasNothing(table.metadata(), partition(table.metadata(), key));
    }

    private static DecoratedKey partition(TableMetadata table, RowKey key) {
        return table.partitioner.decorateKey(RowForm.partitionKeyOf(key));
    }

    private static @Nullable Row read(TableMetadata table, RowKey key, long nowSeconds) {
        DecoratedKey partition = partition(table, key);
        if (HomeReplica.hasNothing(table, partition)) {
            return null;
        }
        Clustering<?> clustering = RowForm.clusteringOf(table, key);
        boolean isStatic = clustering == Clustering.STATIC_CLUSTERING;
        SinglePartitionReadCommand command = isStatic
                ? SinglePartitionReadCommand.create(table, nowSeconds, partition, Slices.NONE)
                : SinglePartitionReadCommand.create(table, nowSeconds, partition, clustering);
        try (PartitionIterator partitions = StorageProxy.read(
                SinglePartitionReadCommand.Group.create(List.of(command), DataLimits.NONE),
                ConsistencyLevel.LOCAL_QUORUM,
                Dispatcher.RequestTime.forImmediateExecution())) {
            if (!partitions.hasNext()) {
                return null;
            }
            try (RowIterator rows = partitions.next()) {
                if (isStatic) {
                    return rows.staticRow();
                }
                return rows.hasNext() ? rows.next() : null;
            }
        }
    }

    /** The row without what was written later; the very same where nothing was. */
    private static Row until(long micros, Row row) {
        boolean later = row.primaryKeyLivenessInfo().timestamp() > micros;
        for (Cell<?> cell : row.cells()) {
            later |= cell.timestamp() > micros;
        }
        if (!later) {
            return row;
        }
        Row.Builder builder = BTreeRow.unsortedBuilder();
        builder.newRow(row.clustering());
        if (row.primaryKeyLivenessInfo().timestamp() <= micros) {
            builder.addPrimaryKeyLivenessInfo(row.primaryKeyLivenessInfo());
        }
        for (Cell<?> cell : row.cells()) {
            if (cell.timestamp() <= micros) {
                builder.addCell(cell);
            }
        }
        return builder.build();
    }

    @Override
    public Object partition(RowKey key) {
        int end = key.key().indexOf('.');
        return end < 0 ? key : new RowKey(key.table(), key.key().substring(0, end));
    }

    @Override
    public @Nullable ByteBuffer place(RowKey key) {
        KnownTables.Known table = known.now(key);
        if (table == null || !hasOrder(table)) {
            return null;
        }
        try {
            Clustering<?> clustering = RowForm.clusteringOf(table.metadata(), key);
            return clustering == Clustering.STATIC_CLUSTERING ? null : RangeSlice.place(table.metadata(), clustering);
        } catch (RuntimeException e) {
            return null; // A key that does not fit into the table is in no range of it.
        }
    }

    private static boolean hasOrder(KnownTables.Known table) {
        return table.metadata().comparator.size() > 0;
    }

    @Override
    public Stretch stretch(Range range, @Nullable RowKey after) {
        KnownTables.Known table = ordered(range);
        return table == null
                ? Stretch.EVERYTHING
                : RangeSlice.of(table.metadata(), range, after).stretch();
    }

    @Override
    public List<PlacedKey> keys(Range range, @Nullable RowKey after, int most) {
        KnownTables.Known table = ordered(range);
        return table == null
                ? List.of()
                : RangeSlice.of(table.metadata(), range, after).read(nowSeconds(table), most);
    }

    @Override
    public long walk(String table, long place, Consumer<List<RowKey>> told) {
        KnownTables.Known walked = known.awaited(new RowKey(table, ""));
        if (walked == null || !hasOrder(walked) || !RangeForm.hasOrder(walked.metadata())) {
            return TokenScan.END;
        }
        List<DecoratedKey> partitions = PartitionWalk.keys(walked.metadata(), nowSeconds(walked), place, WALKED);
        for (DecoratedKey partition : partitions) {
            walk(walked, partition, told);
        }
        return partitions.size() < WALKED ? TokenScan.END : PartitionWalk.place(partitions.get(WALKED - 1));
    }

    private void walk(KnownTables.Known table, DecoratedKey partition, Consumer<List<RowKey>> told) {
        Range all = RangeForm.of(table.metadata(), partition.getKey(), Slice.ALL, false, Range.ALL);
        RowKey after = null;
        while (true) {
            List<RowKey> page =
                    keys(all, after, TOLD).stream().map(PlacedKey::key).toList();
            if (!page.isEmpty()) {
                told.accept(page);
            }
            if (page.size() < TOLD) {
                return;
            }
            after = page.get(page.size() - 1);
        }
    }

    @Override
    public WrittenPage written(String table, @Nullable PagingState place, int most) {
        KnownTables.Known walked = known.awaited(new RowKey(table, ""));
        return walked == null ? WrittenPage.NOTHING : WrittenRows.page(walked, place, most);
    }

    private KnownTables.@Nullable Known ordered(Range range) {
        KnownTables.Known table = known.awaited(
                new RowKey(range.partition().table(), range.partition().partition()));
        return table == null || !hasOrder(table) ? null : table;
    }

    @Override
    public @Nullable Shown shown(RowKey key, org.meteorshower.transactions.language.Row row) {
        KnownTables.Known table = known.now(key);
        if (table == null) {
            return null;
        }
        TableMetadata metadata = table.metadata();
        return new Shown(metadata.keyspace + "." + metadata.name, shownKey(metadata, key), shownRow(metadata, row));
    }

    private static String shownKey(TableMetadata table, RowKey key) {
        try {
            String words = RowJson.key(table, key);
            return words.length() <= MOST_KEY_CHARACTERS
                    ? words
                    : RowJson.leftOut("a key of " + words.length() + " characters, number " + key.hashCode());
        } catch (RuntimeException e) {
            return RowJson.leftOut("key " + key.key().hashCode() + ": " + e);
        }
    }

    /** Who follows the stream is told where something cannot be; the transactions go on. */
    private static @Nullable String shownRow(TableMetadata table, org.meteorshower.transactions.language.Row row) {
        try {
            String words = RowJson.row(table, row);
            return words == null || words.length() <= DatabaseDescriptor.getMaxMutationSize() / PART_OF_A_WRITE
                    ? words
                    : RowJson.leftOut("a row of " + words.length() + " characters");
        } catch (RuntimeException e) {
            return RowJson.leftOut("a row that does not fit into its table: " + e);
        }
    }

    @Override
    public List<Mutation> mutations(RowKey key, StoredRow row) {
        KnownTables.Known table = known.now(key);
        if (table == null) {
            return List.of();
        }
        try {
            long micros = table.baseMicros() + Version.entry(row.version());
            return List.of(new Mutation(RowForm.toUpdate(table.metadata(), key, row.row(), micros)));
        } catch (RuntimeException e) {
            NoSpamLogger.log(
                    log,
                    NoSpamLogger.Level.ERROR,
                    10,
                    TimeUnit.SECONDS,
                    "MeteorShower transactions: row {} does not fit into table {}; transactions go on with it, but who reads"
                            + " the table does not see it: {}",
                    key,
                    table.metadata(),
                    e.toString());
            return List.of();
        }
    }
}
