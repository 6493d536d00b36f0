/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code meteor simulate --exhaustive} can be told. */
final class ExhaustiveOptions {
    @Option(
            names = "--exhaustive",
            description = "try every order of events in small worlds: three replicas, a few operations, one fault")
    private boolean exhaustive;

    @Option(names = "--scenario", paramLabel = "NAME", description = "this small world only; a wrong one lists them")
    private @Nullable String scenario;

    @Option(names = "--depth", paramLabel = "N", description = "up to so many events in a row (default: to the end)")
    private @Nullable Integer depth;

    @Option(
            names = "--deviations",
            paramLabel = "N",
            description = "schedules that depart at most so often from the plain one (default: every schedule)")
    private @Nullable Integer deviations;

    @Option(
            names = "--timers",
            paramLabel = "N",
            description = "timers fire so often in all (default: what the scenario says)")
    private @Nullable Integer timers;

    @Option(names = "--schedule", paramLabel = "MOVES", description = "tell what happens in this schedule instead")
    private @Nullable String schedule;

    boolean isChosen() {
        return exhaustive;
    }

    /** Null for all. */
    @Nullable
    String scenario() {
        return scenario;
    }

    @Nullable
    Integer timers() {
        return atLeastZero("--timers", timers);
    }

    @Nullable
    String schedule() {
        if (schedule != null && scenario == null) {
            throw new IllegalArgumentException("--schedule is of one scenario: say which, with --scenario NAME");
        }
        return schedule;
    }

    int depth() {
        return most(atLeastZero("--depth", depth));
    }

    int deviations() {
        return most(atLeastZero("--deviations", deviations));
    }

    private static int most(@Nullable Integer chosen) {
        return chosen == null ? Integer.MAX_VALUE : chosen;
    }

    private static @Nullable Integer atLeastZero(String name, @Nullable Integer value) {
        if (value != null && value < 0) {
            throw new IllegalArgumentException(name + ": " + value + " is negative");
        }
        return value;
    }

    /** The bound in words, and as options that ask for it again. */
    String words() {
        String words = (depth == null ? "" : " --depth " + depth)
                + (deviations == null ? "" : " --deviations " + deviations)
                + (timers == null ? "" : " --timers " + timers);
        return words;
    }
}
