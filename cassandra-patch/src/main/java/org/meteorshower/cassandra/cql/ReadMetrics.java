/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.ReadTimeoutException;
import org.apache.cassandra.exceptions.UnavailableException;
import org.apache.cassandra.metrics.ClientRequestMetrics;
import org.apache.cassandra.metrics.ClientRequestsMetricsHolder;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;

/** Keeps Cassandra's own figures of client reads meaningful: counts a served read as Cassandra counts its own. */
final class ReadMetrics {
    private final long startedNanos = System.nanoTime();
    private final ClientRequestMetrics all = ClientRequestsMetricsHolder.readMetrics;
    private final ClientRequestMetrics level;
    private final TableMetadata table;

    ReadMetrics(ConsistencyLevel level, TableMetadata table) {
        this.level = ClientRequestsMetricsHolder.readMetricsForLevel(level);
        this.table = table;
    }

    void failed(RuntimeException refusal) {
        if (refusal instanceof ReadTimeoutException) {
            all.timeouts.mark();
            level.timeouts.mark();
        } else if (refusal instanceof UnavailableException) {
            all.unavailables.mark();
            level.unavailables.mark();
        }
    }

    void done() {
        long nanos = System.nanoTime() - startedNanos;
        all.addNano(nanos);
        level.addNano(nanos);
        ColumnFamilyStore store = Schema.instance.getColumnFamilyStoreInstance(table.id);
        if (store != null) {
            store.metric.coordinatorReadLatency.update(nanos, TimeUnit.NANOSECONDS);
        }
    }
}
