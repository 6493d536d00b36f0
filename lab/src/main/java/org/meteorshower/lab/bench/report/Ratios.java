/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.bench.run.RunResult;
import org.meteorshower.lab.bench.run.Window;

/** Holds every series against those of plain Cassandra's usual levels, and of the other systems for transactions. */
final class Ratios {
    private static final List<String> BASES = List.of(
            "cassandra-quorum",
            "cassandra-local-one",
            "accord",
            "lwt",
            "scalardb",
            "2pl-paxos-commit",
            "occ-paxos-commit");
    private static final List<Quantity> LATENCIES = List.of(Quantity.P50, Quantity.P99, Quantity.P999);
    private static final List<Quantity> ALL = List.of(Quantity.P50, Quantity.P99, Quantity.P999, Quantity.THROUGHPUT);

    private Ratios() {}

    static List<Ratio> of(BenchResult result) {
        List<Ratio> ratios = new ArrayList<>();
        for (Comparison comparison : result.comparisons()) {
            for (String base : BASES) {
                for (Series to : comparison.series()) {
                    for (Series of : comparison.series()) {
                        if (to.system().name().equals(base) && !of.label().equals(to.label()) && !isMirrored(of, to)) {
                            for (Op op : Op.values()) {
                                ratios.addAll(ratios(comparison, of, to, op, result.seed()));
                            }
                        }
                    }
                }
            }
        }
        return ratios;
    }

    /** Of two bases one is held against the other, not both ways. */
    private static boolean isMirrored(Series of, Series to) {
        int ofPlace = BASES.indexOf(of.system().name());
        int toPlace = BASES.indexOf(to.system().name());
        return ofPlace >= 0
                && (ofPlace < toPlace || (ofPlace == toPlace && of.label().compareTo(to.label()) < 0));
    }

    private static List<Ratio> ratios(Comparison comparison, Series of, Series to, Op op, long seed) {
        List<Bootstrap.Pair> raw = pairs(of, to, op, false);
        List<Bootstrap.Pair> clean = pairs(of, to, op, true);
        if (raw.isEmpty()) {
            return List.of();
        }
        List<Quantity> quantities = comparison.workload().isOpenLoop() ? LATENCIES : ALL;
        Map<Quantity, Ratio.Interval> all = Bootstrap.intervals(raw, quantities, seed);
        Map<Quantity, Ratio.Interval> undisturbed =
                clean.isEmpty() ? Map.of() : Bootstrap.intervals(clean, quantities, seed);
        Ratio.Interval unknown = new Ratio.Interval(Double.NaN, Double.NaN, Double.NaN);
        return quantities.stream()
                .map(quantity -> new Ratio(
                        comparison.title(),
                        of.label(),
                        to.label(),
                        op,
                        quantity,
                        all.getOrDefault(quantity, unknown),
                        undisturbed.getOrDefault(quantity, unknown),
                        raw.size()))
                .toList();
    }

    /** One of each repeat that both have, and in which both did such operations. */
    private static List<Bootstrap.Pair> pairs(Series of, Series to, Op op, boolean undisturbed) {
        List<Bootstrap.Pair> pairs = new ArrayList<>();
        for (RunResult a : of.runs()) {
            for (RunResult b : to.runs()) {
                if (a.run().repeat() == b.run().repeat()) {
                    Sample left = sample(a, op, undisturbed);
                    Sample right = sample(b, op, undisturbed);
                    if (Sample.total(left.whole()) > 0 && Sample.total(right.whole()) > 0) {
                        pairs.add(new Bootstrap.Pair(left, right));
                    }
                }
            }
        }
        return pairs;
    }

    private static Sample sample(RunResult run, Op op, boolean undisturbed) {
        List<Window> windows = run.windows().stream()
                .filter(window -> !undisturbed || !window.machine().isDisturbed())
                .toList();
        return Sample.of(windows, op);
    }
}
