/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Histogram;
import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.junit.jupiter.api.Test;

class RegistryMirrorTest {
    private final MetricSet set = new MetricSet(new RegistryMirror());
    private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();

    @Test
    void countersGaugesAndDistributionsAreInTheRegistryAndInJmxAsLongAsTheyAreThere() throws Exception {
        set.count(Metric.READS, "shop", "cart", "strict", "local").increment();
        set.distribution(Metric.READ_LATENCY_MICROS, "shop", "cart", "strict").add(900);
        try (MetricSet.Look look = set.look()) {
            look.set(Metric.PEER_LAG_MICROS, 61_500, "10.0.0.1:7000");
        }
        ObjectName reads = new ObjectName(
                "org.meteorshower:type=Metrics,name=Reads,keyspace=shop,table=cart,mode=strict,served=local");
        assertThat(beans.getAttribute(reads, "Count")).isEqualTo(1L);
        ObjectName latency = new ObjectName(
                "org.meteorshower:type=Metrics,name=ReadLatencyMicros,keyspace=shop,table=cart,mode=strict");
        assertThat(beans.getAttribute(latency, "Count")).isEqualTo(1L);
        assertThat((Double) beans.getAttribute(latency, "99thPercentile")).isBetween(500.0, 1_000.0);
        ObjectName lag = new ObjectName("org.meteorshower:type=Metrics,name=PeerLagMicros,peer=\"10.0.0.1:7000\"");
        assertThat(beans.getAttribute(lag, "Value")).isEqualTo(61_500L);
        assertThat(CassandraMetricsRegistry.Metrics.getMetrics())
                .containsKey("org.meteorshower.Metrics.Reads.shop.cart.strict.local");

        try (MetricSet.Look look = set.look()) {
            look.set(Metric.RECORDS, 0);
        }
        assertThat(beans.isRegistered(lag)).isFalse();
        set.remove(series -> true);
        assertThat(beans.isRegistered(reads)).isFalse();
        assertThat(CassandraMetricsRegistry.Metrics.getMetrics().keySet())
                .noneMatch(name -> name.startsWith("org.meteorshower"));
    }

    @Test
    void aTableMayBeCalledAsAMetricIs() {
        set.distribution(Metric.READ_LATENCY_MICROS, "shop", "ReadLatencyMicros", "strict")
                .add(900);
        assertThat(CassandraMetricsRegistry.Metrics.getMetrics()
                        .get("org.meteorshower.Metrics.ReadLatencyMicros.shop.ReadLatencyMicros.strict"))
                .isInstanceOfSatisfying(Histogram.class, histogram -> assertThat(histogram.getCount())
                        .isEqualTo(1));
        set.remove(series -> true);
    }
}
