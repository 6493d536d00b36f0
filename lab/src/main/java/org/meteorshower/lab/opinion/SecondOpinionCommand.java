/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import static org.meteorshower.lab.arguments.Arguments.require;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.cluster.Folders;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.simulate.SeedRange;
import org.meteorshower.lab.simulate.SimulatedHistories;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code meteor second-opinion}. */
@Command(
        name = "second-opinion",
        mixinStandardHelpOptions = true,
        description = {
            "Has checkers that are not ours judge the same histories as ours: Porcupine (linearizability, sequential",
            "consistency) and Elle (transactions). The histories are those of simulated runs with faults, and of runs in",
            "which a mistake is made on purpose; or recorded ones from files."
        },
        footer = {
            "",
            "Porcupine needs Go. Elle needs the class path of Clojure and Elle: --elle, or METEOR_ELLE.",
            "Exit codes: 0 they agree on all; 1 they do not; 2 wrong arguments; 3 they agree, but one is missing or could",
            "not say.",
            "Examples:",
            "  ./meteor second-opinion --seeds 1..100",
            "  ./meteor second-opinion --mistakes",
            "  ./meteor second-opinion --mistake ignore-token --seeds 0..20",
            "  ./meteor second-opinion --model linearizable history.jsonl"
        })
public final class SecondOpinionCommand implements Callable<Integer> {
    /** The judges differ in nothing, but not all was judged. */
    static final int NOT_ALL = 3;

    /** Of a mistake so many histories that are refused are enough. */
    private static final int REFUSED_ENOUGH = 3;

    @Option(
            names = "--seeds",
            paramLabel = "A..B",
            description = "of each kind of plan, and of each mistake at most, these (default: ${DEFAULT-VALUE})")
    private String seeds = "1..20";

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            split = ",",
            description =
                    "plans of reads and writes, any: as drawn (default: strict,leases,leases-move,any); none: none")
    private List<String> kinds = List.of("strict", "leases", "leases-move", SimulatedHistories.ANY_KIND);

    @Option(
            names = "--catenae-kind",
            paramLabel = "KIND",
            split = ",",
            description = "plans of transactions (default: any); none: none")
    private List<String> catenaeKinds = List.of(SimulatedHistories.ANY_KIND);

    @Option(
            names = "--random",
            paramLabel = "N",
            description = "so many small histories, half of them wrong (default: ${DEFAULT-VALUE})")
    private int random = 500;

    @Option(names = "--mistakes", description = "instead of these: all mistakes that are made on purpose")
    private boolean mistakes;

    @Option(names = "--mistake", paramLabel = "NAME", split = ",", description = "these only; a wrong one lists them")
    private List<String> named = List.of();

    @Option(names = "--elle", paramLabel = "CLASSPATH", description = "of Clojure and Elle (default: METEOR_ELLE)")
    private @Nullable String elle = System.getenv("METEOR_ELLE");

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "that Porcupine may take for a question (default: ${DEFAULT-VALUE})")
    private int seconds = 10;

    @Option(
            names = "--keep",
            paramLabel = "FOLDER",
            description =
                    "keep all histories there, as we and Elle write them (default: those that the checkers differ on,"
                            + " in .meteor/second-opinion)")
    private @Nullable Path keep;

    @Option(
            names = "--model",
            paramLabel = "MODEL",
            description = "of the files: sequential, linearizable, serializable or strict-serializable")
    private @Nullable String model;

    @Parameters(paramLabel = "FILE", description = "a recorded history, instead of simulated ones")
    private List<Path> files = new ArrayList<>();

    private final PrintWriter out;
    private final PrintWriter err;

    public SecondOpinionCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        require(seconds > 0 && seconds <= 3_600, "--seconds must be 1 to 3600, not " + seconds);
        require(random >= 0, "--random must not be negative, as " + random + " is");
        require((model == null) == files.isEmpty(), "--model says what files are checked for: give both or none");
        files.forEach(file -> require(Files.isReadable(file), "there is no history " + file));
        Path work = Installation.locate().workFolder();
        Path folder = Files.createTempDirectory("meteor-second-opinion");
        try (Judges judges = new Judges(work.resolve("cache"), folder, elle, Duration.ofSeconds(seconds))) {
            Kept kept = new Kept(keep, work.resolve("second-opinion"));
            OpinionTable table = new OpinionTable(out);
            SecondOpinions opinions = new SecondOpinions(judges, table, kept, out);
            if (model != null) {
                table.head();
                opinions.ofFiles(files, model);
            } else {
                List<SimulatedHistories> sources = sources();
                SeedRange range = SeedRange.parse(seeds);
                table.head();
                if (!isAboutMistakes()) {
                    opinions.ofRandomReads(isNone(kinds) ? 0 : random);
                    opinions.ofRandomTransactions(isNone(catenaeKinds) ? 0 : random);
                }
                for (SimulatedHistories source : sources) {
                    opinions.ofSeeds(source, range.first(), range.last(), source.isMistaken() ? REFUSED_ENOUGH : 0);
                }
            }
            return end(table, judges);
        } finally {
            Folders.delete(folder);
        }
    }

    private int end(OpinionTable table, Judges judges) {
        table.printSums();
        judges.missing().forEach(missing -> err.println("not asked: " + missing));
        out.println(
                table.differ() > 0
                        ? "they differ on " + table.differ() + " of " + table.compared()
                        : "they differ on none of " + table.compared()
                                + (table.open() > 0 ? "; on " + table.open() + " one of them could not say" : ""));
        return table.differ() > 0
                ? ExitCodes.FAILED
                : table.open() > 0 || !judges.missing().isEmpty() ? NOT_ALL : ExitCodes.OK;
    }

    private List<SimulatedHistories> sources() {
        List<SimulatedHistories> sources = new ArrayList<>();
        if (isAboutMistakes()) {
            sources.addAll(SimulatedHistories.mistakenReads());
            sources.addAll(SimulatedHistories.mistakenTransactions());
            List<String> all = sources.stream().map(SimulatedHistories::name).toList();
            named.forEach(name -> require(
                    all.contains(name), "no mistake is called " + name + "; there are " + String.join(", ", all)));
            sources.removeIf(source -> !named.isEmpty() && !named.contains(source.name()));
            return sources;
        }
        if (!isNone(kinds)) {
            kinds.stream().map(SimulatedHistories::reads).forEach(sources::add);
        }
        if (!isNone(catenaeKinds)) {
            catenaeKinds.stream().map(SimulatedHistories::transactions).forEach(sources::add);
        }
        return sources;
    }

    private boolean isAboutMistakes() {
        return mistakes || !named.isEmpty();
    }

    private static boolean isNone(List<String> kinds) {
        return kinds.equals(List.of("none"));
    }
}
