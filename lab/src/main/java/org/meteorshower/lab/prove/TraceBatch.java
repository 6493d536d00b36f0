/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.meteorshower.lab.prove.Tlc.Verdict;

/** Recorded runs that one run of TLC holds to the specification. */
final class TraceBatch {
    private static final String MODULE = "ReadsAtACutTrace";
    private static final Pattern ACCEPTED = Pattern.compile("<<\"accepted\", (\\d+)>>");
    private static final Pattern AT = Pattern.compile("<<\\s*\"at\",\\s*(\\d+),\\s*(\\d+),\\s*\\{([^}]*)\\}\\s*>>");

    private final List<RunTrace> runs;

    /** @param runs at least one */
    TraceBatch(List<RunTrace> runs) {
        this.runs = List.copyOf(runs);
    }

    /**
     * A run that is none of the specification's.
     *
     * @param number of the run in the batch, counted from 1
     * @param step the first that nothing matches, counted from 1
     * @param why what speaks against it; empty where nothing was found
     */
    record Refusal(int number, RunTrace run, int step, List<String> why) {
        String text() {
            return "seed " + run.seed() + ", step " + step + " of "
                    + run.steps().size() + ": " + run.describe(step) + "\n    "
                    + (why.isEmpty() ? "no action of the specification does that" : String.join("; ", why));
        }
    }

    /**
     * Blocks until all are looked at.
     *
     * @return those that are refused, in order
     * @throws IllegalStateException if TLC could not look at them in time; the message has all that it said
     */
    List<Refusal> refusals(Duration atMost) throws IOException, InterruptedException {
        Set<Integer> accepted = new HashSet<>();
        ACCEPTED.matcher(check(false, atMost)).results().forEach(each -> accepted.add(Integer.valueOf(each.group(1))));
        List<Integer> refused = new ArrayList<>();
        for (int number = 1; number <= runs.size(); number++) {
            if (!accepted.contains(number)) {
                refused.add(number);
            }
        }
        return refused.isEmpty() ? List.of() : explained(refused, atMost);
    }

    /** A second look at those that are refused tells where, and why. */
    private List<Refusal> explained(List<Integer> numbers, Duration atMost) throws IOException, InterruptedException {
        List<RunTrace> refused =
                numbers.stream().map(number -> runs.get(number - 1)).toList();
        Map<Integer, Refusal> byRun = new TreeMap<>();
        Matcher matcher = AT.matcher(new TraceBatch(refused).check(true, atMost));
        while (matcher.find()) {
            int run = Integer.parseInt(matcher.group(1));
            int step = Integer.parseInt(matcher.group(2));
            Refusal before = byRun.get(run);
            if (before == null || before.step() <= step) {
                byRun.put(
                        run, new Refusal(numbers.get(run - 1), refused.get(run - 1), step, reasons(matcher.group(3))));
            }
        }
        if (byRun.size() != refused.size()) {
            throw new IllegalStateException(
                    "TLC refuses " + refused.size() + " runs, and tells why of " + byRun.size());
        }
        return List.copyOf(byRun.values());
    }

    private static List<String> reasons(String set) {
        Matcher quoted = Pattern.compile("\"([^\"]*)\"").matcher(set);
        return quoted.results().map(each -> each.group(1)).toList();
    }

    private String check(boolean verbose, Duration atMost) throws IOException, InterruptedException {
        Tlc.Result result = Tlc.check(
                List.of("ReadsAtACut", MODULE),
                Map.of("TraceData.tla", data(), "Model.cfg", configuration(verbose)),
                MODULE,
                atMost);
        if (result.verdict() != Verdict.HOLDS) {
            throw new IllegalStateException("TLC did not look at all runs:\n" + result.output());
        }
        return result.output();
    }

    private int most(ToIntFunction<RunTrace> of) {
        return runs.stream().mapToInt(of).max().orElse(0);
    }

    private String data() {
        return "---- MODULE TraceData ----\nEXTENDS Integers\nRuns == <<\n"
                + runs.stream().map(RunTrace::text).collect(Collectors.joining(",\n"))
                + ">>\nMostSessions == " + most(RunTrace::sessions)
                + "\nMostWrites == " + most(RunTrace::writes)
                + "\n====\n";
    }

    /** All rules are kept; a run ends by itself. */
    private String configuration(boolean verbose) {
        Map<String, String> constants = new TreeMap<>(ReadsAtACutModels.allThatTheCoreDoes());
        constants.put("MaxClock", Integer.toString(most(RunTrace::times)));
        constants.put("Restarts", "1000");
        constants.put("Verbose", verbose ? Model.TRUE : Model.FALSE);
        return "SPECIFICATION TraceSpec\n" + Model.text(constants)
                + "  Sessions <- AllSessions\n  Writes <- AllWrites\n  KeyOf <- RunKeyOf\n  Op <- RunOp\n"
                + "  Ops <- RunOps\n";
    }
}
