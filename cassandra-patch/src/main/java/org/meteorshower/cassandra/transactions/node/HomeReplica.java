/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.InOurDc;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.concurrent.OpOrder;

/**
 * What can be said without a read of a partition whose only replica in this data centre is this node. Stateless,
 * thread-safe.
 */
final class HomeReplica {
    private HomeReplica() {}

    /** Whether this node is the data centre's only replica: then what it has is what the data centre has. */
    static boolean isAlone(String keyspace, DecoratedKey partition) {
        AbstractReplicationStrategy strategy = Keyspace.open(keyspace).getReplicationStrategy();
        if (!(strategy instanceof NetworkTopologyStrategy)) {
            return false;
        }
        boolean here = false;
        for (Replica replica : strategy.getNaturalReplicasForToken(partition.getToken())) {
            if (replica.isSelf()) {
                here = true;
            } else if (InOurDc.isInOurDc(replica)) {
                return false;
            }
        }
        return here;
    }

    /** Where there were to be more, a quorum may know more than the one that is left. */
    private static boolean isOnlyOne(String keyspace) {
        return Keyspace.open(keyspace).getReplicationStrategy() instanceof NetworkTopologyStrategy strategy
                && strategy.getReplicationFactor(
                                        DatabaseDescriptor.getEndpointSnitch().getLocalDatacenter())
                                .allReplicas
                        == 1;
    }

    /**
     * Whether the data centre surely has nothing of a partition: no memtable holds it, and no SSTable's filter lets it
     * pass. Most new keys are known for new by that, without a read. Where it is not sure, false. Does not block.
     */
    static boolean hasNothing(TableMetadata table, DecoratedKey partition) {
        ColumnFamilyStore store = ColumnFamilyStore.getIfExists(table);
        if (store == null || !isOnlyOne(table.keyspace) || !isAlone(table.keyspace, partition)) {
            return false;
        }
        OpOrder.Group reading = store.readOrdering.start(); // so that nothing of the view is taken away meanwhile
        try {
            ColumnFamilyStore.ViewFragment view = store.select(View.select(SSTableSet.LIVE, partition));
            for (Memtable memtable : view.memtables) {
                try (UnfilteredRowIterator held = memtable.rowIterator(partition)) {
                    if (held != null) {
                        return false;
                    }
                }
            }
            for (SSTableReader sstable : view.sstables) {
                if (sstable.mayContainAssumingKeyIsInRange(partition)) {
                    return false;
                }
            }
            return true;
        } finally {
            reading.close();
        }
    }
}
