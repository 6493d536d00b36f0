/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.Metric;
import com.codahale.metrics.Reservoir;
import com.codahale.metrics.Snapshot;
import java.io.OutputStream;
import java.util.List;
import javax.management.ObjectName;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.CassandraMetricsRegistry.MetricName;

/**
 * Shows the metrics in Cassandra's registry, and so in JMX:
 * {@code org.meteorshower:type=Metrics,name=ReadLatencyMicros,keyspace=shop,table=cart,mode=sequential}. Thread-safe.
 */
public final class RegistryMirror implements MetricSet.Listener {
    private static final String GROUP = "org.meteorshower";
    private static final String TYPE = "Metrics";

    private final CassandraMetricsRegistry registry = CassandraMetricsRegistry.Metrics;

    @Override
    public void added(MetricSet.Series series, MetricSet.Value value) {
        MetricName name = nameOf(series);
        registry.remove(name); // a node that was shut down and started within one process, as tests do
        registry.register(name, shown(series, value));
    }

    @Override
    public void removed(MetricSet.Series series) {
        registry.remove(nameOf(series));
    }

    private static MetricName nameOf(MetricSet.Series series) {
        String name = series.metric().registryName();
        StringBuilder object = new StringBuilder(GROUP + ":type=" + TYPE + ",name=" + name);
        List<String> labels = series.metric().labels();
        for (int i = 0; i < labels.size(); i++) {
            String value = series.labels().get(i);
            object.append(',')
                    .append(labels.get(i))
                    .append('=')
                    .append(value.matches("[A-Za-z0-9_.-]+") ? value : ObjectName.quote(value));
        }
        // Without a scope, which must not contain the name, and tables may be called anything.
        String full = series.labels().isEmpty() ? name : name + "." + String.join(".", series.labels());
        return new MetricName(GROUP, TYPE, full, null, object.toString());
    }

    private static Metric shown(MetricSet.Series series, MetricSet.Value value) {
        if (value instanceof Distribution distribution) {
            return new ShownDistribution(distribution);
        }
        MetricSet.Figure figure = (MetricSet.Figure) value;
        return series.metric().kind() == org.meteorshower.cassandra.metrics.Metric.Kind.COUNTER
                ? new ShownCount(figure)
                : (Gauge<Long>) figure::value;
    }

    private static final class ShownCount extends Counter {
        private final MetricSet.Figure figure;

        ShownCount(MetricSet.Figure figure) {
            this.figure = figure;
        }

        @Override
        public long getCount() {
            return figure.value();
        }
    }

    private static final class ShownDistribution extends Histogram {
        private final Distribution distribution;

        ShownDistribution(Distribution distribution) {
            super(new Unused());
            this.distribution = distribution;
        }

        @Override
        public long getCount() {
            return distribution.count();
        }

        @Override
        public Snapshot getSnapshot() {
            return new LastMinute(distribution);
        }
    }

    /** Nobody adds to the histogram that is shown. */
    private static final class Unused implements Reservoir {
        @Override
        public int size() {
            return 0;
        }

        @Override
        public void update(long value) {
            throw new UnsupportedOperationException("this histogram only shows");
        }

        @Override
        public Snapshot getSnapshot() {
            throw new UnsupportedOperationException("this histogram only shows");
        }
    }

    /**
     * Quantiles of the last minute; the values are counts per bucket since the start, as in Cassandra's own histograms.
     */
    private static final class LastMinute extends Snapshot {
        private final Distribution distribution;

        LastMinute(Distribution distribution) {
            this.distribution = distribution;
        }

        @Override
        public double getValue(double quantile) {
            double micros = distribution.quantileMicros(quantile);
            return Double.isNaN(micros) ? 0 : micros;
        }

        @Override
        public long[] getValues() {
            return distribution.counts();
        }

        @Override
        public int size() {
            return Distribution.BUCKETS;
        }

        @Override
        public long getMax() {
            return Math.round(getValue(1));
        }

        @Override
        public double getMean() {
            long count = distribution.count();
            return count == 0 ? 0 : (double) distribution.sumMicros() / count;
        }

        @Override
        public long getMin() {
            return Math.round(getValue(0));
        }

        @Override
        public double getStdDev() {
            return 0; // not kept
        }

        @Override
        public void dump(OutputStream output) {
            throw new UnsupportedOperationException("this histogram only shows");
        }
    }
}
