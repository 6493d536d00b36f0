/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.cassandra.store.TestTables;

/** What a virtual table shows: each row's cells by their columns' names, as text. */
final class Shown {
    private Shown() {}

    /** To be called before a table is made. */
    static void prepare() {
        String unused = TestTables.PAIRS.name; // starts what Cassandra's schema needs
    }

    static List<Map<String, String>> by(VirtualTable table) {
        TableMetadata metadata = table.metadata();
        List<Map<String, String>> shown = new ArrayList<>();
        try (UnfilteredPartitionIterator partitions =
                table.select(DataRange.allData(metadata.partitioner), ColumnFilter.all(metadata))) {
            while (partitions.hasNext()) {
                try (UnfilteredRowIterator partition = partitions.next()) {
                    while (partition.hasNext()) {
                        shown.add(cells(metadata, partition, (Row) partition.next()));
                    }
                }
            }
        }
        return shown;
    }

    private static Map<String, String> cells(TableMetadata metadata, UnfilteredRowIterator partition, Row row) {
        Map<String, String> cells = new TreeMap<>();
        for (ColumnMetadata key : metadata.partitionKeyColumns()) {
            cells.put(
                    key.name.toString(),
                    key.type.getString(partition.partitionKey().getKey()));
        }
        for (ColumnMetadata clustering : metadata.clusteringColumns()) {
            cells.put(
                    clustering.name.toString(),
                    clustering.type.getString(row.clustering().bufferAt(clustering.position())));
        }
        for (Cell<?> cell : row.cells()) {
            cells.put(cell.column().name.toString(), cell.column().type.getString(cell.buffer()));
        }
        return cells;
    }
}
