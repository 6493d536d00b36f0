/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.Locale;
import java.util.Map;
import org.meteorshower.client.Served;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.console.Numbers;

/** The figures as a table: a row for each mode, and below it one for each data centre. */
final class TablePrinter {
    private final Display display;

    TablePrinter(Display display) {
        this.display = display;
    }

    void print(Map<Mode, ModeStats> stats) {
        display.say("");
        display.say(row("", "", "reads", "(ms)", "", "writes", "(ms)", "", "", "reads", "served", "", "stale", "(ms)"));
        display.say(row(
                "mode", "where", "p50", "p90", "p99", "p50", "p90", "p99", "op/s", "local", "waited", "pulled", "p50",
                "p99"));
        stats.forEach((mode, measured) -> {
            display.say(display.bold(row(mode.title(), "all", measured, measured.total())));
            for (String dc : measured.dcs()) {
                display.say(row("", dc, measured, measured.at(dc)));
            }
        });
        display.say("");
    }

    private static String row(String mode, String where, ModeStats all, OperationStats stats) {
        return row(
                mode,
                where,
                Numbers.of(stats.reads().millisAt(50)),
                Numbers.of(stats.reads().millisAt(90)),
                Numbers.of(stats.reads().millisAt(99)),
                Numbers.of(stats.writes().millisAt(50)),
                Numbers.of(stats.writes().millisAt(90)),
                Numbers.of(stats.writes().millisAt(99)),
                Math.round(all.operationsPerSecond(stats)),
                Numbers.share(stats.localShare()),
                Numbers.share(stats.share(Served.WAITED)),
                Numbers.share(stats.share(Served.PULLED)),
                Numbers.of(stats.staleness().millisAt(50)),
                Numbers.of(stats.staleness().millisAt(99)));
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, "%-20s %-6s %7s %7s %7s  %7s %7s %7s %6s %6s %6s %6s  %6s %6s", cells)
                .stripTrailing();
    }

    /** One phase in one line. */
    static String line(Phase phase, ModeStats measured) {
        OperationStats total = measured.total();
        String line = String.format(
                Locale.ROOT,
                "%-20s reads p50 %7s p99 %7s   writes p50 %7s p99 %7s ms  %5d op/s",
                phase.mode().title(),
                Numbers.of(total.reads().millisAt(50)),
                Numbers.of(total.reads().millisAt(99)),
                Numbers.of(total.writes().millisAt(50)),
                Numbers.of(total.writes().millisAt(99)),
                Math.round(measured.operationsPerSecond(total)));
        String local = Double.isNaN(total.localShare()) ? "" : "  " + Numbers.share(total.localShare()) + " local";
        String failed = total.failures() == 0 ? "" : "  " + total.failures() + " failed";
        return line + local + failed;
    }
}
