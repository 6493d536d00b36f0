/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.console.Json;
import org.meteorshower.smallscope.SmallScope;

/**
 * Searches small worlds one after the other, and shows how much was searched. Where it is interrupted it tells what was
 * done so far.
 */
final class ExhaustiveShow {
    private static final int FOUND = 1;
    private static final long PROGRESS_EVERY_NANOS = 2_000_000_000L;

    /** What a state of the widest depth takes in memory, with those of the depth before, roughly. */
    private static final long BYTES_PER_STATE = 450;

    private final ExhaustiveOptions options;
    private final SmallScopes scopes;
    private final @Nullable Mutant mutant;
    private final @Nullable Path json;
    private final PrintWriter out;
    private final PrintWriter err;
    private final Map<String, Map<String, Object>> told = new LinkedHashMap<>();
    private String current = "";
    private long startedNanos;
    private long shownNanos;

    ExhaustiveShow(
            ExhaustiveOptions options, @Nullable Mutant mutant, @Nullable Path json, PrintWriter out, PrintWriter err) {
        this(options, mutant, SmallScopes.of(mutant), json, out, err);
    }

    /** @param scopes that are searched */
    ExhaustiveShow(
            ExhaustiveOptions options,
            @Nullable Mutant mutant,
            SmallScopes scopes,
            @Nullable Path json,
            PrintWriter out,
            PrintWriter err) {
        this.options = options;
        this.mutant = mutant;
        this.scopes = scopes;
        this.json = json;
        this.out = out;
        this.err = err;
    }

    /** Returns the exit code. */
    int run() {
        String schedule = options.schedule();
        String scenario = options.scenario();
        if (schedule != null && scenario != null) {
            String wrong = scopes.retell(scenario, options.timers(), schedule, out::println);
            out.println(wrong == null ? "nothing is wrong there" : wrong);
            return wrong == null ? 0 : FOUND;
        }
        Thread interrupted = new Thread(() -> tell("interrupted; so far:"), "simulate-interrupted");
        Runtime.getRuntime().addShutdownHook(interrupted);
        try {
            List<String> names =
                    scenario == null ? List.copyOf(SmallScope.scenarios().keySet()) : List.of(scenario);
            for (String name : names) {
                search(name);
            }
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(interrupted);
            } catch (IllegalStateException e) {
                // The process is ending already.
            }
        }
        return tell(mutant == null ? "" : "mutant " + mutant.name() + ": " + mutant.meaning());
    }

    private void search(String name) {
        synchronized (this) {
            current = name;
            startedNanos = System.nanoTime();
            shownNanos = startedNanos;
        }
        long mostStates = Runtime.getRuntime().maxMemory() / BYTES_PER_STATE;
        int[] bounds = {options.depth(), options.deviations(), (int) Math.min(Integer.MAX_VALUE, mostStates)};
        try {
            heard(scopes.search(name, options.timers(), bounds, this::heard));
        } catch (OutOfMemoryError e) {
            // What the search held is free by now; the figures it told of its last whole depth are kept.
            ranOutOfMemory(name);
        }
    }

    private synchronized void ranOutOfMemory(String name) {
        Map<String, Object> figures = told.computeIfAbsent(name, missing -> new LinkedHashMap<>());
        figures.put("whole", false);
        figures.put("out_of_memory", true);
        err.println(
                name + ": the memory did not suffice; its figures are those told last. Give a smaller --depth, or java"
                        + " more memory");
    }

    private synchronized void heard(Map<String, Object> figures) {
        Map<String, Object> withTime = new LinkedHashMap<>(figures);
        withTime.put("seconds", (System.nanoTime() - startedNanos) / 1e9);
        told.put(current, withTime);
        if (System.nanoTime() - shownNanos > PROGRESS_EVERY_NANOS) {
            shownNanos = System.nanoTime();
            err.println(String.format(
                    Locale.ROOT,
                    "%s: every schedule of %d events, %,d states, %,d transitions",
                    current,
                    number(figures, "depth"),
                    number(figures, "states"),
                    number(figures, "transitions")));
        }
    }

    private static long number(Map<String, Object> figures, String name) {
        return figures.get(name) instanceof Number number ? number.longValue() : 0;
    }

    private static double decimal(Map<String, Object> figures, String name) {
        return figures.get(name) instanceof Number number ? number.doubleValue() : 0;
    }

    private synchronized int tell(String first) {
        if (!first.isEmpty()) {
            out.println(first);
        }
        table();
        out.println(bound());
        boolean found = false;
        for (Map.Entry<String, Map<String, Object>> entry : told.entrySet()) {
            if (entry.getValue().get("complaint") != null) {
                found = true;
                complain(entry.getKey(), entry.getValue());
            }
        }
        if (!found) {
            out.println("no state that was reached is wrong");
        }
        if (json != null) {
            Json.write(json(found), json);
        }
        return found ? FOUND : 0;
    }

    private void table() {
        out.printf(
                Locale.ROOT,
                "%-16s %4s %6s %6s %6s %6s %12s %12s %11s %11s %8s%n",
                "scenario",
                "ops",
                "timers",
                "faults",
                "depth",
                "whole",
                "states",
                "transitions",
                "schedules",
                "node states",
                "seconds");
        told.forEach((name, figures) -> out.printf(
                Locale.ROOT,
                "%-16s %4d %6d %6d %6d %6s %,12d %,12d %11.3g %,11d %8.1f%n",
                name,
                number(figures, "operations"),
                number(figures, "timer_firings"),
                number(figures, "faults"),
                number(figures, "depth"),
                Boolean.TRUE.equals(figures.get("whole")) ? "yes" : "no",
                number(figures, "states"),
                number(figures, "transitions"),
                decimal(figures, "schedules"),
                number(figures, "node_states"),
                decimal(figures, "seconds")));
    }

    private String bound() {
        return "Every schedule up to that depth was followed"
                + (options.deviations() == Integer.MAX_VALUE
                        ? ""
                        : " that departs at most " + options.deviations() + " times from the plain one")
                + "; where it is whole, none is longer.";
    }

    private void complain(String name, Map<String, Object> figures) {
        String schedule = String.valueOf(figures.get("schedule"));
        String which = mutant == null ? "" : " --mutant " + mutant.name();
        out.println();
        scopes.retell(name, options.timers(), schedule, out::println);
        out.println(figures.get("complaint"));
        out.println("replay with: ./meteor simulate --exhaustive --scenario " + name + options.words() + which
                + " --schedule " + schedule);
    }

    private ObjectNode json(boolean found) {
        ObjectNode json = Json.object();
        json.put("violations", found ? 1 : 0);
        if (mutant != null) {
            json.put("mutant", mutant.name());
        }
        json.put("bounds", options.words().strip());
        ObjectNode scenarios = json.putObject("scenarios");
        told.forEach((name, figures) -> {
            ObjectNode one = scenarios.putObject(name);
            figures.forEach((what, value) -> one.putPOJO(what, value));
        });
        return json;
    }
}
