/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.arguments.AddressArguments;
import org.meteorshower.lab.bench.plan.BenchPlan;
import org.meteorshower.lab.bench.plan.Presets;
import org.meteorshower.lab.bench.report.BenchResult;
import org.meteorshower.lab.bench.report.Report;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.console.OutputFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code meteor bench}. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = {
            "Measures systems on networks under workloads, as a plan says, one after the other in random order,",
            "on clusters that it starts and stops. Writes a report: index.html, results.json, all histograms."
        },
        footer = {
            "",
            "Plans: quick (2 minutes), claims (17), thesis (45), overhead (45), curves (25), scale (12), leases (17),",
            "transactions (29; fetches its rivals when first run), tpcc (12), or a file; --show prints one.",
            "How it measures, and what each figure means: docs/BENCHMARKS.md.",
            "",
            "Examples:",
            "  ./meteor bench quick --report out",
            "  ./meteor bench thesis --seed 7 --report thesis-7",
            "  ./meteor bench --show quick >mine.yaml",
            "  ./meteor bench --plan mine.yaml",
            "  ./meteor bench thesis --network '50 ms' --workload 'uniform 50/50'",
            "",
            "Exit codes: 0 done; 1 it failed, or the checker found a violation; 2 wrong arguments or a wrong plan.",
        })
public final class BenchCommand implements Callable<Integer> {
    private static final int DONE = 0;
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PLAN",
            description = "quick, claims, thesis, overhead, curves, scale, leases or transactions")
    private @Nullable String preset;

    @Option(names = "--plan", paramLabel = "FILE", description = "a plan of your own")
    private @Nullable Path planFile;

    @Option(names = "--show", paramLabel = "PLAN", description = "print a plan that comes with the tool, and end")
    private @Nullable String show;

    @Option(names = "--report", paramLabel = "DIR", description = "where the report goes (default: bench-PLAN)")
    private @Nullable Path folder;

    @Option(names = "--network", paramLabel = "NAME", description = "of the plan, this network only; may be repeated")
    private List<String> networks = List.of();

    @Option(names = "--workload", paramLabel = "NAME", description = "of the plan, this workload only; may be repeated")
    private List<String> workloads = List.of();

    @Option(names = "--json", paramLabel = "FILE", description = "write results.json to this file, too")
    private @Nullable Path json;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "of the order of the runs and of what clients draw (default: 1)")
    private long seed = 1;

    @Option(
            names = "--check",
            paramLabel = "N",
            description = "operations of a run that are kept for the checker at most; a run of more is not checked;"
                    + " 0: no check (default: 200000)")
    private int historyLimit = 200_000;

    @Mixin
    private AddressArguments address = new AddressArguments();

    private final PrintWriter out;
    private final PrintWriter err;

    public BenchCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        if (show != null) {
            out.print(Presets.text(show));
            out.flush();
            return DONE;
        }
        try (Display display = Display.of(out)) {
            return told(display);
        }
    }

    private int told(Display display) {
        try {
            return run(display);
        } catch (IllegalArgumentException e) {
            display.tell(err, "error: " + e.getMessage());
            return USAGE;
        } catch (ClusterException | DriverException | UncheckedIOException e) {
            display.tell(err, "error: " + e.getMessage());
            return FAILED;
        }
    }

    private int run(Display display) {
        BenchPlan plan = plan().only(networks, workloads);
        if (historyLimit < 0) {
            throw new IllegalArgumentException("--check must be 0 or more, not " + historyLimit);
        }
        plan.networks().forEach(network -> network.shape().options(address.first()));
        Path target = (folder == null ? Path.of("bench-" + plan.name()) : folder)
                .toAbsolutePath()
                .normalize();
        Path copy = OutputFile.of("--json", json);
        Report report = new Report(target);
        BenchResult result = new Bench(
                        Installation.locate(),
                        new BenchOptions(plan, seed, command(), address.first(), historyLimit),
                        report,
                        display)
                .run();
        copyJson(target.resolve("results.json"), copy);
        display.say("");
        display.say("the report: " + target.resolve("index.html"));
        return judge(display, result);
    }

    private int judge(Display display, BenchResult result) {
        String stopped = result.stopped();
        if (stopped != null) {
            display.tell(err, "error: the plan was not done to its end: " + stopped);
            return FAILED;
        }
        if (result.violations() > 0) {
            display.tell(err, "the checker found " + result.violations() + " runs that violate what is promised");
            return FAILED;
        }
        return DONE;
    }

    private BenchPlan plan() {
        if ((preset == null) == (planFile == null)) {
            throw new IllegalArgumentException("say which plan: one of " + String.join(", ", Presets.NAMES)
                    + ", or a file of your own with --plan FILE");
        }
        return planFile != null ? Presets.file(planFile) : Presets.preset(String.valueOf(preset));
    }

    private String command() {
        return "./meteor bench " + (planFile == null ? preset : "--plan " + planFile.getFileName()) + " --seed " + seed
                + options(" --network '", networks) + options(" --workload '", workloads);
    }

    private static String options(String option, List<String> names) {
        return names.stream().map(name -> option + name + "'").collect(Collectors.joining());
    }

    private static void copyJson(Path results, @Nullable Path copy) {
        if (copy != null) {
            try {
                Files.copy(results, copy, StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                throw new UncheckedIOException("--json: cannot write " + copy + ": " + e, e);
            }
        }
    }
}
