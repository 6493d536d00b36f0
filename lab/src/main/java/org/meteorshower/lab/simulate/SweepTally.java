/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.meteorshower.simulator.Kind;

/** What a sweep over seeds has seen so far. Thread-safe. */
final class SweepTally {
    private static final int KEPT_FAILURES = 100;

    /** @param command replays the seed */
    record Failure(long seed, Kind kind, String foundBy, String complaint, String command) {}

    /** @param perKind seeds of each kind */
    record Counts(
            long seeds,
            long operations,
            long violations,
            long stalls,
            long undecided,
            Map<Kind, Long> perKind,
            List<Failure> failures,
            double seconds,
            double cpuSeconds) {
        double operationsPerSecond() {
            return seconds > 0 ? operations / seconds : 0;
        }

        double operationsPerCpuSecond() {
            return cpuSeconds > 0 ? operations / cpuSeconds : 0;
        }
    }

    private final long startNanos = System.nanoTime();
    private long seeds;
    private long operations;
    private long violations;
    private long stalls;
    private long undecided;
    private long cpuNanos;
    private final Map<Kind, Long> perKind = new EnumMap<>(Kind.class);
    private final List<Failure> failures = new ArrayList<>();

    synchronized void add(Kind kind, long seed, RunOutcome outcome, long runCpuNanos) {
        seeds++;
        operations += outcome.operations();
        cpuNanos += runCpuNanos;
        perKind.merge(kind, 1L, Long::sum);
        if (outcome.isUndecided()) {
            undecided++;
        }
        String complaint = outcome.complaint();
        if (complaint != null) {
            if (outcome.foundBy().equals("liveness")) {
                stalls++;
            } else {
                violations++;
            }
            if (failures.size() < KEPT_FAILURES) {
                String command = "./meteor simulate --seed " + seed + " --kind " + kind.word();
                failures.add(new Failure(seed, kind, outcome.foundBy(), complaint, command));
            }
        }
    }

    synchronized Counts counts() {
        return new Counts(
                seeds,
                operations,
                violations,
                stalls,
                undecided,
                new EnumMap<>(perKind.isEmpty() ? new EnumMap<>(Kind.class) : perKind),
                List.copyOf(failures),
                (System.nanoTime() - startNanos) / 1e9,
                cpuNanos / 1e9);
    }
}
