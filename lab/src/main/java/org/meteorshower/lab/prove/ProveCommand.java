/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.prove.Tlc.Verdict;
import org.meteorshower.lab.simulate.RecordedRuns;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code meteor prove}. */
@Command(
        name = "prove",
        mixinStandardHelpOptions = true,
        description = {
            "Specifications in TLA+, checked with TLC in small worlds: that what is promised holds, that a counterexample",
            "is found where one rule is left out, and that the states of interest are reached.",
            "Of sequential reads (ReadsAtACut.tla), also while the ring changes (ReadsWhileTheRingChanges.tla), of",
            "promises for strict reads at home meanwhile (Leases.tla), and of Catenae (Catenae.tla, CatenaeOrder.tla).",
            "'to depth' instead of 'holds': in all states up to the depth that is told; there are more.",
            "And some simulated runs of the core, held to ReadsAtACut.tla; more of these: prove traces."
        },
        footer = {
            "",
            "Exit codes: 0 all is as expected; 1 it is not, or a model was not searched in time; 2 wrong arguments.",
            "Examples:",
            "  ./meteor prove --quick",
            "  ./meteor prove --model silence-taken-for-no",
            "  ./meteor prove --from lane-taken-over",
            "  ./meteor prove traces --seeds 1..10000"
        })
public final class ProveCommand implements Callable<Integer> {
    private static final int SOME_TRACES = 50;

    private final PrintWriter out;

    @Option(names = "--quick", description = "only the models that take seconds each")
    private boolean quick;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            description = "this one only, with all that TLC says; a wrong one lists them")
    private @Nullable String name;

    @Option(
            names = "--from",
            paramLabel = "NAME",
            description = "from this model on: where the command was ended before")
    private @Nullable String from;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "20",
            description = "for each model at most (default: ${DEFAULT-VALUE})")
    private double minutes;

    private ProveCommand(PrintWriter out) {
        this.out = out;
    }

    /** The command, with those that belong to it. */
    public static CommandLine line(PrintWriter out) {
        return new CommandLine(new ProveCommand(out)).addSubcommand(new TracesCommand(out));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(minutes > 0 && minutes <= 1_440)) {
            throw new IllegalArgumentException("--minutes must be more than 0, at most 1440, not " + minutes);
        }
        List<Model> models = models();
        int wrong = 0;
        out.println("model                                     expected  found     states     depth  seconds");
        for (Model model : models) {
            out.print(String.format(Locale.ROOT, "%-41s %-9s ", model.name(), word(model.expected())));
            out.flush();
            Tlc.Result result = Tlc.check(model, Duration.ofMillis((long) (minutes * 60_000)));
            boolean isWrong = result.verdict() != model.expected();
            wrong += isWrong ? 1 : 0;
            out.println(String.format(
                    Locale.ROOT,
                    "%-9s %,10d %6d %8.1f%s",
                    word(result.verdict()),
                    result.states(),
                    result.depth(),
                    result.took().toMillis() / 1_000.0,
                    isWrong ? "  <- WRONG" : ""));
            if (name != null || result.verdict() == Verdict.UNKNOWN) {
                out.println(result.output());
            }
        }
        out.println(wrong == 0 ? "all " + models.size() + " as expected" : wrong + " of " + models.size() + " wrong");
        boolean accepted = name != null || someTracesAreAccepted();
        return wrong == 0 && accepted ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private boolean someTracesAreAccepted() throws IOException, InterruptedException {
        TraceSweep sweep = new TraceSweep(RecordedRuns.ofCore());
        sweep.look(1, SOME_TRACES).forEach(refusal -> out.println("REFUSED: " + refusal.text()));
        out.println("of " + SOME_TRACES + " recorded runs " + sweep.accepted() + " accepted, " + sweep.refused()
                + " refused, " + sweep.withoutWords() + " left out");
        return sweep.isRight();
    }

    private List<Model> models() {
        List<Model> all = Model.all();
        if (name != null && from != null) {
            throw new IllegalArgumentException("--model is for one model, --from for many: give one of them");
        }
        if (name != null) {
            return List.of(all.get(place(name, all)));
        }
        List<Model> rest = from == null ? all : all.subList(place(from, all), all.size());
        return rest.stream().filter(model -> !quick || model.isQuick()).toList();
    }

    private static int place(String name, List<Model> all) {
        List<String> names = all.stream().map(Model::name).toList();
        int place = names.indexOf(name);
        if (place < 0) {
            throw new IllegalArgumentException(
                    "no model is called " + name + "; there are " + String.join(", ", names));
        }
        return place;
    }

    private static String word(Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
