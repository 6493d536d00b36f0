/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ycsb;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.meteorshower.lab.console.Numbers;

/** What YCSB's summary says: lines of the form {@code [READ], Operations, 1000}. Not thread-safe. */
final class YcsbSummary {
    private static final String STATUS = "Return=";

    /** Of YCSB's own doing, not of the cluster's. */
    private static final Set<String> INTERNAL = Set.of("CLEANUP", "VERIFY");

    private final Map<String, Map<String, Double>> sections = new LinkedHashMap<>();

    /** Takes a line of the summary; any other is no concern of its. Tells whether it was one. */
    boolean take(String line) {
        String[] parts = line.split(", ", -1);
        if (parts.length != 3 || !parts[0].matches("\\[.+\\]")) {
            return false;
        }
        try {
            String section = parts[0].substring(1, parts[0].length() - 1);
            sections.computeIfAbsent(section, missing -> new LinkedHashMap<>())
                    .put(parts[1], Double.parseDouble(parts[2]));
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** NaN where the summary does not say. */
    double value(String section, String name) {
        return sections.getOrDefault(section, Map.of()).getOrDefault(name, Double.NaN);
    }

    double throughput() {
        return value("OVERALL", "Throughput(ops/sec)");
    }

    /** Operations that ended well. */
    long succeeded() {
        return count("OK");
    }

    /** Reads that found no row. */
    long missed() {
        return count("NOT_FOUND");
    }

    /**
     * By operation and status, such as {@code UPDATE UNKNOWN_OUTCOME}; also values that were not what was written.
     *
     * @param mayMiss whether reading a row that is not there is none
     */
    Map<String, Long> failures(boolean mayMiss) {
        Map<String, Long> failures = new LinkedHashMap<>();
        sections.forEach((section, values) -> values.forEach((name, count) -> {
            boolean harmless = name.equals(STATUS + "OK") || (mayMiss && name.equals(STATUS + "NOT_FOUND"));
            if (name.startsWith(STATUS) && !harmless && count > 0) {
                failures.put(section + " " + name.substring(STATUS.length()), count.longValue());
            }
        }));
        return failures;
    }

    private long count(String status) {
        return sections.entrySet().stream()
                .filter(section -> !section.getKey().equals("VERIFY"))
                .mapToLong(section ->
                        section.getValue().getOrDefault(STATUS + status, 0.0).longValue())
                .sum();
    }

    /** Operations, with the latencies of those that ended well; empty where nothing was measured. */
    List<String> table() {
        List<String> lines = new ArrayList<>();
        sections.forEach((section, values) -> {
            if (values.containsKey("50thPercentileLatency(us)") && !INTERNAL.contains(section)) {
                lines.add(String.format(
                        Locale.ROOT,
                        "%-26s %10s %9s %9s %9s",
                        section.toLowerCase(Locale.ROOT),
                        Numbers.whole(
                                values.getOrDefault("Operations", Double.NaN).longValue()),
                        millis(values, "50th"),
                        millis(values, "99th"),
                        millis(values, "99.9")));
            }
        });
        if (!lines.isEmpty()) {
            lines.add(0, String.format(Locale.ROOT, "%-26s %10s %9s %9s %9s   ms", "", "count", "p50", "p99", "p99.9"));
        }
        return lines;
    }

    private static String millis(Map<String, Double> values, String percentile) {
        return Numbers.of(values.getOrDefault(percentile + "PercentileLatency(us)", Double.NaN) / 1_000);
    }
}
