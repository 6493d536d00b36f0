/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.meteorshower.simulator.MajorityValue;
import org.meteorshower.simulator.PublishedAlgorithm.Setting;
import org.meteorshower.simulator.PublishedRun;

/**
 * What the published algorithm gets wrong with perfect clocks and no faults: counts, and the shortest example found.
 */
final class PublishedTable {
    private static final List<Long> EUROPE_US_ASIA = List.of(50_000L, 127_000L, 77_000L);
    private static final List<Long> EQUAL = List.of(50_000L, 50_000L, 50_000L);
    private static final int OPERATIONS = 500;
    static final int RUNS = 200;
    private static final int SMALL_OPERATIONS = 24;
    private static final int SMALL_RUNS_EACH = 25;

    private final PrintWriter out;
    private final int runs;

    /** @param runs of each row of the table */
    PublishedTable(PrintWriter out, int runs) {
        this.out = out;
        this.runs = runs;
    }

    /** Returns the exit code: the algorithm is expected to be found wrong. */
    int run() {
        out.printf(
                Locale.ROOT,
                "%-14s %-24s %-16s %10s %12s %19s %18s%n",
                "algorithm",
                "majority value",
                "delays",
                "operations",
                "runs wrong",
                "wrong reads/100,000",
                "went back/100,000");
        int wrong = 0;
        for (boolean allowance : List.of(true, false)) {
            for (MajorityValue rule : MajorityValue.values()) {
                wrong += row(allowance, rule, EUROPE_US_ASIA);
                wrong += row(allowance, rule, EQUAL);
            }
        }
        example(new Setting(EQUAL, true, MajorityValue.LARGEST_AT_A_MAJORITY, 2, 6, SMALL_OPERATIONS));
        return wrong > 0 ? 0 : 1;
    }

    private int row(boolean allowance, MajorityValue rule, List<Long> delays) {
        int wrong = 0;
        long operations = 0;
        long wrongReads = 0;
        long back = 0;
        for (int seed = 0; seed < runs; seed++) {
            PublishedRun run =
                    PublishedRun.of(new Setting(delays, allowance, rule, 4, 24, OPERATIONS), seed, line -> {});
            operations += run.operations();
            wrongReads += run.wrongReads();
            back += run.wentBack();
            wrong += run.violation() == null ? 0 : 1;
        }
        out.printf(
                Locale.ROOT,
                "%-14s %-24s %-16s %10d %12s %19d %18d%n",
                allowance ? "MeteorShower2" : "MeteorShower1",
                rule == MajorityValue.LARGEST_AT_A_MAJORITY ? "largest at a majority" : "identical at a majority",
                delays.equals(EQUAL) ? "equal" : "Europe/US/Asia",
                operations,
                wrong + " of " + runs,
                100_000 * wrongReads / Math.max(1, operations),
                100_000 * back / Math.max(1, operations));
        out.flush();
        return wrong;
    }

    private void example(Setting setting) {
        List<String> shortest = List.of();
        String violation = "";
        for (int seed = 0; seed < SMALL_RUNS_EACH * runs; seed++) {
            List<String> transcript = new ArrayList<>();
            PublishedRun run = PublishedRun.of(setting, seed, transcript::add);
            String found = run.violation();
            if (found != null && (violation.isEmpty() || found.length() < violation.length())) {
                violation = found;
                shortest = transcript.stream().filter(run::concerns).toList();
            }
        }
        out.println();
        out.println("wrong reads: at least so many must be taken out before a sequential order exists");
        out.println();
        out.println("The shortest example found, only the lines that matter; n0, n1, n2 are the replicas:");
        shortest.forEach(out::println);
        out.println(violation);
    }
}
