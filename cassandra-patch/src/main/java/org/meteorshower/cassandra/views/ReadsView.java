/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.metrics.Distribution;
import org.meteorshower.cassandra.metrics.Metric;
import org.meteorshower.cassandra.metrics.MetricSet;
import org.meteorshower.cassandra.metrics.TableMetrics;

/**
 * {@code meteorshower.reads}: what this coordinator's clients have read, per table and mode: how it was served since
 * the node's start, and latency and staleness of the last minute. Thread-safe.
 */
public final class ReadsView extends Show {
    private final MetricSet metrics;

    public ReadsView(MetricSet metrics) {
        super(definition());
        this.metrics = metrics;
    }

    private static TableMetadata definition() {
        TableMetadata.Builder builder = define(
                        "reads",
                        "reads of clients: how they were served since the start, latency and staleness of the last minute",
                        "keyspace_name",
                        UTF8Type.instance)
                .addClusteringColumn("table_name", UTF8Type.instance)
                .addClusteringColumn("mode", UTF8Type.instance);
        for (TableMetrics.ReadOutcome outcome : TableMetrics.ReadOutcome.values()) {
            builder.addRegularColumn(lower(outcome), LongType.instance);
        }
        for (String of : List.of("latency", "staleness")) {
            builder.addRegularColumn(of + "_p50_micros", LongType.instance);
            builder.addRegularColumn(of + "_p99_micros", LongType.instance);
        }
        return builder.build();
    }

    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        Map<MetricSet.Series, MetricSet.Value> all = metrics.all();
        Map<String, List<String>> read = new TreeMap<>();
        all.keySet().forEach(series -> {
            if (series.metric() == Metric.READ_LATENCY_MICROS) {
                read.put(series.labels().toString(), series.labels());
            }
        });
        read.values().forEach(labels -> {
            rows.row(labels.toArray());
            for (TableMetrics.ReadOutcome outcome : TableMetrics.ReadOutcome.values()) {
                List<String> counted = List.of(labels.get(0), labels.get(1), labels.get(2), lower(outcome));
                if (all.get(new MetricSet.Series(Metric.READS, counted)) instanceof MetricSet.Count count) {
                    rows.column(lower(outcome), count.value());
                }
            }
            quantiles(rows, "latency", all.get(new MetricSet.Series(Metric.READ_LATENCY_MICROS, labels)));
            quantiles(rows, "staleness", all.get(new MetricSet.Series(Metric.READ_STALENESS_MICROS, labels)));
        });
        return rows;
    }

    static void quantiles(SimpleDataSet rows, String of, MetricSet.@Nullable Value value) {
        if (value instanceof Distribution distribution) {
            set(rows, of + "_p50_micros", micros(distribution.quantileMicros(0.5)));
            set(rows, of + "_p99_micros", micros(distribution.quantileMicros(0.99)));
        }
    }
}
