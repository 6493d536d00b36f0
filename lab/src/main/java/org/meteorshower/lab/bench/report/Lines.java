/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The series of several comparisons by what they have in common: the system, or their labels where one comparison has a
 * system twice.
 */
final class Lines {
    private Lines() {}

    /** By name, in the plan's order, the series at each point that has one, by the point's title. */
    static Map<String, Map<String, Series>> of(List<Comparison> points) {
        Function<Series, String> name = name(points);
        Map<String, Map<String, Series>> lines = new LinkedHashMap<>();
        for (Comparison point : points) {
            for (Series series : point.series()) {
                lines.computeIfAbsent(name.apply(series), key -> new LinkedHashMap<>())
                        .put(point.title(), series);
            }
        }
        return lines;
    }

    private static Function<Series, String> name(List<Comparison> points) {
        boolean distinct = points.stream()
                .allMatch(point -> systems(point).size() == point.series().size());
        return distinct ? series -> series.system().name() : Series::label;
    }

    private static Set<String> systems(Comparison point) {
        return point.series().stream().map(series -> series.system().name()).collect(Collectors.toSet());
    }
}
