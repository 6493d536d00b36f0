/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.util.Map;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.WriteType;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.PartitionKey;

/**
 * A write into enabled tables that may be done: of one statement, or of a batch. Used by one thread.
 *
 * @param measured the table that it is counted for: of several, the first
 * @param keys each partition of an enabled table that it writes, with the bytes given to it
 * @param level that Cassandra writes at, perhaps a higher one than was asked for
 */
record Write(
        TableMetadata measured,
        WriteType type,
        ConsistencyLevel level,
        Map<PartitionKey, Long> keys,
        Execution execution) {

    /** Cassandra's part of it. */
    @FunctionalInterface
    interface Execution {
        /** As of Cassandra's statements, which answer a write with null; the timestamp is every cell's. */
        @Nullable
        ResultMessage at(long timestampMicros);
    }

    ResultMessage executeAt(long timestampMicros) {
        ResultMessage response = execution.at(timestampMicros);
        return response == null ? new ResultMessage.Void() : response;
    }
}
