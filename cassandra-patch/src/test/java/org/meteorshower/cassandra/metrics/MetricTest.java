/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MetricTest {
    private static final Pattern ROW = Pattern.compile("^\\| `(meteorshower_[a-z_]+)` \\|([^|]*)\\|.*");

    @Test
    void namesFollowFromTheConstant() {
        assertThat(Metric.READ_LATENCY_MICROS.registryName()).isEqualTo("ReadLatencyMicros");
        assertThat(Metric.READ_LATENCY_MICROS.prometheusName()).isEqualTo("meteorshower_read_latency_seconds");
        assertThat(Metric.READS.prometheusName()).isEqualTo("meteorshower_reads_total");
        assertThat(Metric.THREAD_CPU_MICROS.prometheusName()).isEqualTo("meteorshower_thread_cpu_seconds_total");
        assertThat(Metric.JOURNAL_BYTES.prometheusName()).isEqualTo("meteorshower_journal_bytes");
    }

    @Test
    void everyMetricIsDocumentedWithItsLabelsAndNothingElseIs() throws IOException {
        Map<String, String> documented = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "METRICS.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                documented.put(row.group(1), row.group(2).strip());
            }
        }
        Map<String, String> known = new TreeMap<>();
        Arrays.stream(Metric.values())
                .forEach(metric -> known.put(metric.prometheusName(), String.join(", ", metric.labels())));
        assertThat(documented).isEqualTo(known);
    }
}
