/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.List;
import java.util.Locale;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.console.Numbers;

/** What a run gave, for people: the table, the verdicts, the goals, and what to judge the figures by. */
final class ResultPrinter {
    private static final int LINES_OF_A_REPORT = 14;

    private final Display display;

    ResultPrinter(Display display) {
        this.display = display;
    }

    void print(DemoResult result) {
        new TablePrinter(display).print(result.stats());
        result.stats().forEach((mode, stats) -> failures(mode, stats.total()));
        result.findings().forEach(this::verdict);
        OutageReport outage = result.outage();
        if (outage != null) {
            outage(outage);
        }
        display.say("");
        result.goals().forEach(this::goal);
        machine(result);
    }

    private void failures(Mode mode, OperationStats stats) {
        if (stats.failures() > 0) {
            display.say(mode.title() + ": " + stats.failures() + " operations without an answer; the first: "
                    + stats.firstFailure());
        }
    }

    private void verdict(Finding finding) {
        String model = finding.verdict().model().name().toLowerCase(Locale.ROOT);
        String size = Numbers.whole(finding.history().size()) + " operations of "
                + finding.history().sessionCount() + " sessions, checked in "
                + Numbers.of(finding.elapsedNanos() / 1e9) + " s";
        switch (finding.verdict().outcome()) {
            case CONSISTENT ->
                display.say((finding.promised() ? display.good("✓ ") : "  ") + finding.title() + ": " + model
                        + ", no violation; " + size);
            case VIOLATION -> {
                String mark = finding.promised() ? display.bad("✗ ") : "  ";
                String expected = finding.promised() ? "" : " (nor does it promise to be); for example";
                display.say(mark + finding.title() + ": NOT " + model + expected + "; " + size);
                counterexample(finding.report().lines().skip(2).toList());
            }
            default ->
                display.say((finding.promised() ? display.bad("? ") : "  ") + finding.title() + ": undecided; "
                        + finding.verdict().reason() + "; " + size);
        }
    }

    private void counterexample(List<String> lines) {
        lines.stream().limit(LINES_OF_A_REPORT).forEach(line -> display.say("    " + line.strip()));
        if (lines.size() > LINES_OF_A_REPORT) {
            display.say("    and " + (lines.size() - LINES_OF_A_REPORT) + " more lines");
        }
    }

    private void outage(OutageReport outage) {
        display.say(String.format(
                Locale.ROOT,
                "  %s dead for %.1f s: %,d operations went on, %d got no answer; longest wait of a session elsewhere %.0f ms,"
                        + " of one that had to move %.0f ms",
                outage.dc(),
                outage.downSeconds(),
                outage.operations(),
                outage.failures(),
                outage.longestStallMillis(),
                outage.longestMoveMillis()));
        if (outage.firstFailure() != null) {
            display.say("  the first without an answer: " + outage.firstFailure());
        }
    }

    private void goal(Goal goal) {
        String mark = !goal.isJudged() ? "  " : goal.isMet() ? display.good("✓ ") : display.bad("✗ ");
        String limit = goal.isJudged() ? (goal.atLeast() ? "at least " : "at most ") + Numbers.plain(goal.limit()) : "";
        display.say(mark
                + String.format(Locale.ROOT, "%-36s %8s   %s", goal.text(), Numbers.of(goal.value()), limit)
                        .stripTrailing());
    }

    private void machine(DemoResult result) {
        MachineUse machine = result.machine();
        display.say(String.format(
                Locale.ROOT,
                "  nodes up in %.1f s; %d cores, %s busy (%s by the clients, %s stolen), load %s before and %s after",
                result.bootSeconds(),
                machine.cores(),
                Numbers.share(machine.busyShare()),
                Numbers.share(machine.clientShare()),
                Numbers.share(machine.stolenShare()),
                Numbers.of(machine.loadAverageBefore()),
                Numbers.of(machine.loadAverageAfter())));
    }
}
