/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.Served;
import org.meteorshower.lab.bench.plan.PlannedRun;
import org.meteorshower.lab.load.MachineLoad;

/**
 * What one run gave. Immutable by agreement: nobody changes the histograms, which are in microseconds.
 *
 * @param seconds measured
 * @param readService from the start of the request rather than from the intended time
 * @param writeService likewise
 * @param failed by kind; a kind of which none failed is missing
 * @param overflow operations given up because too many were under way or waiting, before it was drawn of which kind
 * @param unanswered operations that did not end within the patience after the run
 * @param served how reads were served; all 0 where nobody told
 * @param check null: there was none, for plain Cassandra or because it was not wanted
 * @param transactions null where operations were asked for
 * @param byDataCentre latencies by the data centre of those who asked
 * @param traffic null where the nodes do not tell: they lack the plugin, or did not answer
 */
public record RunResult(
        PlannedRun run,
        double seconds,
        List<Window> windows,
        Histogram readService,
        Histogram writeService,
        Histogram staleness,
        Map<Served, Long> served,
        Map<Op, Failures> failed,
        long overflow,
        boolean unanswered,
        @Nullable Check check,
        @Nullable Traffic traffic,
        @Nullable TransactionFigures transactions,
        Map<String, Latencies> byDataCentre) {
    /** What was measured in a sitting. */
    static RunResult of(
            PlannedRun run,
            double seconds,
            Sitting sitting,
            Measurement measurement,
            Map<Served, Long> served,
            @Nullable Check check,
            @Nullable TransactionFigures transactions) {
        Latencies service = measurement.service();
        return new RunResult(
                run,
                seconds,
                sitting.windows(),
                service.reads(),
                service.writes(),
                measurement.staleness(),
                served,
                measurement.failures(),
                measurement.overflow(),
                sitting.isUnanswered(),
                check,
                sitting.traffic(),
                transactions,
                measurement.byDataCentre());
    }

    /**
     * Operations of one kind that failed.
     *
     * @param count at least 1
     * @param first what the first of them failed of
     */
    public record Failures(long count, String first) {}

    /**
     * What the checker says of the history.
     *
     * @param outcome consistent, violation, undecided or too_long
     * @param operations in the history
     */
    public record Check(String model, String outcome, String reason, int operations, double seconds) {
        public boolean isViolation() {
            return outcome.equals("violation");
        }
    }

    public long failures() {
        return failed.values().stream().mapToLong(Failures::count).sum();
    }

    public long failures(Op op) {
        Failures found = failed.get(op);
        return found == null ? 0 : found.count();
    }

    /** What the first operation of a kind failed of; null where none did. */
    public @Nullable String firstFailure(Op op) {
        Failures found = failed.get(op);
        return found == null ? null : found.first();
    }

    /** Of one processor, what a node took on average, clients not counted; NaN where unknown. */
    public double nodeProcessorShare() {
        int nodes = run.network().shape().nodes();
        return windows.stream()
                        .mapToDouble(window -> window.machine().nodesShare())
                        .average()
                        .orElse(Double.NaN)
                * MachineLoad.now().processors()
                / nodes;
    }

    /** Latencies of the whole run. */
    public Histogram latencies(Op op) {
        return sum(op, window -> true);
    }

    /** The same of those who asked in one data centre. */
    public Histogram latencies(Op op, String dc) {
        Latencies here = byDataCentre.get(dc);
        return here == null ? new Histogram(3) : here.of(op);
    }

    /** Without the windows in which the machine disturbed. */
    public Histogram undisturbed(Op op) {
        return sum(op, window -> !window.machine().isDisturbed());
    }

    private Histogram sum(Op op, Predicate<Window> which) {
        Histogram sum = new Histogram(3);
        sum.setAutoResize(true);
        windows.stream().filter(which).forEach(window -> sum.add(window.of(op)));
        return sum;
    }

    public long disturbedWindows() {
        return windows.stream().filter(window -> window.machine().isDisturbed()).count();
    }

    /** Operations of a kind that succeeded, a second. */
    public double throughput(Op op) {
        return latencies(op).getTotalCount() / seconds;
    }

    /** Share of the reads served at once, at the newest cut or an older one; NaN where nobody told. */
    public double localShare() {
        long all = served.values().stream().mapToLong(Long::longValue).sum();
        return all == 0
                ? Double.NaN
                : (double) (served.getOrDefault(Served.LOCAL, 0L) + served.getOrDefault(Served.OLDER, 0L)) / all;
    }

    public boolean isViolation() {
        Check done = check;
        return done != null && done.isViolation();
    }
}
