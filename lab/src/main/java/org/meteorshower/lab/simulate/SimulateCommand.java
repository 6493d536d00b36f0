/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import static org.meteorshower.lab.arguments.Arguments.require;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.arguments.JsonArguments;
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
            "  ./meteor simulate --seed 7 --history h.jsonl   what clients saw, to a file",
            "  ./meteor simulate --seed 7 --twice             the same seed gives the same run",
            "  ./meteor simulate --mutants                    mistakes made on purpose; each must be found",
            "  ./meteor simulate --published                  what the published algorithm gets wrong",
            "  ./meteor simulate --traffic 9,99,999           what status messages take by node, by size of cluster",
            "  ./meteor simulate --exhaustive                 every order of events in small worlds",
            "  ./meteor simulate --model catenae --seeds 1..300   the core of the transactions",
            "  ./meteor simulate --search --minutes 60 --corpus d plans that nobody drew, guided by what the core does",
            "  ./meteor simulate --plan d/found-reads-1a2b.json   runs what a search found",
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

    @Option(
            names = "--history",
            paramLabel = "FILE",
            description =
                    "with --seed: write what clients saw, for ./meteor check (transactions: lists, no snapshot reads)")
    private @Nullable Path history;

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
    private final SearchOptions search = new SearchOptions();

    @Mixin
    private final ExhaustiveOptions exhaustive = new ExhaustiveOptions();

    @Option(names = "--threads", paramLabel = "N", description = "runs at the same time (default: the processors)")
    private @Nullable Integer threads;

    @Mixin
    private JsonArguments json = new JsonArguments();

    private final PrintWriter out;
    private final PrintWriter err;

    public SimulateCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException {
        Path file = json.file();
        search.requireSense();
        if (search.plan() != null || search.isSearch()) {
            return search(search.plan(), file);
        }
        if (model.equals("catenae")) {
            return catenae(file);
        }
        require(model.equals("reads"), "no model is called " + model + "; there are reads and catenae");
        Kind chosen = kind == null ? null : Kind.named(kind);
        Mutant wrong = mutant == null ? null : Mutants.named(mutant);
        requireSense(wrong != null, file != null);
        if (traffic != null) {
            return TrafficShow.show(traffic, file, out);
        } else if (exhaustive.isChosen()) {
            return mutants && wrong == null
                    ? new ExhaustiveMutants(exhaustive, file, out, err).run()
                    : new ExhaustiveShow(exhaustive, wrong, file, out, err).run();
        } else if (published) {
            return new PublishedTable(out, PublishedTable.RUNS).run();
        } else if (seed != null) {
            return one(seed, chosen, wrong);
        } else if (mutants || wrong != null) {
            return hunt(wrong == null ? Mutants.all() : List.of(wrong), file);
        }
        return new SweepShow(range(), chosen, threads(), file, out, err).run();
    }

    private int search(@Nullable Path plan, @Nullable Path file) throws InterruptedException {
        require(
                seed == null && seeds == null && !mutants && !published && !exhaustive.isChosen(),
                "--search and --plan have plans of their own: leave out --seed, --seeds, --mutants, --published"
                        + " and --exhaustive");
        require(plan != null || !(trace || history != null), "--trace and --history are about one plan: give --plan");
        require(!twice, "--twice is about one seed; the same plan is the same run");
        if (plan != null) {
            PlanShow show = new PlanShow(plan, out);
            return mutant == null
                    ? show.run(trace, OutputFile.of("--history", history))
                    : show.run(Searched.of(show.isOfReads(), mutant).subject());
        }
        require(model.equals("reads") || model.equals("catenae"), "no model is called " + model);
        return Searched.of(model.equals("reads"), mutant).search(search, kind, threads(), file, out, err);
    }

    /** @param wrong whether a mutant is named */
    private void requireSense(boolean wrong, boolean file) {
        boolean anySeeds = seed != null || seeds != null;
        requireOneSeed();
        require(
                (seed == null || seeds == null) && !(mutants && anySeeds),
                "--seed, --seeds and --mutants exclude each other: choose one");
        require(
                verifier == null || (mutants && !exhaustive.isChosen()),
                "--by says who must find mutants: give it with --mutants");
        require(!wrong || seeds == null, "--mutant goes with --seed N, or with --mutants to find it");
        require(
                traffic == null || !(anySeeds || mutants || wrong || published || exhaustive.isChosen()),
                "--traffic measures clusters in which nothing fails: of the others give it --json alone");
        require(
                !exhaustive.isChosen() || !(anySeeds || published),
                "--exhaustive knows no seeds: leave out --seed, --seeds and --published");
        require(
                !published || !(mutants || wrong || anySeeds || file),
                "--published prints a table of its own and takes no seeds, mutants or --json");
    }

    private void requireOneSeed() {
        require(
                seed != null || !(trace || twice || history != null),
                "--trace, --twice and --history are about one seed: say which, with --seed N");
        history = OutputFile.of("--history", history);
    }

    private int one(long number, @Nullable Kind chosen, @Nullable Mutant wrong) {
        require(number >= 0, "--seed: " + number + " is negative; seeds are 0, 1, 2 and so on");
        Kind drawn = chosen != null ? chosen : wrong != null ? wrong.kind() : Kind.of(number);
        OneSeed one = new OneSeed(drawn, number, wrong == null ? Runs.of(Bug.NONE) : wrong.runs(), out);
        return twice ? one.compare() : one.run(trace, history);
    }

    private int hunt(List<Mutant> wanted, @Nullable Path file) throws InterruptedException {
        String by = verifier == null ? "" : verifier.name();
        return new MutantTable(wanted, by, threads(), out, err, file).run();
    }

    private int catenae(@Nullable Path file) throws InterruptedException {
        require(
                !published && !exhaustive.isChosen(),
                "--published and --exhaustive are about reads, not about --model catenae");
        requireOneSeed();
        CatenaeShow show = new CatenaeShow(kind, threads(), file, out, err);
        CatenaeMutant wrong = mutant == null ? null : CatenaeMutants.named(mutant);
        if (seed != null) {
            return twice ? show.twice(seed, wrong) : show.one(seed, wrong, trace, history);
        } else if (mutants || wrong != null) {
            return show.hunt(wrong == null ? CatenaeMutants.all() : List.of(wrong));
        }
        return show.sweep(range());
    }

    private SeedRange range() {
        return SeedRange.parse(seeds == null ? "1..200" : seeds);
    }

    private int threads() {
        int chosen = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
        if (chosen < 1 || chosen > 1_024) {
            throw new IllegalArgumentException("--threads: " + chosen + " is not between 1 and 1024");
        }
        return chosen;
    }
}
