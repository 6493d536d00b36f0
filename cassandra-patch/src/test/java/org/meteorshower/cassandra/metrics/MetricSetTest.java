/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetricSetTest {
    private final List<String> heard = new ArrayList<>();
    private final MetricSet set = new MetricSet(new MetricSet.Listener() {
        @Override
        public void added(MetricSet.Series series, MetricSet.Value value) {
            heard.add("+" + series.metric() + series.labels());
        }

        @Override
        public void removed(MetricSet.Series series) {
            heard.add("-" + series.metric() + series.labels());
        }
    });

    @Test
    void aCounterIsOneHoweverOftenItIsAskedFor() {
        set.count(Metric.ALARMS, "protocol").increment();
        set.count(Metric.ALARMS, "protocol").increment();
        set.count(Metric.ALARMS, "stopped").increment();
        assertThat(set.count(Metric.ALARMS, "protocol").value()).isEqualTo(2);
        assertThat(heard).containsExactly("+ALARMS[protocol]", "+ALARMS[stopped]");
    }

    @Test
    void whatALookDoesNotFindAnyMoreGoes() {
        try (MetricSet.Look look = set.look()) {
            look.set(Metric.PEER_LAG_MICROS, 5, "one");
            look.set(Metric.PEER_LAG_MICROS, 6, "two");
        }
        try (MetricSet.Look look = set.look()) {
            look.set(Metric.PEER_LAG_MICROS, 7, "two");
        }
        assertThat(set.all()).hasSize(1);
        assertThat(((MetricSet.Figure) set.all().values().iterator().next()).value())
                .isEqualTo(7);
        assertThat(heard).containsExactly("+PEER_LAG_MICROS[one]", "+PEER_LAG_MICROS[two]", "-PEER_LAG_MICROS[one]");
    }

    @Test
    void aLookTakesNoCounterAway() {
        set.count(Metric.ALARMS, "protocol").increment();
        try (MetricSet.Look look = set.look()) {
            look.set(Metric.RECORDS, 1);
        }
        try (MetricSet.Look look = set.look()) {
            look.set(Metric.RUNNING, true);
        }
        assertThat(set.all().keySet())
                .extracting(MetricSet.Series::metric)
                .containsExactlyInAnyOrder(Metric.ALARMS, Metric.RUNNING);
    }

    @Test
    void labelsMustBeThoseOfTheMetric() {
        assertThatThrownBy(() -> set.count(Metric.ALARMS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[kind]");
    }
}
