/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.meteorshower.lab.bench.plan.PlannedRun;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.bench.run.RunResult;
import org.meteorshower.lab.bench.run.Window;

/**
 * The raw histograms of a run: {@code .hgrm}, percentiles as HdrHistogram's plotter takes them, in milliseconds; and
 * {@code .hlog}, an interval log of one-second windows, tagged by kind, in microseconds. Both keep three digits.
 */
final class HistogramFiles {
    private static final double MICROS_PER_MILLI = 1_000.0;
    private static final int TICKS_PER_HALF = 5;

    private HistogramFiles() {}

    /** What the names of the run's files begin with. */
    static String stem(PlannedRun run) {
        String text = String.format(
                Locale.ROOT,
                "%03d-%s-%s-%s",
                run.number(),
                run.network().name(),
                run.workload().name(),
                run.system().name());
        return text.replaceAll("[^A-Za-z0-9.-]+", "_");
    }

    static void write(RunResult result, Path folder) throws IOException {
        Files.createDirectories(folder);
        String stem = stem(result.run());
        for (Op op : Op.values()) {
            Histogram latencies = result.latencies(op);
            if (latencies.getTotalCount() > 0) {
                Path file = folder.resolve(stem + "-" + op.word() + ".hgrm");
                try (PrintStream out = new PrintStream(file.toFile(), StandardCharsets.UTF_8)) {
                    latencies.outputPercentileDistribution(out, TICKS_PER_HALF, MICROS_PER_MILLI);
                    requireWritten(out, file);
                }
            }
        }
        writeLog(result, folder.resolve(stem + ".hlog"));
    }

    private static void writeLog(RunResult result, Path file) throws IOException {
        try (PrintStream out = new PrintStream(file.toFile(), StandardCharsets.UTF_8)) {
            HistogramLogWriter log = new HistogramLogWriter(out);
            log.outputComment("[latencies in microseconds from the intended start; " + stem(result.run()) + "]");
            log.outputLogFormatVersion();
            long base = result.windows().get(0).startEpochMillis();
            log.outputStartTime(base);
            log.setBaseTime(base);
            log.outputLegend();
            for (Window window : result.windows()) {
                for (Op op : Op.values()) {
                    Histogram histogram = window.of(op).copy();
                    histogram.setTag(op.word());
                    histogram.setStartTimeStamp(window.startEpochMillis());
                    histogram.setEndTimeStamp(window.endEpochMillis());
                    // The maximum that stands beside each histogram is in ms; by itself the writer takes values for ns.
                    log.outputIntervalHistogram(
                            (window.startEpochMillis() - base) / 1_000.0,
                            (window.endEpochMillis() - base) / 1_000.0,
                            histogram,
                            MICROS_PER_MILLI);
                }
            }
            requireWritten(out, file);
        }
    }

    /** A print stream keeps to itself that the disk is full. */
    static void requireWritten(PrintStream out, Path file) throws IOException {
        if (out.checkError()) {
            throw new IOException("could not write all of " + file);
        }
    }
}
