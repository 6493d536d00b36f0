/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.Set;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.index.internal.CassandraIndex;
import org.apache.cassandra.index.sai.StorageAttachedIndex;
import org.apache.cassandra.schema.IndexMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.ReadMode;

/**
 * Which SELECTs that do not name their partitions can be served at a cut. A partition that was written meanwhile is
 * read without the index and filtered row by row, so the index must find just the rows that pass the filter.
 */
public final class ScanRules {
    /** Options of an index that do not change which rows it finds. */
    private static final Set<String> HARMLESS = Set.of("target", "class_name");

    private ScanRules() {}

    /** What keeps the SELECT from being served, as the end of a sentence; null where nothing does. */
    public static @Nullable String obstacle(SelectStatement select, QueryOptions options, ReadMode mode) {
        if (select.getRestrictions().isTopK()) {
            return "it asks for the nearest rows (ANN), and which rows those displaced that were written meanwhile is"
                    + " not known";
        } else if (mode.kind() != ReadMode.Kind.SEQUENTIAL) {
            return "it asks for another mode than sequential, and scans are served in that mode alone";
        } else if (select.parameters.isDistinct) {
            return "it is DISTINCT: read the keys without that word and drop repetitions in the client";
        } else if (!select.parameters.groups.isEmpty()) {
            return "it has GROUP BY: read the rows and group them in the client";
        } else if (select.getPerPartitionLimit(options) != DataLimits.NO_LIMIT) {
            return "it has PER PARTITION LIMIT: read the rows and drop what is too much in the client";
        }
        return null;
    }

    /** @throws InvalidRequestException if it goes by an index that finds other rows than the filter lets pass */
    static void requireServable(ReadCommand command) {
        Index.QueryPlan plan = command.indexQueryPlan();
        if (plan == null) {
            return;
        }
        for (Index index : plan.getIndexes()) {
            IndexMetadata metadata = index.getIndexMetadata();
            boolean known = index instanceof CassandraIndex || index instanceof StorageAttachedIndex;
            if (!known || !HARMLESS.containsAll(metadata.options.keySet())) {
                throw new InvalidRequestException("MeteorShower: index " + metadata.name
                        + (known ? " changes what it finds (" + metadata.options.keySet() + ")" : " is of another kind")
                        + ", so rows that were just written cannot be held against it: of tables with ranges=served, SAI"
                        + " without an analyzer and Cassandra's own secondary indexes are used. Read at LOCAL_QUORUM or"
                        + " ONE with Cassandra's own guarantees, or set ranges=cassandra for this table");
            }
        }
    }
}
