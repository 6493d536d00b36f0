/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.Map;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.transport.messages.ResultMessage;

/** A SELECT of named partitions on rows that somebody else has read. Thread-safe. */
public final class GivenRows {
    private static final SelectRunner RUNNER = new SelectRunner(new SelectInternals());

    private GivenRows() {}

    /**
     * @param asked with options without paging
     * @param partitions what there is of each; those that are missing are empty
     */
    public static ResultMessage.Rows select(RowsAsked asked, Map<DecoratedKey, PartitionUpdate> partitions) {
        return RUNNER.run(
                asked,
                command -> page -> {
                    PartitionUpdate rows = partitions.get(page.partitionKey());
                    return rows == null ? null : ImmutableBTreePartition.create(rows.unfilteredIterator());
                },
                () -> 0);
    }
}
