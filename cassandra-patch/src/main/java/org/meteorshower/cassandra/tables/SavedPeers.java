/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.List;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.utils.concurrent.Future;

/**
 * What Cassandra has saved of the other nodes. When a node starts, its snitch reads their data centres from there
 * before the commit log is replayed: one that has joined since the last flush is taken for one of an unknown data
 * centre, and the ring for another one than the epoch's, until it is heard. By then this node would have forgotten its
 * records.
 */
final class SavedPeers {
    private SavedPeers() {}

    /** Has them written to files; does not wait for that. */
    static void flush() {
        for (String table : List.of("peers_v2", "peers")) {
            ColumnFamilyStore peers = ColumnFamilyStore.getIfExists(SchemaConstants.SYSTEM_KEYSPACE_NAME, table);
            if (peers != null) {
                Future<?> unused = peers.forceFlush(ColumnFamilyStore.FlushReason.INTERNALLY_FORCED);
            }
        }
    }
}
