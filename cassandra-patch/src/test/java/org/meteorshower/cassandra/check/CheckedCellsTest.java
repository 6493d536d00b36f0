/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.filter.ClusteringIndexNamesFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.filter.RowFilter;
import org.apache.cassandra.db.partitions.FilteredPartition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.store.CassandraUpdate;
import org.meteorshower.cassandra.store.RowHash;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.onlinecheck.Answer;
import org.meteorshower.onlinecheck.Version;
import org.meteorshower.onlinecheck.WrittenCells;
import org.meteorshower.protocol.Update;

class CheckedCellsTest {
    private static PartitionUpdate.SimpleBuilder update(TableMetadata table, long timestamp) {
        return PartitionUpdate.simpleBuilder(table, "key").timestamp(timestamp).nowInSec(1);
    }

    private static CassandraUpdate pair(long timestamp, String value) {
        PartitionUpdate.SimpleBuilder builder = update(TestTables.PAIRS, timestamp);
        builder.row().add("a", value).add("b", null);
        return new CassandraUpdate(TestTables.ID, builder.build());
    }

    private static Answer answerOf(CassandraUpdate update, long row) {
        PartitionUpdate partition = update.partitionUpdate();
        TableMetadata table = partition.metadata();
        TreeSet<Clustering<?>> rows = new TreeSet<>(table.comparator);
        rows.add(Clustering.EMPTY);
        SinglePartitionReadCommand command = SinglePartitionReadCommand.create(
                table,
                1,
                ColumnFilter.all(table),
                RowFilter.none(),
                DataLimits.NONE,
                partition.partitionKey(),
                new ClusteringIndexNamesFilter(rows, false));
        FilteredPartition found =
                FilteredPartition.create(UnfilteredRowIterators.filter(partition.unfilteredIterator(), 1));
        return CheckedCells.of(update.key(), 3, 4, command, row, found);
    }

    @Test
    void whatIsWrittenIsFoundAgainInTheAnswer() {
        CassandraUpdate update = pair(7, "x");
        WrittenCells written = CheckedCells.of(update);
        long row = RowHash.of(Clustering.EMPTY);
        Answer answer = answerOf(update, row);

        assertThat(written.cells()).hasSize(2);
        assertThat(written.cells().values()).filteredOn(Version::live).hasSize(1);
        assertThat(written.hidesUpToMicros()).isEqualTo(WrittenCells.HIDES_NOTHING);
        assertThat(answer.cells()).hasSize(1);
        assertThat(written.cells()).containsAllEntriesOf(answer.cells());
        assertThat(answer.wholeRows()).isEqualTo(Set.of(row));
        assertThat(answer.columns()).hasSize(2);
    }

    @Test
    void anotherValueIsAnotherVersion() {
        assertThat(CheckedCells.of(pair(7, "x")).cells())
                .isNotEqualTo(CheckedCells.of(pair(7, "y")).cells());
    }

    @Test
    void aReadThatMayReturnMoreThanOneRowTellsOfNoAbsence() {
        assertThat(answerOf(pair(7, "x"), Update.ANY_ROW).wholeRows()).isEmpty();
    }

    @Test
    void deletionsOfMoreThanACellAndWhatExpiresHide() {
        PartitionUpdate.SimpleBuilder rows = update(TestTables.CART, 9);
        rows.row(3).delete();
        assertThat(CheckedCells.of(new CassandraUpdate(TestTables.ID, rows.build()))
                        .hidesUpToMicros())
                .isEqualTo(9);
        PartitionUpdate.SimpleBuilder partition = update(TestTables.PAIRS, 10);
        partition.delete();
        assertThat(CheckedCells.of(new CassandraUpdate(TestTables.ID, partition.build()))
                        .hidesUpToMicros())
                .isEqualTo(10);
        PartitionUpdate.SimpleBuilder expiring = update(TestTables.PAIRS, 11);
        expiring.row().ttl(60).add("a", "x");
        assertThat(CheckedCells.of(new CassandraUpdate(TestTables.ID, expiring.build()))
                        .hidesUpToMicros())
                .isEqualTo(11);
    }
}
