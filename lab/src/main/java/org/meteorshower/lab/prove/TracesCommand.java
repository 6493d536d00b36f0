/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.simulate.RecordedRuns;
import org.meteorshower.lab.simulate.SeedRange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code meteor prove traces}. */
@Command(
        name = "traces",
        mixinStandardHelpOptions = true,
        description = {
            "Holds simulated runs of the core to the specification of sequential reads: TLC takes each run, step by step,",
            "for a behaviour of ReadsAtACut.tla, or tells the first step that it does not allow, and why."
        },
        footer = {
            "",
            "Exit codes: 0 all runs are accepted, or all mutants refused; 1 not so; 2 wrong arguments.",
            "Examples:",
            "  ./meteor prove traces                         seeds 1..200",
            "  ./meteor prove traces --seeds 1..10000 --minutes 30",
            "  ./meteor prove traces --mutants               mistakes made on purpose: each must be refused",
            "  ./meteor prove traces --mutants --mutant gap-counted"
        })
public final class TracesCommand implements Callable<Integer> {
    private final PrintWriter out;

    @Option(
            names = "--seeds",
            paramLabel = "A..B",
            defaultValue = "1..200",
            description = "these seeds, both included (default: ${DEFAULT-VALUE}); of mutants, until one is refused")
    private String seeds = "";

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "then it ends, and tells with which seed to go on (default: it goes on to the last one)")
    private @Nullable Double minutes;

    @Option(names = "--mutants", description = "runs of cores with mistakes: one of each must be refused")
    private boolean mutants;

    @Option(names = "--mutant", paramLabel = "NAME", description = "with --mutants: this one; a wrong one lists them")
    private @Nullable String mutant;

    public TracesCommand(PrintWriter out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Double most = minutes;
        if (most != null && !(most > 0 && most <= 1_440)) {
            throw new IllegalArgumentException("--minutes must be more than 0, at most 1440, not " + most);
        }
        if (mutant != null && !mutants) {
            throw new IllegalArgumentException("--mutant names one of the mutants: give it with --mutants");
        }
        SeedRange range = SeedRange.parse(seeds);
        Deadline deadline = Deadline.in(most);
        boolean asExpected = mutants ? refuseMutants(range, deadline) : acceptAll(range, deadline);
        return asExpected ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private boolean acceptAll(SeedRange range, Deadline deadline) throws IOException, InterruptedException {
        TraceSweep sweep = new TraceSweep(RecordedRuns.ofCore());
        long began = System.nanoTime();
        long next = range.first();
        while (next <= range.last() && !deadline.isPast()) {
            long last = Math.min(range.last(), next + TraceSweep.BATCH - 1);
            sweep.look(next, last).forEach(refusal -> out.println("REFUSED: " + refusal.text()));
            next = last + 1;
            double seconds = (System.nanoTime() - began) / 1e9;
            out.println(String.format(
                    Locale.ROOT,
                    "to seed %,d: %,d accepted, %,d refused, %,d steps, %.1f runs a second",
                    last,
                    sweep.accepted(),
                    sweep.refused(),
                    sweep.steps(),
                    (sweep.accepted() + sweep.refused()) / seconds));
            out.flush();
        }
        if (sweep.withoutWords() > 0) {
            out.println(sweep.withoutWords() + " runs have no words in the specification, and were left out");
        }
        if (sweep.broken() > 0) {
            out.println("in " + sweep.broken() + " runs the core gave up: see ./meteor simulate --kind traces");
        }
        if (next <= range.last()) {
            out.println("time is up; go on with --seeds " + next + ".." + range.last());
        }
        return sweep.isRight();
    }

    private boolean refuseMutants(SeedRange range, Deadline deadline) throws IOException, InterruptedException {
        List<String> names = mutant == null ? RecordedRuns.mutants() : List.of(mutant);
        int refused = new TraceHunt(names, line -> {
                    out.println(line);
                    out.flush();
                })
                .hunt(range, deadline);
        out.println(refused + " of " + names.size() + " refused");
        return refused == names.size();
    }
}
