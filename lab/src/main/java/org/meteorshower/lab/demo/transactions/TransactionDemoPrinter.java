/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo.transactions;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.meteorshower.lab.bench.report.TransactionOutcomes;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.bench.run.RunResult;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.console.Numbers;

/** Prints what came of the demo: a table by data centre, how transactions ended, what the checker says. */
final class TransactionDemoPrinter {
    private final Display display;

    TransactionDemoPrinter(Display display) {
        this.display = display;
    }

    void print(TransactionDemoResult result) {
        List<String> dcs = result.options().dcs();
        StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%-22s", "p50 / p99, ms"));
        StringBuilder floor = new StringBuilder(String.format(Locale.ROOT, "%-22s", "nearest majority"));
        for (String dc : dcs) {
            head.append(String.format(Locale.ROOT, "%18s", dc));
            floor.append(String.format(
                    Locale.ROOT, "%18s", Numbers.of(result.options().majorityMillis(dc))));
        }
        display.say("");
        display.say(head + String.format(Locale.ROOT, "%12s", "commits/s"));
        display.say(floor.toString());
        row("transfer", result.transfer(), dcs);
        row("hot row", result.hotRow(), dcs);
        TransactionDemoResult.Outage outage = result.outage();
        if (outage != null) {
            row("transfer, a death", outage.run(), dcs);
            display.say(String.format(
                    Locale.ROOT,
                    "%s was killed; the longest time without a commit, ms: %s",
                    outage.killed(),
                    outage.stallsMillis().entrySet().stream()
                            .map(each -> each.getKey() + " " + Numbers.of(each.getValue()))
                            .collect(Collectors.joining(", "))));
        }
        display.say("");
        display.say(result.outcomes().words());
        result.runs().forEach(this::failures);
        verdicts(result);
    }

    private void row(String name, RunResult run, List<String> dcs) {
        TransactionOutcomes outcomes = TransactionOutcomes.of(List.of(run));
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-22s", name));
        for (String dc : dcs) {
            line.append(String.format(
                    Locale.ROOT, "%18s", Numbers.medianAndTail(outcomes.byDc().get(dc))));
        }
        display.say(line + String.format(Locale.ROOT, "%12s", Numbers.of(outcomes.throughput())));
    }

    private void failures(RunResult run) {
        String first = run.firstFailure(Op.WRITE);
        if (first != null) {
            display.say("  " + run.run().workload().name() + ": the first that did not commit: " + first);
        }
    }

    private void verdicts(TransactionDemoResult result) {
        for (RunResult run : result.runs()) {
            RunResult.Check check = run.check();
            if (check == null || !check.outcome().equals("consistent")) {
                display.say(run.run().workload().name() + ": "
                        + (check == null ? "not checked" : check.outcome() + ": " + check.reason()));
            }
        }
        long checked = result.runs().stream()
                .map(RunResult::check)
                .flatMap(Stream::ofNullable)
                .mapToLong(RunResult.Check::operations)
                .sum();
        display.say(String.format(
                Locale.ROOT,
                "checker: %d of %d workloads violate strict serializability or lose money; %,d transactions looked at",
                result.violations(),
                result.runs().size(),
                checked));
    }
}
