/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.partitions.PartitionIterator;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.RowIterator;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.utils.NoSpamLogger;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.RowForm;
import org.meteorshower.cassandra.transactions.TransactionOptions;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.StoredRow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users' tables, in this data centre. A row's write timestamp is the time of the enabling and, in microseconds, the number of the entry
 * that wrote it: the same in all data centres, after what was there before, and ordered as the entries are. Entries are fewer than
 * microseconds, so the clock stays ahead of it, and who writes after a table has been taken out is not overruled.
 * Blocks; thread-safe.
 */
final class CassandraTables implements UserTables {
    private static final Logger log = LoggerFactory.getLogger(CassandraTables.class);

    @Override
    public StoredRow read(RowKey key) {
        TableMetadata table = table(key);
        TransactionOptions options = table == null ? null : TransactionOptions.of(table);
        if (table == null || options == null) {
            return StoredRow.NEVER_WRITTEN;
        }
        // As of the enabling, so that all data centres take the same rows for expired.
        long nowSeconds = TimeUnit.MICROSECONDS.toSeconds(options.baseMicros());
        DecoratedKey partition = table.partitioner.decorateKey(RowForm.partitionKeyOf(key));
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
                return StoredRow.NEVER_WRITTEN;
            }
            try (RowIterator rows = partitions.next()) {
                org.apache.cassandra.db.rows.Row row =
                        isStatic ? rows.staticRow() : rows.hasNext() ? rows.next() : null;
                return new StoredRow(version(row, options.baseMicros()), RowForm.fromCassandra(table, row, nowSeconds));
            }
        }
    }

    /**
     * 0 for a row that was there before the table took part. A row that was written later, though no transaction of this data centre
     * has, came from another data centre by a repair, or from the process that has replaced this one: the core stops at it.
     */
    private static long version(org.apache.cassandra.db.rows.@Nullable Row row, long baseMicros) {
        if (row == null) {
            return 0;
        }
        long newestMicros = row.primaryKeyLivenessInfo().timestamp();
        for (Cell<?> cell : row.cells()) {
            newestMicros = Math.max(newestMicros, cell.timestamp());
        }
        return Version.ofEntry(Math.max(0, newestMicros - baseMicros));
    }

    @Override
    public List<Mutation> mutations(RowKey key, StoredRow row) {
        TableMetadata table = table(key);
        TransactionOptions options = table == null ? null : TransactionOptions.of(table);
        if (table == null || options == null) {
            return List.of();
        }
        try {
            long micros = options.baseMicros() + Version.entry(row.version());
            return List.of(new Mutation(RowForm.toUpdate(table, key, row.row(), micros)));
        } catch (RuntimeException e) {
            NoSpamLogger.log(
                    log,
                    NoSpamLogger.Level.ERROR,
                    10,
                    TimeUnit.SECONDS,
                    "MeteorShower transactions: row {} does not fit into table {}; transactions go on with it, but who reads"
                            + " the table does not see it: {}",
                    key,
                    table,
                    e.toString());
            return List.of();
        }
    }

    /** Null for what belongs to no table: sessions, and tables that were dropped. */
    private static @Nullable TableMetadata table(RowKey key) {
        try {
            return Schema.instance.getTableMetadata(TableId.fromString(key.table()));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
