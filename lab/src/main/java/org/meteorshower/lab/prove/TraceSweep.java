/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.meteorshower.lab.prove.TraceBatch.Refusal;
import org.meteorshower.lab.simulate.RecordedRuns;

/** Records runs and holds them to the specification, a batch at a time. Used by one thread. */
final class TraceSweep {
    /** TLC takes seconds to begin; and it has all steps of a batch in memory. */
    static final int BATCH = 500;

    private static final Duration PER_BATCH = Duration.ofMinutes(30);

    private final RecordedRuns runs;
    private int accepted;
    private int refused;
    private int withoutWords;
    private int broken;
    private long steps;

    TraceSweep(RecordedRuns runs) {
        this.runs = runs;
    }

    int accepted() {
        return accepted;
    }

    /** Whether none was refused, and no core gave up. */
    boolean isRight() {
        return refused == 0 && broken == 0;
    }

    /** Seeds that the specification has no words for. */
    int withoutWords() {
        return withoutWords;
    }

    /** Seeds in which the core found one of its own invariants broken. */
    int broken() {
        return broken;
    }

    /** Of those accepted. */
    long steps() {
        return steps;
    }

    int refused() {
        return refused;
    }

    /**
     * Blocks until these seeds are looked at, both included; at most {@link #BATCH}. Returns those of them that are
     * refused.
     */
    List<Refusal> look(long first, long last) throws IOException, InterruptedException {
        List<RunTrace> batch = new ArrayList<>();
        for (long seed = first; seed <= last; seed++) {
            record(seed, batch);
        }
        if (batch.isEmpty()) {
            return List.of();
        }
        List<Refusal> refusals = new TraceBatch(batch).refusals(PER_BATCH);
        refused += refusals.size();
        accepted += batch.size() - refusals.size();
        steps += batch.stream().mapToLong(run -> run.steps().size()).sum()
                - refusals.stream().mapToLong(each -> each.run().steps().size()).sum();
        return refusals;
    }

    private void record(long seed, List<RunTrace> batch) {
        List<String> lines;
        try {
            lines = runs.record(seed);
        } catch (RuntimeException e) {
            broken++;
            return;
        }
        if (lines.size() == 1) {
            withoutWords++;
        } else {
            batch.add(RunTrace.of(seed, lines));
        }
    }
}
