/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.console.Json;
import org.meteorshower.smallscope.SmallScope;

/** Tells, for each mistake made on purpose, which small world shows it, and after how many events. */
final class ExhaustiveMutants {
    /** Enough for most of them; what needs more is better asked for by name. */
    private static final int MOST_STATES = 60_000;

    private record Finding(Mutant mutant, String scenario, Map<String, Object> figures, long states) {
        boolean isFound() {
            return figures.get("complaint") != null;
        }

        String by() {
            String complaint = String.valueOf(figures.get("complaint"));
            return complaint.substring(0, Math.max(0, complaint.indexOf(':')));
        }
    }

    private final ExhaustiveOptions options;
    private final @Nullable Path json;
    private final PrintWriter out;
    private final PrintWriter err;
    private final List<Finding> findings = new ArrayList<>();

    ExhaustiveMutants(ExhaustiveOptions options, @Nullable Path json, PrintWriter out, PrintWriter err) {
        this.options = options;
        this.json = json;
        this.out = out;
        this.err = err;
    }

    /** Returns the exit code: 0, since small worlds do not have room for every mistake. */
    int run() {
        Thread interrupted = new Thread(() -> tell("interrupted; so far:"), "simulate-interrupted");
        Runtime.getRuntime().addShutdownHook(interrupted);
        try {
            for (Mutant mutant : Mutants.all()) {
                if (SmallScope.knows(mutant.bug().name())) {
                    hunt(mutant);
                }
            }
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(interrupted);
            } catch (IllegalStateException e) {
                // The process is ending already.
            }
        }
        tell("");
        return 0;
    }

    private void hunt(Mutant mutant) {
        SmallScopes scopes = SmallScopes.of(mutant);
        String chosen = options.scenario();
        List<String> names = chosen == null ? List.copyOf(SmallScope.scenarios().keySet()) : List.of(chosen);
        int[] bounds = {options.depth(), options.deviations(), MOST_STATES};
        long states = 0;
        Finding finding = new Finding(mutant, "", Map.of(), 0);
        for (String name : names) {
            err.println(mutant.name() + ": " + name);
            Map<String, Object> figures = scopes.search(name, options.timers(), bounds, told -> {});
            states += figures.get("states") instanceof Long more ? more : 0;
            finding = new Finding(mutant, name, figures, states);
            if (finding.isFound()) {
                break;
            }
        }
        synchronized (this) {
            findings.add(finding);
        }
    }

    private synchronized void tell(String first) {
        if (!first.isEmpty()) {
            out.println(first);
        }
        out.printf(Locale.ROOT, "%-32s %-16s %7s %10s  %s%n", "mutant", "scenario", "events", "states", "found by");
        ObjectNode root = Json.object();
        ObjectNode all = root.putObject("mutants");
        for (Finding finding : findings) {
            boolean found = finding.isFound();
            String schedule = String.valueOf(finding.figures.get("schedule"));
            int events = found ? schedule.split("\\.", -1).length : 0;
            out.printf(
                    Locale.ROOT,
                    "%-32s %-16s %7s %,10d  %s%n",
                    finding.mutant.name(),
                    found ? finding.scenario : "",
                    found ? Integer.toString(events) : "",
                    finding.states,
                    found ? finding.by() : "not found");
            ObjectNode one =
                    all.putObject(finding.mutant.name()).put("caught", found).put("states", finding.states);
            if (found) {
                one.put("scenario", finding.scenario)
                        .put("events", events)
                        .put("by", finding.by())
                        .put("schedule", schedule);
            }
        }
        out.println(findings.stream().filter(Finding::isFound).count() + " of " + findings.size()
                + " mutants found, where no scenario kept more than " + String.format(Locale.ROOT, "%,d", MOST_STATES)
                + " states of one depth");
        if (json != null) {
            Json.write(root, json);
        }
    }
}
