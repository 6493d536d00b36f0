/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import org.apache.cassandra.locator.LocalStrategy;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/** Which tables can be enabled. */
public final class Eligibility {
    private Eligibility() {}

    /** Why the table cannot be enabled, as the rest of a sentence that begins with its name; null if it can. */
    public static @Nullable String obstacle(KeyspaceMetadata keyspace, TableMetadata table) {
        if (SchemaConstants.isSystemKeyspace(table.keyspace) || keyspace.isVirtual()) {
            return "belongs to Cassandra itself";
        }
        if (keyspace.params.replication.klass.equals(LocalStrategy.class)) {
            return "is in a keyspace that is not replicated (LocalStrategy)";
        }
        if (keyspace.createReplicationStrategy().hasTransientReplicas()) {
            return "is in a keyspace with transient replicas: alter the keyspace to full replicas first";
        }
        if (table.isCounter()) {
            return "holds counters, whose increments have no timestamps to order them by";
        }
        if (table.isView()) {
            return "is a materialized view: enable a table";
        }
        if (keyspace.views.forTable(table.id).iterator().hasNext()) {
            return "has materialized views, which are written apart from it: drop them first";
        }
        if (!table.triggers.isEmpty()) {
            return "has triggers, which write behind the coordinator's back: drop them first";
        }
        if (table.params.gcGraceSeconds <= 0) {
            return "has gc_grace_seconds = 0, so that deletions can be forgotten before all replicas know of them:"
                    + " set it to more than the time between repairs";
        }
        if (table.params.memtable.factory().writesShouldSkipCommitLog()) {
            return "has a memtable that skips the commit log, so that an acknowledged write may be lost";
        }
        if (!keyspace.params.durableWrites) {
            return "is in a keyspace with durable_writes = false, so that an acknowledged write may be lost";
        }
        return null;
    }
}
