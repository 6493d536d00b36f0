/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.console.OutputFile;
import org.meteorshower.simulator.Bug;
import org.meteorshower.simulator.Kind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code meteor simulate}. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description = {
            "The protocol core as it runs in a node, on simulated clocks, networks, stores and clients, with faults."
                    + " Every",
            "run is judged by the checker of histories, by an oracle that knows what every cut holds, and by"
                    + " invariants;",
            "and everything must have settled in time once all faults have healed."
        },
        footer = {
            "",
            "Examples:",
            "  ./meteor simulate                              seeds 1..200",
            "  ./meteor simulate --seeds 1..50000 --threads 8 --json seeds.json",
            "  ./meteor simulate --seed 7 --trace             one run, a line for each event",
            "  ./meteor simulate --seed 7 --twice             the same seed gives the same run",
            "  ./meteor simulate --mutants                    mistakes made on purpose; each must be found",
            "  ./meteor simulate --published                  what the published algorithm gets wrong",
            "  ./meteor simulate --traffic 9,99,999           what status messages take by node, by size of cluster",
            "  ./meteor simulate --exhaustive                 every order of events in small worlds",
            "  ./meteor simulate --model catenae --seeds 1..300   the core of the transactions",
            "",
            "A seed fixes everything: the kind of plan (random, strict, restarts ...), the cluster, the work, the"
                    + " faults.",
            "docs/SIMULATION.md tells what is drawn, and what was seen.",
            "",
            "Exit codes: 0 nothing was found, or all mutants were; 1 a violation, shown with the command that replays"
                    + " it, or",
            "a mutant that nobody found; 2 wrong arguments."
        })
public final class SimulateCommand implements Callable<Integer> {
    /** Who judges a run; see docs/SIMULATION.md. */
    private enum Verifier {
        checker,
        oracle,
        invariant,
        liveness,
        online
    }

    @Option(names = "--seeds", paramLabel = "A..B", description = "run these seeds, both included (default: 1..200)")
    private @Nullable String seeds;

    @Option(names = "--seed", paramLabel = "N", description = "run one seed and tell more of it")
    private @Nullable Long seed;

    @Option(names = "--kind", paramLabel = "KIND", description = "plans of this kind only; a wrong one lists them")
    private @Nullable String kind;

    @Option(
            names = "--model",
            paramLabel = "MODEL",
            description = "reads (sequential reads, the default) or catenae (transactions)")
    private String model = "reads";

    @Option(names = "--trace", description = "with --seed: a line for each event and effect")
    private boolean trace;

    @Option(names = "--twice", description = "with --seed: run it twice, and compare every step")
    private boolean twice;

    @Option(names = "--mutants", description = "run all mistakes made on purpose until each is found")
    private boolean mutants;

    @Option(names = "--mutant", paramLabel = "NAME", description = "with --seed or --mutants: this mistake only")
    private @Nullable String mutant;

    @Option(
            names = "--by",
            paramLabel = "VERIFIER",
            description = "with --mutants: this one must find them: ${COMPLETION-CANDIDATES}")
    private @Nullable Verifier verifier;

    @Option(names = "--published", description = "run the published algorithm instead, and count what it gets wrong")
    private boolean published;

    @Option(
            names = "--traffic",
            paramLabel = "N,N,...",
            description = "what status messages take by node in fault-free clusters of so many nodes (multiples of 3)")
    private @Nullable String traffic;

    @Mixin
    private final ExhaustiveOptions exhaustive = new ExhaustiveOptions();

    @Option(names = "--threads", paramLabel = "N", description = "runs at the same time (default: the processors)")
    private @Nullable Integer threads;

    @Option(names = "--json", paramLabel = "FILE", description = "write the figures to a file")
    private @Nullable Path json;

    private final PrintWriter out;
    private final PrintWriter err;

    public SimulateCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException {
        Path file = OutputFile.of("--json", json);
        if (model.equals("catenae")) {
            return catenae(file);
        } else if (!model.equals("reads")) {
            throw new IllegalArgumentException("no model is called " + model + "; there are reads and catenae");
        }
        Kind chosen = kind == null ? null : Kind.named(kind);
        Mutant wrong = mutant == null ? null : Mutants.named(mutant);
        if ((trace || twice) && seed == null) {
            throw new IllegalArgumentException("--trace and --twice are about one seed: say which, with --seed N");
        }
        if ((seed != null && seeds != null) || (mutants && (seed != null || seeds != null))) {
            throw new IllegalArgumentException("--seed, --seeds and --mutants exclude each other: choose one");
        }
        if (verifier != null && (!mutants || exhaustive.isChosen())) {
            throw new IllegalArgumentException("--by says who must find mutants: give it with --mutants");
        }
        if (wrong != null && seeds != null) {
            throw new IllegalArgumentException("--mutant goes with --seed N, or with --mutants to find it");
        }
        if (traffic != null) {
            if (seed != null || seeds != null || mutants || wrong != null || published || exhaustive.isChosen()) {
                throw new IllegalArgumentException(
                        "--traffic measures clusters in which nothing fails: of the others give it --json alone");
            }
            return TrafficShow.show(traffic, file, out);
        }
        if (exhaustive.isChosen()) {
            if (seed != null || seeds != null || published) {
                throw new IllegalArgumentException(
                        "--exhaustive knows no seeds: leave out --seed, --seeds and --published");
            } else if (mutants && wrong == null) {
                return new ExhaustiveMutants(exhaustive, file, out, err).run();
            }
            return new ExhaustiveShow(exhaustive, wrong, file, out, err).run();
        }
        if (published && (mutants || wrong != null || seed != null || seeds != null || file != null)) {
            throw new IllegalArgumentException(
                    "--published prints a table of its own and takes no seeds, mutants or --json");
        } else if (published) {
            return new PublishedTable(out, PublishedTable.RUNS).run();
        }
        if (seed != null) {
            if (seed < 0) {
                throw new IllegalArgumentException("--seed: " + seed + " is negative; seeds are 0, 1, 2 and so on");
            }
            Kind drawn = chosen != null ? chosen : wrong != null ? wrong.kind() : Kind.of(seed);
            OneSeed one = new OneSeed(drawn, seed, wrong == null ? Runs.of(Bug.NONE) : wrong.runs(), out);
            return twice ? one.compare() : one.run(trace);
        } else if (mutants || wrong != null) {
            return new MutantTable(
                            wrong == null ? Mutants.all() : List.of(wrong),
                            verifier == null ? "" : verifier.name(),
                            threads(),
                            out,
                            err,
                            file)
                    .run();
        }
        SeedRange range = SeedRange.parse(seeds == null ? "1..200" : seeds);
        return new SweepShow(range, chosen, threads(), file, out, err).run();
    }

    private int catenae(@Nullable Path file) throws InterruptedException {
        if (published || exhaustive.isChosen()) {
            throw new IllegalArgumentException(
                    "--published and --exhaustive are about reads, not about --model catenae");
        } else if ((trace || twice) && seed == null) {
            throw new IllegalArgumentException("--trace and --twice are about one seed: say which, with --seed N");
        }
        var plans = kind == null ? null : org.meteorshower.transactions.simulator.Kind.named(kind);
        CatenaeMutant wrong = mutant == null ? null : CatenaeMutants.named(mutant);
        CatenaeShow show = new CatenaeShow(plans, threads(), file, out, err);
        if (seed != null) {
            CatenaeRuns runs = wrong == null ? CatenaeRuns.plain() : wrong.runs();
            var drawn = plans != null
                    ? plans
                    : wrong != null ? wrong.kind() : org.meteorshower.transactions.simulator.Kind.of(seed);
            return twice ? show.twice(seed, runs, drawn) : show.one(seed, runs, drawn, trace);
        } else if (mutants || wrong != null) {
            return show.hunt(wrong == null ? CatenaeMutants.all() : List.of(wrong));
        }
        return show.sweep(SeedRange.parse(seeds == null ? "1..200" : seeds));
    }

    private int threads() {
        int chosen = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
        if (chosen < 1 || chosen > 1_024) {
            throw new IllegalArgumentException("--threads: " + chosen + " is not between 1 and 1024");
        }
        return chosen;
    }
}
