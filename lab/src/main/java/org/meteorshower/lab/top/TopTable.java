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

/** The picture for a terminal: nodes, tables, and what is not as it should be. */
final class TopTable {
    private static final String NODES = "%-10s %-8s %8s %6s %6s %6s %9s %8s %8s %9s %8s %8s %9s %9s";
    private static final String TABLES = "%-44s %9s %8s %8s %9s %9s %8s %8s";

    private final Display display;

    TopTable(Display display) {
        this.display = display;
    }

    List<String> lines(List<Sight> sights, String time) {
        List<String> lines = new ArrayList<>();
        long up = sights.stream().filter(sight -> sight.error() == null).count();
        lines.add(display.bold("MeteorShower") + "  " + up + " of " + sights.size() + " nodes tell  " + time);
        lines.add("");
        lines.add(display.dim(String.format(
                Locale.ROOT,
                NODES,
                "NODE",
                "DC",
                "READS/s",
                "LOCAL",
                "WAIT",
                "FORWD",
                "REFUSED/s",
                "WRITES/s",
                "UNKNWN/s",
                "RECORDS",
                "JOURNAL",
                "WAITING",
                "LAG ms",
                "SKEW ms")));
        sights.forEach(sight -> lines.add(node(sight)));
        tables(sights, lines);
        lines.addAll(new TopTransactions(display).lines(sights));
        lines.addAll(new TopMemory(display).lines(sights));
        troubles(sights, lines);
        return lines;
    }

    private String node(Sight sight) {
        Target target = sight.target();
        Sight.Figures figures = sight.figures();
        if (figures == null) {
            return String.format(Locale.ROOT, "%-10s %-8s ", target.name(), target.dc())
                    + display.bad(String.valueOf(sight.error()));
        }
        Reading now = figures.now();
        return String.format(
                Locale.ROOT,
                NODES,
                target.name(),
                target.dc(),
                rate(figures.reads()),
                Numbers.share(figures.localShare()),
                Numbers.share(figures.waitedShare()),
                Numbers.share(figures.forwardedShare()),
                rate(figures.refused()),
                rate(figures.writes()),
                rate(figures.unknown()),
                Numbers.whole(now.node().getOrDefault("records", 0L)),
                (now.node().getOrDefault("journal_bytes", 0L) >> 20) + " MB",
                Numbers.whole(now.node().getOrDefault("waiting_reads", 0L)),
                millis(Sight.longestLagMicros(now)),
                millis(Sight.largestSkewMicros(now)));
    }

    /** Rates over all nodes; latencies of the slowest. */
    private void tables(List<Sight> sights, List<String> lines) {
        Map<String, double[]> rates = new TreeMap<>();
        Map<String, Long[]> slowest = new TreeMap<>();
        for (Sight sight : sights) {
            Sight.Figures figures = sight.figures();
            if (figures == null) {
                continue;
            }
            figures.now().reads().forEach((name, reads) -> {
                rates.computeIfAbsent(name, key -> new double[2])[0] +=
                        figures.readsByTable().getOrDefault(name, Double.NaN);
                Long[] of = slowest.computeIfAbsent(name, key -> new Long[5]);
                of[0] = larger(of[0], reads.latencyP50());
                of[1] = larger(of[1], reads.latencyP99());
                of[2] = larger(of[2], reads.stalenessP50());
            });
            figures.now().writes().forEach((name, writes) -> {
                String row = name + " writes";
                rates.computeIfAbsent(row, key -> new double[2])[1] +=
                        figures.writesByTable().getOrDefault(name, Double.NaN);
                Long[] of = slowest.computeIfAbsent(row, key -> new Long[5]);
                of[3] = larger(of[3], writes.latencyP50());
                of[4] = larger(of[4], writes.latencyP99());
            });
        }
        if (rates.isEmpty()) {
            return;
        }
        lines.add("");
        lines.add(display.dim(String.format(
                Locale.ROOT,
                TABLES,
                "TABLE",
                "READS/s",
                "P50 ms",
                "P99 ms",
                "STALE ms",
                "WRITES/s",
                "P50 ms",
                "P99 ms")));
        rates.forEach((name, rate) -> {
            Long[] of = slowest.getOrDefault(name, new Long[5]);
            boolean writes = name.endsWith(" writes");
            lines.add(String.format(
                    Locale.ROOT,
                    TABLES,
                    name,
                    writes ? "" : rate(rate[0]),
                    writes ? "" : millis(of[0]),
                    writes ? "" : millis(of[1]),
                    writes ? "" : millis(of[2]),
                    writes ? rate(rate[1]) : "",
                    writes ? millis(of[3]) : "",
                    writes ? millis(of[4]) : ""));
        });
        lines.add(display.dim("latencies of the last minute, at the slowest coordinator"));
    }

    private void troubles(List<Sight> sights, List<String> lines) {
        boolean any = false;
        if (sights.stream().allMatch(sight -> sight.error() != null)) {
            lines.add("");
            lines.add(display.bad(
                    "No node answers, so nothing is known: the cluster is down, or this machine is cut off from it"));
            any = true;
        }
        for (Sight sight : sights) {
            Sight.Figures figures = sight.figures();
            for (String trouble :
                    figures == null ? List.<String>of() : figures.now().troubles()) {
                if (!any) {
                    lines.add("");
                    any = true;
                }
                lines.add(display.bad(sight.target().name() + ": " + trouble));
            }
        }
    }

    static @Nullable Long larger(@Nullable Long one, @Nullable Long other) {
        return one == null || (other != null && other > one) ? other : one;
    }

    static String rate(double perSecond) {
        return Double.isNaN(perSecond)
                ? "-"
                : perSecond == 0 ? "0" : perSecond < 10 ? Numbers.of(perSecond) : Numbers.whole(Math.round(perSecond));
    }

    static String millis(@Nullable Long micros) {
        return micros == null ? "-" : micros < 0 ? "-" + Numbers.of(-micros / 1e3) : Numbers.of(micros / 1e3);
    }
}
