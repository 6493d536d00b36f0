/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.console.Json;

/**
 * Hunts mutants and tells, as a table, which verifier found each, and how soon; where it is interrupted, of those it
 * has.
 */
final class MutantTable {
    private static final int NOT_ALL_FOUND = 1;
    private static final int PROGRESS_EVERY_SECONDS = 5;

    private final List<Mutant> mutants;
    private final String verifier;
    private final int threads;
    private final PrintWriter out;
    private final PrintWriter err;
    private final @Nullable Path json;
    private final long startNanos = System.nanoTime();
    private final List<MutantHunt.Finding> findings = new ArrayList<>();
    private final Set<MutantHunt> underWay = ConcurrentHashMap.newKeySet();
    private boolean told;

    /** @param verifier who must find them; empty: any */
    MutantTable(
            List<Mutant> mutants, String verifier, int threads, PrintWriter out, PrintWriter err, @Nullable Path json) {
        this.mutants = mutants;
        this.verifier = verifier;
        this.threads = threads;
        this.out = out;
        this.err = err;
        this.json = json;
    }

    /** Returns the exit code: 0 only if all were found. */
    int run() throws InterruptedException {
        Thread interrupted = new Thread(() -> tell(false), "simulate-interrupted");
        Runtime.getRuntime().addShutdownHook(interrupted);
        ExecutorService hunters = Executors.newFixedThreadPool(threads);
        ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor();
        try {
            var unused = ticker.scheduleAtFixedRate(
                    this::progress, PROGRESS_EVERY_SECONDS, PROGRESS_EVERY_SECONDS, TimeUnit.SECONDS);
            for (Mutant mutant : mutants) {
                hunters.execute(() -> hunt(mutant));
            }
            hunters.shutdown();
            while (!hunters.awaitTermination(1, TimeUnit.HOURS)) {
                progress();
            }
        } finally {
            hunters.shutdownNow();
            ticker.shutdownNow();
            SweepShow.forget(interrupted);
        }
        tell(true);
        return caught() == mutants.size() ? 0 : NOT_ALL_FOUND;
    }

    private void hunt(Mutant mutant) {
        MutantHunt hunt = new MutantHunt(mutant, verifier);
        underWay.add(hunt);
        MutantHunt.Finding finding = hunt.hunt(MutantHunt.MOST_SEEDS);
        underWay.remove(hunt);
        synchronized (this) {
            findings.add(finding);
            err.println(findings.size() + " of " + mutants.size() + ": " + mutant.name()
                    + (finding.isCaught() ? " found" : " NOT FOUND") + " after " + finding.seeds() + " seeds");
        }
    }

    private synchronized void progress() {
        err.println(findings.size() + " of " + mutants.size() + " after " + seconds() + " s; under way: " + underWay);
    }

    private long seconds() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
    }

    private synchronized long caught() {
        return findings.stream().filter(MutantHunt.Finding::isCaught).count();
    }

    private synchronized void tell(boolean complete) {
        if (told) {
            return;
        }
        told = true;
        if (!complete) {
            out.println("interrupted; so far:");
        }
        findings.sort(Comparator.comparing(finding -> finding.mutant().name()));
        String line = "%-32s %-20s %6s %10s  %s%n";
        out.printf(Locale.ROOT, line, "mutant", "plans", "seeds", "operations", "found by");
        for (MutantHunt.Finding finding : findings) {
            out.printf(
                    Locale.ROOT,
                    line,
                    finding.mutant().name(),
                    finding.mutant().kind().word(),
                    finding.seeds(),
                    finding.operations(),
                    finding.who());
        }
        findings.stream()
                .filter(MutantHunt.Finding::isCaught)
                .findFirst()
                .ifPresent(finding -> out.println("the last seed of each is the one that showed it; replay one with: "
                        + finding.command() + " (--trace tells every event)"));
        out.println(caught() + " of " + mutants.size() + " mutants found, in " + seconds() + " s");
        if (json != null) {
            Json.write(SimulationJson.mutants(findings, mutants.size(), seconds(), threads, complete), json);
        }
    }
}
