/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.Map;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.messages.ResultMessage;

/** A SELECT of named partitions on rows that somebody else has read. Thread-safe. */
public final class GivenRows {
    private static final SelectRunner RUNNER = new SelectRunner(new SelectInternals());

    private GivenRows() {}

    /**
     * @param options without paging
     * @param partitions what there is of each; those that are missing are empty
     */
    public static ResultMessage.Rows select(
            SelectStatement select,
            QueryOptions options,
            ClientState client,
            boolean unmask,
            Map<DecoratedKey, PartitionUpdate> partitions) {
        return RUNNER.run(
                select,
                options,
                client,
                unmask,
                0,
                command -> asked -> {
                    PartitionUpdate rows = partitions.get(asked.partitionKey());
                    return rows == null ? null : ImmutableBTreePartition.create(rows.unfilteredIterator());
                },
                () -> 0);
    }
}
