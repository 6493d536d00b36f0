/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.cassandra.metrics.Metric;
import org.meteorshower.cassandra.metrics.MetricSet;
import org.meteorshower.cassandra.metrics.TransactionMetrics;

/**
 * {@code meteorshower.transaction_outcomes}: the transactions of this coordinator's clients, per kind: what came of
 * them since the node's start, and the latency of the last minute. Thread-safe.
 */
public final class TransactionOutcomesView extends Show {
    private final MetricSet metrics;

    public TransactionOutcomesView(MetricSet metrics) {
        super(definition());
        this.metrics = metrics;
    }

    private static TableMetadata definition() {
        TableMetadata.Builder builder = define(
                "transaction_outcomes",
                "transactions of clients: what came of them since the start, latency of the last minute",
                "kind",
                UTF8Type.instance);
        TransactionMetrics.OUTCOMES.forEach(outcome -> builder.addRegularColumn(outcome, LongType.instance));
        return builder.addRegularColumn("latency_p50_micros", LongType.instance)
                .addRegularColumn("latency_p99_micros", LongType.instance)
                .build();
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        Map<MetricSet.Series, MetricSet.Value> all = metrics.all();
        TreeSet<String> kinds = new TreeSet<>();
        all.keySet().forEach(series -> {
            if (series.metric() == Metric.TRANSACTIONS) {
                kinds.add(series.labels().get(0));
            }
        });
        for (String kind : kinds) {
            rows.row(kind);
            for (String outcome : TransactionMetrics.OUTCOMES) {
                MetricSet.Value counted = all.get(new MetricSet.Series(Metric.TRANSACTIONS, List.of(kind, outcome)));
                rows.column(outcome, counted instanceof MetricSet.Count count ? count.value() : 0L);
            }
            ReadsView.quantiles(
                    rows, "latency", all.get(new MetricSet.Series(Metric.TRANSACTION_LATENCY_MICROS, List.of(kind))));
        }
        return rows;
    }
}
