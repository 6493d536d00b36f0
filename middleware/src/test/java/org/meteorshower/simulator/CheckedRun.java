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
import org.meteorshower.protocol.ReadMode;

/** A simulated run with its history, and what the two verifiers say of it: the checker of histories, and the oracle. */
record CheckedRun(String command, SimulationResult result, History history, Verdict verdict) {
    /** The plans there are, by a name that can be given on a command line. */
    enum Kind {
        RANDOM,
        CALM,
        WIDE,
        STRICT,
        METEORSHOWER1,
        BOUNDED,
        READERS_CUT_OFF,
        RESTARTS,
        REPAIRS,
        LEFT_BEHIND;

        SimulationPlan plan(long seed) {
            return switch (this) {
                case RANDOM -> Plans.random(seed);
                case CALM -> Plans.calm(seed);
                case WIDE -> Plans.wide(seed);
                case STRICT -> Plans.goodClocks(seed, ReadMode.STRICT);
                case METEORSHOWER1 -> Plans.goodClocks(seed, ReadMode.METEORSHOWER1);
                case BOUNDED -> Plans.goodClocks(seed, ReadMode.bounded(50_000));
                case READERS_CUT_OFF -> Plans.readersCutOff(seed);
                case RESTARTS -> Plans.restarts(seed);
                case REPAIRS -> Plans.repairs(seed);
                case LEFT_BEHIND -> Plans.leftBehind(seed);
            };
        }
    }

    static CheckedRun of(Kind kind, long seed, Bug bug) {
        return of(kind, seed, bug, Trace.NONE);
    }

    static CheckedRun of(Kind kind, long seed, Bug bug, Trace trace) {
        SimulationPlan plan = kind.plan(seed).withBug(bug);
        HistoryBuilder history = History.builder();
        SimulationResult result = Simulation.run(plan, new Operations(history), trace);
        History built = history.build();
        boolean strict = plan.mode().kind() == ReadMode.Kind.STRICT;
        Verdict verdict = strict ? LinearizableChecker.check(built) : SequentialChecker.check(built);
        return new CheckedRun(command(kind, seed, bug), result, built, verdict);
    }

    /** What is wrong with the run, with the command that replays it; null where nothing is. */
    @Nullable
    String complaint() {
        String wrong = violation();
        if (wrong == null && (result.recordsLeft() > 0 || result.readsLeft() > 0)) {
            wrong = result.recordsLeft() + " records and " + result.readsLeft() + " reads never settled: "
                    + result.stuck();
        }
        return wrong == null ? null : wrong + "\nreplay with: " + command;
    }

    /** What one of the verifiers found wrong, null where they found nothing. */
    @Nullable
    String violation() {
        if (result.wrongRead() != null) {
            return "oracle: " + result.wrongRead();
        } else if (result.staleRead() != null) {
            return "oracle: " + result.staleRead();
        } else if (verdict.outcome() != Outcome.CONSISTENT) {
            return "checker: " + CheckReport.of(history, verdict, 0);
        }
        return null;
    }

    private static String command(Kind kind, long seed, Bug bug) {
        return "mvn -pl middleware test -Dtest=SimulationTest#replay -Dsimulation.kind=" + kind + " -Dsimulation.seed="
                + seed + " -Dsimulation.bug=" + bug;
    }

    private record Operations(HistoryBuilder history) implements OperationSink {
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

    /** KIND FROM TO [BUG]: runs seeds, for exploring by hand; prints each run's figures and what is wrong with it. */
    public static void main(String[] args) {
        Bug bug = args.length > 3 ? Bug.valueOf(args[3]) : Bug.NONE;
        for (long seed = Long.parseLong(args[1]); seed < Long.parseLong(args[2]); seed++) {
            CheckedRun run = of(Kind.valueOf(args[0]), seed, bug);
            System.out.println(seed + " " + run.verdict().outcome() + " " + run.result());
            String complaint = run.complaint();
            if (complaint != null) {
                System.out.println("COMPLAINT " + complaint);
            }
        }
    }
}
