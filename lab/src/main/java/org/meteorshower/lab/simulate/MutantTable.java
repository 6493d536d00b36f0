/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Hunts mutants and tells, as a table, which verifier found each, and how soon. */
final class MutantTable {
    private static final int NOT_ALL_FOUND = 1;

    private final PrintWriter out;
    private final PrintWriter err;
    private final @Nullable Path json;
    private final List<MutantHunt.Finding> findings = new ArrayList<>();

    MutantTable(PrintWriter out, PrintWriter err, @Nullable Path json) {
        this.out = out;
        this.err = err;
        this.json = json;
    }

    /** Returns the exit code. */
    int run(List<Mutant> mutants, int threads) throws InterruptedException {
        Thread interrupted = new Thread(() -> tell(mutants.size()), "simulate-interrupted");
        Runtime.getRuntime().addShutdownHook(interrupted);
        ExecutorService hunters = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Boolean>> hunts = new ArrayList<>();
            mutants.forEach(
                    mutant -> hunts.add(() -> found(MutantHunt.hunt(mutant, MutantHunt.MOST_SEEDS), mutants.size())));
            for (var hunt : hunters.invokeAll(hunts)) {
                rethrow(hunt);
            }
        } finally {
            hunters.shutdownNow();
            try {
                Runtime.getRuntime().removeShutdownHook(interrupted);
            } catch (IllegalStateException e) {
                // The process is ending already.
            }
        }
        tell(mutants.size());
        return findings.stream().allMatch(MutantHunt.Finding::isCaught) ? 0 : NOT_ALL_FOUND;
    }

    private static void rethrow(Future<Boolean> hunt) throws InterruptedException {
        try {
            var unused = hunt.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a mutant could not be run: " + e.getCause(), e);
        }
    }

    private synchronized boolean found(MutantHunt.Finding finding, int of) {
        findings.add(finding);
        err.println(findings.size() + " of " + of + ": " + finding.mutant().name()
                + (finding.isCaught() ? " found" : " NOT FOUND") + " after " + finding.seeds() + " seeds");
        return finding.isCaught();
    }

    private synchronized void tell(int of) {
        findings.sort(Comparator.comparing(finding -> finding.mutant().name()));
        out.printf(Locale.ROOT, "%-32s %-16s %6s %10s  %s%n", "mutant", "plans", "seeds", "operations", "found by");
        for (MutantHunt.Finding finding : findings) {
            out.printf(
                    Locale.ROOT,
                    "%-32s %-16s %6d %10d  %s%n",
                    finding.mutant().name(),
                    finding.mutant().kind().word(),
                    finding.seeds(),
                    finding.operations(),
                    finding.isCaught() ? finding.foundBy() : "NOBODY");
        }
        long caught = findings.stream().filter(MutantHunt.Finding::isCaught).count();
        out.println(caught + " of " + of + " mutants found");
        if (json != null) {
            Reports.write(Reports.mutants(findings), json);
        }
    }
}
