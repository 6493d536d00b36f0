/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.CheckReport;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryBuilder;
import org.meteorshower.checker.LinearizableChecker;
import org.meteorshower.checker.Operation;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.SequentialChecker;
import org.meteorshower.checker.Verdict;

/**
 * A simulated run with its history, and what the verifiers say of it: the checker of histories, which sees what clients
 * saw; the oracle, which knows what every cut holds; and the invariants and bounds that hold throughout.
 */
public record CheckedRun(Kind kind, long seed, Bug bug, SimulationResult result, History history, Verdict verdict) {
    /** An operation at a live node takes no longer because a minority of the replicas is down. */
    public static final long LONGEST_WITH_MINORITY_DOWN_MICROS = 1_000_000;

    /** Wrong clocks alone make no operation take longer: what one node heard of the time, the others hear from it. */
    public static final long LONGEST_WITHOUT_FAULTS_MICROS = 1_000_000;

    public static CheckedRun of(Kind kind, long seed, Bug bug) {
        return of(kind, seed, bug, Trace.NONE);
    }

    public static CheckedRun of(Kind kind, long seed, Bug bug, Trace trace) {
        return of(kind, kind.plan(seed).withBug(bug), trace);
    }

    /**
     * A plan that may be of no seed.
     *
     * @param kind decides only whether operations are held to a longest time
     */
    public static CheckedRun of(Kind kind, SimulationPlan plan, Trace trace) {
        HistoryBuilder history = History.builder();
        SimulationResult result = Simulation.run(plan, new Operations(history), trace);
        History built = history.build();
        Verdict verdict = plan.isStrict() ? LinearizableChecker.check(built) : SequentialChecker.check(built);
        return new CheckedRun(kind, plan.seed(), plan.bug(), result, built, verdict);
    }

    /** What is wrong with the run; null where nothing is. */
    public @Nullable String complaint() {
        String violation = violation();
        return violation == null ? stall() : violation;
    }

    /** What one of the verifiers found wrong, null where they found nothing. */
    public @Nullable String violation() {
        if (result.wrongRead() != null) {
            return "oracle: " + result.wrongRead();
        } else if (result.staleRead() != null) {
            return "oracle: " + result.staleRead();
        } else if (verdict.outcome() == Outcome.VIOLATION || verdict.outcome() == Outcome.BAD_INPUT) {
            return "checker: " + CheckReport.of(history, verdict, 0);
        } else if (result.brokenPromise() != null) {
            return "invariant: " + result.brokenPromise();
        } else if (result.lostWrite() != null) {
            return "oracle: " + result.lostWrite();
        } else if (result.foundOnline() != null) {
            return "online checker: " + result.foundOnline();
        }
        return null;
    }

    /** Whether the checker gave up within its limits; what the oracle says stands all the same. */
    public boolean isUndecided() {
        return verdict.outcome() == Outcome.UNDECIDED;
    }

    /** What took too long or never ended, null where nothing did. */
    public @Nullable String stall() {
        if (result.unserved() != null) {
            return "liveness: " + result.settledAfterMicros() / 1_000_000 + " s after all faults had healed "
                    + result.unserved();
        } else if (result.recordsLeft() > 0 || result.readsLeft() > 0) {
            return "liveness: " + result.recordsLeft() + " records and " + result.readsLeft() + " reads not settled "
                    + result.settledAfterMicros() / 1_000_000 + " s after all faults had healed: " + result.stuck();
        } else if (kind == Kind.MINORITY_DOWN
                && result.longestWithMinorityDownMicros() > LONGEST_WITH_MINORITY_DOWN_MICROS) {
            return "liveness: with a minority down an operation took " + result.longestWithMinorityDownMicros() / 1_000
                    + " ms at a node that was up";
        } else if (kind == Kind.CLOCKS_APART && result.longestMicros() > LONGEST_WITHOUT_FAULTS_MICROS) {
            return "liveness: without a fault but wrong clocks an operation took " + result.longestMicros() / 1_000
                    + " ms";
        }
        return null;
    }

    /**
     * Which verifiers found something: "oracle", "checker", "invariant", "liveness", "online", joined by "+"; empty
     * where none did.
     */
    public String foundBy() {
        StringBuilder found = new StringBuilder();
        add(found, "checker", verdict.outcome() == Outcome.VIOLATION);
        add(found, "oracle", result.wrongRead() != null || result.staleRead() != null || result.lostWrite() != null);
        add(found, "invariant", result.brokenPromise() != null);
        add(found, "liveness", stall() != null);
        add(found, "online", result.foundOnline() != null);
        return found.toString();
    }

    private static void add(StringBuilder found, String verifier, boolean holds) {
        if (holds) {
            found.append(found.isEmpty() ? "" : "+").append(verifier);
        }
    }

    /** Puts what sessions saw into a history. */
    record Operations(HistoryBuilder history) implements OperationSink {
        @Override
        public void read(String session, String cell, @Nullable String value, long startNanos, long endNanos) {
            history.add(Operation.read(session, cell, value, startNanos, endNanos));
        }

        @Override
        public void write(
                String session,
                String cell,
                @Nullable String value,
                long startNanos,
                long endNanos,
                long timestampMicros) {
            history.add(
                    endNanos < 0
                            ? Operation.unknownWrite(session, cell, value, startNanos, timestampMicros)
                            : Operation.write(session, cell, value, startNanos, endNanos, timestampMicros));
        }
    }
}
