/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.console.Json;
import org.meteorshower.transactions.simulator.Kind;

/** {@code meteor simulate --model catenae}: seeds of the transactions' simulator, or the mistakes that it must find. */
final class CatenaeShow {
    private static final int FOUND = 1;

    private static final int SHOWN_FAILURES = 5;

    private record Failure(String name, long seed, String foundBy, String complaint, String command) {}

    private final @Nullable Kind kind;
    private final int threads;
    private final @Nullable Path json;
    private final PrintWriter out;
    private final PrintWriter err;
    private final long startNanos = System.nanoTime();
    private final List<Failure> failures = new ArrayList<>();
    private long seeds;
    private long operations;

    /**
     * Nothing is run yet. Throws {@link IllegalArgumentException} where no kind is called so.
     *
     * @param kind plans of this kind only; null: as each seed draws them
     */
    CatenaeShow(@Nullable String kind, int threads, @Nullable Path json, PrintWriter out, PrintWriter err) {
        this.kind = kind == null ? null : Kind.named(kind);
        this.threads = threads;
        this.json = json;
        this.out = out;
        this.err = err;
    }

    /** Returns the exit code. */
    int sweep(SeedRange range) throws InterruptedException {
        CatenaeRuns runs = CatenaeRuns.plain();
        AtomicLong next = new AtomicLong(range.first());
        inThreads(() -> {
            for (long seed = next.getAndIncrement(); seed <= range.last(); seed = next.getAndIncrement()) {
                Kind drawn = kind == null ? Kind.of(seed) : kind;
                RunOutcome outcome = runs.run(drawn, seed, null);
                String complaint = outcome.complaint();
                synchronized (this) {
                    seeds++;
                    operations += outcome.operations();
                    if (complaint != null) {
                        String command = "./meteor simulate --model catenae --seed " + seed + " --kind " + drawn.word();
                        failures.add(new Failure(drawn.word(), seed, outcome.foundBy(), complaint, command));
                    }
                    if (seeds % 20 == 0) {
                        err.println(figures());
                    }
                }
            }
        });
        failures.stream().limit(SHOWN_FAILURES).forEach(failure -> {
            out.println("seed " + failure.seed() + ", found by " + failure.foundBy() + ":");
            out.println(failure.complaint());
            out.println("replay with: " + failure.command());
        });
        out.println(figures());
        write("violations", failures.size());
        return failures.isEmpty() ? 0 : FOUND;
    }

    /** Returns the exit code: 0 only if all were found. */
    int hunt(List<CatenaeMutant> mutants) throws InterruptedException {
        AtomicLong next = new AtomicLong();
        inThreads(() -> {
            for (int i = (int) next.getAndIncrement(); i < mutants.size(); i = (int) next.getAndIncrement()) {
                hunt(mutants.get(i));
            }
        });
        out.println(failures.size() + " of " + mutants.size() + " mutants found, in "
                + (System.nanoTime() - startNanos) / 1_000_000_000 + " s");
        write("caught", failures.size());
        return failures.size() == mutants.size() ? 0 : FOUND;
    }

    private void hunt(CatenaeMutant mutant) {
        Failure failure = firstOf(mutant, kind == null ? mutant.kind() : kind);
        synchronized (this) {
            out.printf(
                    Locale.ROOT,
                    "%-34s %-16s %s%n",
                    mutant.name(),
                    (kind == null ? mutant.kind() : kind).word(),
                    failure == null ? "NOT FOUND" : "seed " + failure.seed() + ", " + failure.foundBy());
            out.flush();
            if (failure != null) {
                failures.add(failure);
            }
        }
    }

    private static @Nullable Failure firstOf(CatenaeMutant mutant, Kind kind) {
        CatenaeRuns runs = mutant.runs();
        for (long seed = 0; seed < MutantHunt.MOST_SEEDS; seed++) {
            RunOutcome outcome = runs.run(kind, seed, null);
            String complaint = outcome.complaint();
            if (complaint != null) {
                return new Failure(mutant.name(), seed, outcome.foundBy(), complaint, mutant.command(seed));
            }
        }
        return null;
    }

    private static CatenaeRuns runs(@Nullable CatenaeMutant wrong) {
        return wrong == null ? CatenaeRuns.plain() : wrong.runs();
    }

    private Kind kindOf(long seed, @Nullable CatenaeMutant wrong) {
        return kind != null ? kind : wrong != null ? wrong.kind() : Kind.of(seed);
    }

    /**
     * Returns the exit code.
     *
     * @param history gets what clients saw of the lists, but for snapshot reads; null: nobody wants it
     */
    int one(long seed, @Nullable CatenaeMutant wrong, boolean trace, @Nullable Path history) {
        Kind of = kindOf(seed, wrong);
        RunOutcome outcome = runs(wrong).run(of, seed, trace ? out::println : null);
        outcome.writeSeen(history);
        out.println("seed " + seed + ", a plan of kind " + of.word() + ": " + outcome.summary());
        String complaint = outcome.complaint();
        out.println(complaint == null ? "no verifier found anything wrong" : "found by " + outcome.foundBy() + ":");
        if (complaint != null) {
            out.println(complaint);
        }
        return complaint == null ? 0 : FOUND;
    }

    /** Runs a seed twice and compares the transcripts. Returns the exit code. */
    int twice(long seed, @Nullable CatenaeMutant wrong) {
        Kind of = kindOf(seed, wrong);
        CatenaeRuns runs = runs(wrong);
        int[] lines = new int[2];
        int[] hashes = new int[2];
        for (int time = 0; time < 2; time++) {
            int now = time;
            Consumer<String> hash = line -> {
                lines[now]++;
                hashes[now] = 31 * hashes[now] + line.hashCode();
            };
            runs.run(of, seed, hash);
        }
        boolean same = lines[0] == lines[1] && hashes[0] == hashes[1];
        out.println("seed " + seed + " of kind " + of.word() + " ran twice: "
                + (same
                        ? "the same " + lines[0] + " lines of transcript, hash " + Integer.toHexString(hashes[0])
                        : "the runs differ; compare two outputs of --trace"));
        return same ? 0 : FOUND;
    }

    private String figures() {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        return String.format(
                Locale.ROOT,
                "%,d seeds, %,d operations, %d wrong, %.0f s",
                seeds,
                operations,
                failures.size(),
                seconds);
    }

    private void inThreads(Runnable work) throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread worker = new Thread(work, "simulate-" + i);
            worker.setDaemon(true);
            worker.start();
            workers.add(worker);
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }

    private void write(String field, long value) {
        if (json != null) {
            ObjectNode node = Json.object();
            node.put("model", "catenae")
                    .put("seeds", seeds)
                    .put("ops", operations)
                    .put(field, value);
            ArrayNode all = node.putArray("failures");
            for (Failure failure : failures) {
                all.addObject()
                        .put("name", failure.name())
                        .put("seed", failure.seed())
                        .put("by", failure.foundBy())
                        .put("complaint", failure.complaint())
                        .put("command", failure.command());
            }
            Json.write(node, json);
        }
    }
}
