/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command that measures again what a figure shows, and no more. */
final class Repeat {
    private Repeat() {}

    static String of(BenchResult result, List<Comparison> shown) {
        Stream<String> networks = shown.stream()
                .flatMap(point -> point.series().stream())
                .flatMap(series -> series.runs().stream())
                .map(run -> run.run().network().name());
        Stream<String> workloads = shown.stream().map(point -> point.workload().name());
        // A plan that was itself cut down: what is shown is part of that.
        return result.command().replaceFirst(" --(network|workload) .*", "")
                + options("--network", networks)
                + options("--workload", workloads);
    }

    /** Names have no quotes in them. */
    private static String options(String option, Stream<String> names) {
        return names.distinct().map(name -> " " + option + " '" + name + "'").collect(Collectors.joining());
    }
}
