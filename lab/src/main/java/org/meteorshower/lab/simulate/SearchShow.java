/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.console.Json;
import org.meteorshower.lab.search.Minimiser;
import org.meteorshower.lab.search.PlanFile;
import org.meteorshower.lab.search.Search;
import org.meteorshower.lab.search.Subject;

/** {@code meteor simulate --search}: runs a search on some threads, and tells what it found. */
final class SearchShow {
    private static final int FOUND = 1;
    private static final long PROGRESS_EVERY_NANOS = 10_000_000_000L;
    private static final int MOST_RUNS_TO_MINIMISE = 250;

    /** A short search does not take long over what it finds. */
    private static final int RUNS_A_PLAN_TO_MINIMISE = 5;

    private record Found(Search.Failure failure, Path file) {}

    private final String model;
    private final Function<Set<Long>, Subject> subjects;
    private final SearchOptions options;
    private final String replayedWith;
    private final @Nullable Path json;
    private final PrintWriter out;
    private final PrintWriter err;
    private final long startNanos = System.nanoTime();
    private final AtomicLong cpuNanos = new AtomicLong();
    private final AtomicLong begun = new AtomicLong();
    private final List<Found> found = new ArrayList<>();
    private final List<RuntimeException> broken = new ArrayList<>();
    private long nextProgressNanos = startNanos + PROGRESS_EVERY_NANOS;
    private volatile boolean stop;

    /**
     * @param subjects makes a simulator for one thread; it is told which blocks of code are common
     * @param replayedWith options that replay a plan of a mistake made on purpose, of which the first one that is found
     *     ends the search; empty: the core is as it is
     */
    SearchShow(
            String model,
            Function<Set<Long>, Subject> subjects,
            SearchOptions options,
            String replayedWith,
            @Nullable Path json,
            PrintWriter out,
            PrintWriter err) {
        this.model = model;
        this.subjects = subjects;
        this.options = options;
        this.replayedWith = replayedWith;
        this.json = json;
        this.out = out;
        this.err = err;
    }

    /**
     * Returns the exit code.
     *
     * @param kind of plans to which the search keeps; null: all
     */
    int run(@Nullable String kind, Set<Long> common, int threads) throws InterruptedException {
        Search search = new Search(subjects.apply(common), model, options.options(kind));
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread worker = new Thread(() -> work(search, subjects.apply(common)), "search-" + i);
            worker.setDaemon(true);
            worker.start();
            workers.add(worker);
        }
        for (Thread worker : workers) {
            worker.join();
        }
        if (!broken.isEmpty()) {
            throw broken.get(0);
        }
        found.forEach(this::tell);
        out.println(figures(search));
        write(search);
        return found.isEmpty() ? 0 : FOUND;
    }

    private void work(Search search, Subject subject) {
        var clock = ManagementFactory.getThreadMXBean();
        try {
            while (!stop
                    && System.nanoTime() - startNanos < options.nanos()
                    && begun.getAndIncrement() < options.plans()) {
                long before = clock.getCurrentThreadCpuTime();
                Search.Candidate candidate = search.next();
                Subject.Ran ran = subject.run(candidate.plan());
                boolean isNew = search.ran(candidate, ran);
                cpuNanos.addAndGet(clock.getCurrentThreadCpuTime() - before);
                if (isNew) {
                    keep(subject, new Search.Failure(candidate.family(), candidate.plan(), ran));
                }
                progress(search);
            }
        } catch (RuntimeException e) {
            stop = true;
            synchronized (this) {
                broken.add(e);
            }
        }
    }

    private void keep(Subject subject, Search.Failure failure) {
        stop |= !replayedWith.isEmpty();
        err.println("found by " + failure.ran().foundBy() + " in a plan of the family "
                + failure.family().name() + "; making it smaller");
        int runs = (int) Math.min(MOST_RUNS_TO_MINIMISE, RUNS_A_PLAN_TO_MINIMISE * Math.min(options.plans(), 1_000));
        ObjectNode smallest = new Minimiser(subject, failure, runs).run();
        Subject.Ran ran = subject.run(smallest);
        Search.Failure less = new Search.Failure(failure.family(), smallest, ran);
        Path folder = Objects.requireNonNullElse(options.folder(), Path.of(""));
        Path file = folder.resolve(String.format(
                Locale.ROOT, "found-%s-%08x.json", model, smallest.toString().hashCode()));
        new PlanFile(model, failure.family().name(), smallest, ran.complaint()).write(file);
        synchronized (this) {
            found.add(new Found(less, file));
        }
    }

    private void tell(Found one) {
        out.println("a plan of the family " + one.failure.family().name() + ", found by "
                + one.failure.ran().foundBy() + ":");
        out.println(one.failure.ran().complaint());
        out.println("replay with: ./meteor simulate --plan " + one.file + replayedWith);
    }

    private synchronized void progress(Search search) {
        if (System.nanoTime() >= nextProgressNanos) {
            nextProgressNanos = System.nanoTime() + PROGRESS_EVERY_NANOS;
            err.println(figures(search));
        }
    }

    private String figures(Search search) {
        Search.Figures figures = search.figures();
        return String.format(
                Locale.ROOT,
                "%,d plans, %,d operations, %,d features, %,d plans of %,d KB kept, %,d failed, %.0f s, %.0f s of CPU",
                figures.plans(),
                figures.operations(),
                figures.features(),
                figures.corpus(),
                figures.corpusBytes() / 1_000,
                figures.failures(),
                (System.nanoTime() - startNanos) / 1e9,
                cpuNanos.get() / 1e9);
    }

    private void write(Search search) {
        if (json != null) {
            Search.Figures figures = search.figures();
            ObjectNode node = Json.object();
            node.put("model", model)
                    .put("plans", figures.plans())
                    .put("ops", figures.operations())
                    .put("features", figures.features())
                    .put("corpus", figures.corpus())
                    .put("failed", figures.failures());
            Json.number(node, "cpu_s", cpuNanos.get() / 1e9);
            ArrayNode all = node.putArray("found");
            for (Found each : found) {
                all.addObject()
                        .put("family", each.failure.family().name())
                        .put("by", each.failure.ran().foundBy())
                        .put("complaint", each.failure.ran().complaint())
                        .put("plan", each.file.toString());
            }
            Json.write(node, json);
        }
    }
}
