/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.meteorshower.lab.prove.TraceBatch.Refusal;
import org.meteorshower.lab.simulate.RecordedRuns;
import org.meteorshower.lab.simulate.SeedRange;

/**
 * Looks, of each core with a mistake, for a run that is refused, while the same seed without the mistake is accepted.
 * All cores together in each round: to start TLC takes longer than to look at some runs. Used by one thread.
 */
final class TraceHunt {
    /** Seeds of each core that is left. */
    private static final int PER_ROUND = 4;

    private static final Duration PER_BATCH = Duration.ofMinutes(30);

    private final Map<String, RecordedRuns> left = new LinkedHashMap<>();
    private final Map<String, Integer> broken = new TreeMap<>();
    private final Consumer<String> lines;
    private int refused;

    /**
     * @param lines gets one for each core, when it is refused or at the end
     * @throws IllegalArgumentException if there is no such mutant
     */
    TraceHunt(List<String> mutants, Consumer<String> lines) {
        this.lines = lines;
        mutants.forEach(name -> left.put(name, RecordedRuns.of(name)));
    }

    /** Blocks until all are refused, or the seeds or the time are at an end. Returns how many were refused. */
    int hunt(SeedRange seeds, Deadline deadline) throws IOException, InterruptedException {
        long next = seeds.first();
        while (next <= seeds.last() && !left.isEmpty() && !deadline.isPast()) {
            long last = Math.min(seeds.last(), next + PER_ROUND - 1);
            round(next, last);
            next = last + 1;
        }
        for (String name : left.keySet()) {
            String gaveUp = broken.containsKey(name) ? "; in " + broken.get(name) + " the core gave up" : "";
            tell(name, "NOT REFUSED to seed " + (next - 1) + gaveUp + ": " + RecordedRuns.meaning(name));
        }
        return refused;
    }

    private void tell(String name, String text) {
        lines.accept(String.format(Locale.ROOT, "%-34s %s", name, text));
    }

    private void round(long first, long last) throws IOException, InterruptedException {
        List<RunTrace> batch = new ArrayList<>();
        List<String> names = new ArrayList<>();
        left.forEach((name, runs) -> {
            for (long seed = first; seed <= last; seed++) {
                if (record(name, runs, seed, batch)) {
                    names.add(name);
                }
            }
        });
        if (batch.isEmpty()) {
            return;
        }
        Map<String, List<Refusal>> byName = new LinkedHashMap<>();
        Set<Long> doubted = new TreeSet<>();
        for (Refusal refusal : new TraceBatch(batch).refusals(PER_BATCH)) {
            byName.computeIfAbsent(names.get(refusal.number() - 1), name -> new ArrayList<>())
                    .add(refusal);
            doubted.add(refusal.run().seed());
        }
        Set<Long> right = acceptedOf(doubted);
        byName.forEach((name, refusals) -> refusals.stream()
                .filter(refusal -> right.contains(refusal.run().seed()))
                .findFirst()
                .ifPresent(refusal -> {
                    left.remove(name);
                    refused++;
                    tell(name, refusal.text());
                }));
    }

    private boolean record(String name, RecordedRuns runs, long seed, List<RunTrace> batch) {
        try {
            List<String> recorded = runs.record(seed);
            if (recorded.size() > 1) {
                batch.add(RunTrace.of(seed, recorded));
                return true;
            }
        } catch (RuntimeException e) {
            broken.merge(name, 1, Integer::sum);
        }
        return false;
    }

    /** Those of the seeds that are accepted of the core as it is. */
    private static Set<Long> acceptedOf(Set<Long> seeds) throws IOException, InterruptedException {
        List<RunTrace> batch = new ArrayList<>();
        for (long seed : seeds) {
            List<String> recorded = RecordedRuns.ofCore().record(seed);
            if (recorded.size() > 1) {
                batch.add(RunTrace.of(seed, recorded));
            }
        }
        Set<Long> accepted = new TreeSet<>();
        if (!batch.isEmpty()) {
            batch.forEach(run -> accepted.add(run.seed()));
            new TraceBatch(batch)
                    .refusals(PER_BATCH)
                    .forEach(refusal -> accepted.remove(refusal.run().seed()));
        }
        return accepted;
    }
}
