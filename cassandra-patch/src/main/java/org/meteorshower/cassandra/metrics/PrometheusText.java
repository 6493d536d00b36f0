/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes metrics as Prometheus reads them (text format 0.0.4). Every metric is named, also one that has no value yet.
 */
public final class PrometheusText {
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final Comparator<List<String>> BY_LABELS = Comparator.comparing(labels -> String.join("\n", labels));
    private static final double MICROS_PER_SECOND = 1e6;

    private PrometheusText() {}

    public static String of(MetricSet set) {
        Map<Metric, Map<List<String>, MetricSet.Value>> byMetric = new EnumMap<>(Metric.class);
        set.all().forEach((series, value) -> byMetric.computeIfAbsent(
                        series.metric(), metric -> new TreeMap<>(BY_LABELS))
                .put(series.labels(), value));
        StringBuilder text = new StringBuilder(8_192);
        for (Metric metric : Metric.values()) {
            text.append("# HELP ").append(metric.prometheusName()).append(' ');
            text.append(metric.help().replace("\\", "\\\\").replace("\n", "\\n"))
                    .append('\n');
            text.append("# TYPE ")
                    .append(metric.prometheusName())
                    .append(' ')
                    .append(typeOf(metric))
                    .append('\n');
            byMetric.getOrDefault(metric, Map.of()).forEach((labels, value) -> append(text, metric, labels, value));
        }
        return text.toString();
    }

    private static String typeOf(Metric metric) {
        return switch (metric.kind()) {
            case COUNTER -> "counter";
            case GAUGE -> "gauge";
            case DISTRIBUTION -> "histogram";
        };
    }

    private static void append(StringBuilder text, Metric metric, List<String> labels, MetricSet.Value value) {
        if (value instanceof Distribution distribution) {
            append(text, metric, labels, distribution);
        } else {
            long number = ((MetricSet.Figure) value).value();
            line(
                    text,
                    metric.prometheusName(),
                    labelText(metric, labels),
                    metric.isDuration() ? Double.toString(number / MICROS_PER_SECOND) : Long.toString(number));
        }
    }

    private static void append(StringBuilder text, Metric metric, List<String> labels, Distribution distribution) {
        String name = metric.prometheusName();
        String all = labelText(metric, labels);
        long[] bounds = Distribution.boundsMicros();
        long[] counts = distribution.counts();
        long total = 0;
        for (int i = 0; i < counts.length; i++) {
            total += counts[i];
            String bound = i < bounds.length ? Double.toString(bounds[i] / MICROS_PER_SECOND) : "+Inf";
            line(
                    text,
                    name + "_bucket",
                    all + (all.isEmpty() ? "" : ",") + "le=\"" + bound + '"',
                    Long.toString(total));
        }
        line(text, name + "_sum", all, Double.toString(distribution.sumMicros() / MICROS_PER_SECOND));
        line(text, name + "_count", all, Long.toString(total));
    }

    private static void line(StringBuilder text, String name, String labels, String value) {
        text.append(name);
        if (!labels.isEmpty()) {
            text.append('{').append(labels).append('}');
        }
        text.append(' ').append(value).append('\n');
    }

    private static String labelText(Metric metric, List<String> values) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            text.append(i == 0 ? "" : ",").append(metric.labels().get(i)).append("=\"");
            text.append(
                    values.get(i).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
            text.append('"');
        }
        return text.toString();
    }
}
