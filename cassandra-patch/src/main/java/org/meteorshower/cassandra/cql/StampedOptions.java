/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.db.ConsistencyLevel;

/** A write's options with the timestamp that MeteorShower gave it, in place of the one that the driver proposed. */
final class StampedOptions {
    private StampedOptions() {}

    static QueryOptions of(QueryOptions options, ConsistencyLevel level, long timestampMicros) {
        return QueryOptions.create(
                level,
                options.getValues(),
                options.skipMetadata(),
                options.getPageSize(),
                options.getPagingState(),
                options.getSerialConsistency(),
                options.getProtocolVersion(),
                options.getKeyspace(),
                timestampMicros,
                // Expiry and deletion times follow the timestamp, and so are the same for a write and its order.
                timestampMicros / 1_000_000);
    }

    /** Of a batch, whose statements keep their values. */
    static BatchQueryOptions of(
            BatchStatement batch, BatchQueryOptions options, ConsistencyLevel level, long timestampMicros) {
        List<ModificationStatement> statements = batch.getStatements();
        List<List<ByteBuffer>> values = new ArrayList<>(statements.size());
        for (int i = 0; i < statements.size(); i++) {
            values.add(options.forStatement(i).getValues());
        }
        QueryOptions first = options.forStatement(0);
        QueryOptions stamped = QueryOptions.create(
                level,
                List.of(),
                first.skipMetadata(),
                first.getPageSize(),
                first.getPagingState(),
                options.getSerialConsistency(),
                first.getProtocolVersion(),
                options.getKeyspace(),
                timestampMicros,
                timestampMicros / 1_000_000);
        return BatchQueryOptions.withPerStatementVariables(stamped, values, options.getQueryOrIdList());
    }
}
