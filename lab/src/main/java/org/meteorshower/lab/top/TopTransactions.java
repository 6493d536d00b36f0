/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.top;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.console.Numbers;

/** The part of the picture that is about transactions; nothing where no node has them. */
final class TopTransactions {
    private static final String KINDS = "%-44s %9s %8s %9s %9s %9s %8s";
    private static final String PROCESSES = "%-44s %9s %8s %12s %9s";

    private final Display display;

    TopTransactions(Display display) {
        this.display = display;
    }

    List<String> lines(List<Sight> sights) {
        List<String> lines = new ArrayList<>();
        processes(sights, lines);
        kinds(sights, lines);
        return lines;
    }

    private void processes(List<Sight> sights, List<String> lines) {
        List<String> processes = new ArrayList<>();
        for (Sight sight : sights) {
            TransactionsReading told = toldBy(sight);
            TransactionsReading.Runner runner = told == null ? null : told.runner();
            if (runner != null) {
                processes.add(String.format(
                        Locale.ROOT,
                        PROCESSES,
                        sight.target().dc() + " at " + sight.target().name(),
                        runner.whole() ? "yes" : "NO",
                        Numbers.whole(runner.waiting()),
                        Numbers.whole(runner.executed()),
                        TopTable.millis(runner.persistMicros())));
            }
        }
        if (!processes.isEmpty()) {
            lines.add("");
            lines.add(display.dim(String.format(
                    Locale.ROOT, PROCESSES, "TRANSACTIONS RUN", "WHOLE", "WAITING", "EXECUTED", "DISK ms")));
            lines.addAll(processes);
        }
    }

    /** Rates over all nodes; latencies of the slowest. */
    private void kinds(List<Sight> sights, List<String> lines) {
        Map<String, TransactionRates> rates = new TreeMap<>();
        Map<String, Long[]> slowest = new TreeMap<>();
        for (Sight sight : sights) {
            TransactionsReading told = toldBy(sight);
            Sight.Figures figures = sight.figures();
            if (told == null || figures == null) {
                continue;
            }
            told.kinds().forEach((kind, outcomes) -> {
                rates.merge(
                        kind,
                        figures.transactionsByKind().getOrDefault(kind, TransactionRates.NONE),
                        TransactionRates::plus);
                Long[] of = slowest.computeIfAbsent(kind, key -> new Long[2]);
                of[0] = TopTable.larger(of[0], outcomes.latencyP50());
                of[1] = TopTable.larger(of[1], outcomes.latencyP99());
            });
        }
        if (rates.isEmpty()) {
            return;
        }
        lines.add("");
        lines.add(display.dim(String.format(
                Locale.ROOT,
                KINDS,
                "TRANSACTIONS",
                "COMMIT/s",
                "ABORT/s",
                "REFUSED/s",
                "UNKNWN/s",
                "P50 ms",
                "P99 ms")));
        rates.forEach((kind, rate) -> {
            Long[] of = slowest.getOrDefault(kind, new Long[2]);
            lines.add(String.format(
                    Locale.ROOT,
                    KINDS,
                    kind,
                    TopTable.rate(rate.committed()),
                    TopTable.rate(rate.aborted()),
                    TopTable.rate(rate.refused()),
                    TopTable.rate(rate.unknown()),
                    TopTable.millis(of[0]),
                    TopTable.millis(of[1])));
        });
    }

    private static @Nullable TransactionsReading toldBy(Sight sight) {
        Sight.Figures figures = sight.figures();
        return figures == null ? null : figures.now().transactions();
    }
}
