/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {
    private final MetricSet set = new MetricSet(MetricSet.SILENT);

    @Test
    void everyMetricIsNamedEvenWithoutAValue() {
        Scrape scrape = Scrape.of(PrometheusText.of(set));
        assertThat(scrape.types.keySet())
                .containsExactlyElementsOf(Arrays.stream(Metric.values())
                        .map(Metric::prometheusName)
                        .toList());
        assertThat(scrape.samples).isEmpty();
    }

    @Test
    void durationsAreInSecondsAndOthersAsTheyAre() {
        try (MetricSet.Look look = set.look()) {
            look.set(Metric.PEER_LAG_MICROS, 61_500, "10.0.0.1:7000");
            look.set(Metric.PEER_SKEW_MICROS, -250, "10.0.0.1:7000");
            look.set(Metric.RECORDS, 1_234_567_890_123L);
        }
        Scrape scrape = Scrape.of(PrometheusText.of(set));
        assertThat(scrape.samples)
                .containsEntry("meteorshower_peer_lag_seconds{peer=10.0.0.1:7000}", 0.0615)
                .containsEntry("meteorshower_peer_skew_seconds{peer=10.0.0.1:7000}", -0.00025)
                .containsEntry("meteorshower_records{}", 1_234_567_890_123.0);
    }

    @Test
    void distributionsAreCumulativeHistograms() {
        Distribution latency = set.distribution(Metric.READ_LATENCY_MICROS, "shop", "cart", "strict");
        latency.add(50);
        latency.add(900);
        latency.add(60_000_000);
        Scrape scrape = Scrape.of(PrometheusText.of(set));
        String labels = "keyspace=shop, mode=strict, table=cart}";
        assertThat(scrape.samples)
                .containsEntry(
                        "meteorshower_read_latency_seconds_bucket{keyspace=shop, le=1.0E-4, mode=strict,"
                                + " table=cart}",
                        1.0)
                .containsEntry(
                        "meteorshower_read_latency_seconds_bucket{keyspace=shop, le=0.001, mode=strict,"
                                + " table=cart}",
                        2.0)
                .containsEntry(
                        "meteorshower_read_latency_seconds_bucket{keyspace=shop, le=+Inf, mode=strict,"
                                + " table=cart}",
                        3.0)
                .containsEntry("meteorshower_read_latency_seconds_count{" + labels, 3.0)
                .containsEntry("meteorshower_read_latency_seconds_sum{" + labels, 60.00095);
    }

    @Test
    void whateverALabelHoldsTheTextStaysReadable() {
        set.count(Metric.ALARMS, "a \"quoted\\\" one\nand } a line, x=\"y\"").increment();
        Scrape scrape = Scrape.of(PrometheusText.of(set));
        assertThat(scrape.samples).hasSize(1).containsValue(1.0);
    }

    @Test
    void theReaderOfTheseTestsRefusesWhatIsWrong() {
        String good = "# HELP a_total x\n# TYPE a_total counter\na_total{l=\"1\"} 1\n";
        assertThat(Scrape.of(good).samples).hasSize(1);
        for (String bad : new String[] {
            good + "a_total{l=\"1\"} 2\n",
            good.replace("l=\"1\"", "l=1"),
            good.replace(" 1\n", " one\n"),
            good.replace("# HELP a_total x\n", ""),
            good + "b 1\n",
            good.replace("counter", "gauge").replace("\na_total{", "\nb{"),
            good.stripTrailing(),
            "# HELP h x\n# TYPE h histogram\nh_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n",
            "# HELP h x\n# TYPE h histogram\nh_bucket{le=\"1\"} 1\nh_sum 1\nh_count 1\n",
            "# HELP h x\n# TYPE h histogram\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 2\n"
        }) {
            assertThatThrownBy(() -> Scrape.of(bad))
                    .as(bad)
                    .isInstanceOfAny(AssertionError.class, NumberFormatException.class);
        }
    }
}
