/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.meteorshower.lab.bench.run.RunResult;
import org.meteorshower.lab.console.Json;

/** The files of a report: {@code results.json}, {@code index.html} and {@code histograms/}. For one thread. */
public final class Report {
    private final Path folder;

    /** Makes the folder. Throws UncheckedIOException where it cannot be written. */
    public Report(Path folder) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
            Path probe = Files.createTempFile(folder, "probe", "");
            Files.delete(probe);
        } catch (IOException e) {
            throw new UncheckedIOException("--report: cannot write to " + folder + ": " + e, e);
        }
    }

    public Path folder() {
        return folder;
    }

    /** Keeps what one run gave at once, and the figures of all so far, but no ratios: an hour shall not be lost. */
    public void add(RunResult run, BenchResult soFar) {
        try {
            HistogramFiles.write(run, folder.resolve("histograms"));
            writeJson(soFar, List.of());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the results to " + folder + ": " + e, e);
        }
    }

    /** Writes everything else; gives the ratios. */
    public List<Ratio> finish(BenchResult result) {
        List<Ratio> ratios = Ratios.of(result);
        try {
            writeJson(result, ratios);
            Files.writeString(folder.resolve("index.html"), Page.of(result, ratios));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the report to " + folder + ": " + e, e);
        }
        return ratios;
    }

    private void writeJson(BenchResult result, List<Ratio> ratios) {
        Json.write(ResultsJson.of(result, ratios), folder.resolve("results.json"));
    }
}
