/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.meteorshower.lab.bench.plan.SystemSpec;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.bench.run.RunResult;
import org.meteorshower.lab.bench.run.Traffic;
import org.meteorshower.lab.console.Numbers;

/**
 * The repeats of one run. Immutable.
 *
 * @param label names it among those it is compared with
 * @param runs at least one
 */
public record Series(String label, List<RunResult> runs) {
    public SystemSpec system() {
        return runs.get(0).run().system();
    }

    /** Latencies of all repeats together, in microseconds. */
    public Histogram latencies(Op op) {
        Histogram sum = new Histogram(3);
        sum.setAutoResize(true);
        runs.forEach(run -> sum.add(run.latencies(op)));
        return sum;
    }

    /** The same of those who asked in one data centre. */
    public Histogram latencies(Op op, String dc) {
        Histogram sum = new Histogram(3);
        sum.setAutoResize(true);
        runs.forEach(run -> sum.add(run.latencies(op, dc)));
        return sum;
    }

    /** NaN where there is none. */
    public double millisAt(Op op, double percentile) {
        return Numbers.millisAt(latencies(op), percentile);
    }

    /** Operations a second, of both kinds. */
    public double throughput() {
        return runs.stream()
                .mapToDouble(run -> run.throughput(Op.READ) + run.throughput(Op.WRITE))
                .average()
                .orElse(Double.NaN);
    }

    /** NaN where nobody told how reads were served. */
    public double localShare() {
        return runs.stream()
                .mapToDouble(RunResult::localShare)
                .filter(share -> !Double.isNaN(share))
                .average()
                .orElse(Double.NaN);
    }

    /** How far reads lay behind their coordinators' clocks, in microseconds; empty where nobody told. */
    public Histogram staleness() {
        Histogram sum = new Histogram(3);
        sum.setAutoResize(true);
        runs.forEach(run -> sum.add(run.staleness()));
        return sum;
    }

    /** Of what the nodes told of their status messages, the mean of the repeats; NaN where they told nothing. */
    public double traffic(ToDoubleFunction<Traffic> figure) {
        return runs.stream()
                .map(RunResult::traffic)
                .flatMap(Stream::ofNullable)
                .mapToDouble(figure)
                .average()
                .orElse(Double.NaN);
    }

    /** All bytes of status messages, by write and link; NaN where nothing is written or told. */
    public double bytesPerWriteAndPeer() {
        return runs.stream()
                .mapToDouble(run -> {
                    Traffic traffic = run.traffic();
                    return traffic == null ? Double.NaN : traffic.bytesPerWriteAndPeer(run.throughput(Op.WRITE));
                })
                .filter(Double::isFinite)
                .average()
                .orElse(Double.NaN);
    }

    /** Of one processor, what a node took; NaN where unknown. */
    public double nodeProcessorShare() {
        return runs.stream()
                .mapToDouble(RunResult::nodeProcessorShare)
                .average()
                .orElse(Double.NaN);
    }

    public long failures() {
        return runs.stream().mapToLong(RunResult::failures).sum();
    }

    public long overflow() {
        return runs.stream().mapToLong(RunResult::overflow).sum();
    }

    /** Whether operations were still under way when patience ended. */
    public boolean isUnanswered() {
        return runs.stream().anyMatch(RunResult::unanswered);
    }

    public int windows() {
        return runs.stream().mapToInt(run -> run.windows().size()).sum();
    }

    public long disturbedWindows() {
        return runs.stream().mapToLong(RunResult::disturbedWindows).sum();
    }

    /** The worst verdict of the repeats; empty where there was no check. */
    public String verdict() {
        String worst = "";
        for (String outcome : List.of("consistent", "too_long", "undecided", "violation")) {
            for (RunResult run : runs) {
                RunResult.Check check = run.check();
                if (check != null && check.outcome().equals(outcome)) {
                    worst = outcome.replace('_', ' ');
                }
            }
        }
        return worst;
    }

    /** Operations that the checker has seen. */
    public int checkedOperations() {
        int operations = 0;
        for (RunResult run : runs) {
            RunResult.Check check = run.check();
            operations += check == null ? 0 : check.operations();
        }
        return operations;
    }
}
