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
import org.meteorshower.cassandra.metrics.TableMetrics.ReadMeter;
import org.meteorshower.cassandra.metrics.TableMetrics.ReadOutcome;
import org.meteorshower.cassandra.read.Fetches;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.Served;

/**
 * Counts a read for the plugin's own metrics, and keeps Cassandra's meaningful: counts a served read as Cassandra
 * counts its own. Used by one thread, for one request.
 */
final class ReadMetrics {
    private final long startedNanos = System.nanoTime();
    private final ClientRequestMetrics all = ClientRequestsMetricsHolder.readMetrics;
    private final ClientRequestMetrics level;
    private final TableMetadata table;
    private final ReadMeter own;

    ReadMetrics(ConsistencyLevel level, TableMetadata table, ReadMeter own) {
        this.own = own;
        this.level = ClientRequestsMetricsHolder.readMetricsForLevel(level);
        this.table = table;
    }

    void served(Fetches fetches) {
        ReadInfo info = fetches.sum();
        if (info != null) {
            own.served(
                    fetches.elsewhere() ? ReadOutcome.FORWARDED : outcomeOf(info.served()),
                    TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startedNanos),
                    info.stalenessMicros());
        }
    }

    private static ReadOutcome outcomeOf(Served served) {
        return switch (served) {
            case LOCAL -> ReadOutcome.LOCAL;
            case OLDER -> ReadOutcome.OLDER;
            case WAITED -> ReadOutcome.WAITED;
            case PULLED -> ReadOutcome.PULLED;
            case PLAIN -> ReadOutcome.PLAIN;
        };
    }

    /** @return the same, to be thrown */
    RuntimeException failed(RuntimeException refusal) {
        own.refused();
        if (refusal instanceof ReadTimeoutException) {
            all.timeouts.mark();
            level.timeouts.mark();
        } else if (refusal instanceof UnavailableException) {
            all.unavailables.mark();
            level.unavailables.mark();
        }
        return refusal;
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
