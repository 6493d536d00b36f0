/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.cassandra.metrics.Metric;
import org.meteorshower.cassandra.metrics.MetricSet;
import org.meteorshower.cassandra.metrics.TableMetrics;

/**
 * {@code meteorshower.writes}: what this coordinator's clients have written, per table: what came of it since the
 * node's start, and the latency of the last minute. Thread-safe.
 */
public final class WritesView extends Show {
    private final MetricSet metrics;

    public WritesView(MetricSet metrics) {
        super(definition());
        this.metrics = metrics;
    }

    private static TableMetadata definition() {
        TableMetadata.Builder builder = define(
                        "writes",
                        "writes of clients: what came of them since the start, latency of the last minute",
                        "keyspace_name",
                        UTF8Type.instance)
                .addClusteringColumn("table_name", UTF8Type.instance);
        for (TableMetrics.WriteOutcome outcome : TableMetrics.WriteOutcome.values()) {
            builder.addRegularColumn(ReadsView.lower(outcome), LongType.instance);
        }
        return builder.addRegularColumn("latency_p50_micros", LongType.instance)
                .addRegularColumn("latency_p99_micros", LongType.instance)
                .build();
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        Map<MetricSet.Series, MetricSet.Value> all = metrics.all();
        all.forEach((series, value) -> {
            if (series.metric() != Metric.WRITE_LATENCY_MICROS) {
                return;
            }
            List<String> labels = series.labels();
            rows.row(labels.toArray());
            for (TableMetrics.WriteOutcome outcome : TableMetrics.WriteOutcome.values()) {
                List<String> counted = List.of(labels.get(0), labels.get(1), ReadsView.lower(outcome));
                if (all.get(new MetricSet.Series(Metric.WRITES, counted)) instanceof MetricSet.Count count) {
                    rows.column(ReadsView.lower(outcome), count.value());
                }
            }
            ReadsView.quantiles(rows, "latency", value);
        });
        return rows;
    }
}
