/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryBuilder;
import org.meteorshower.checker.Operation;
import org.meteorshower.checker.SequentialChecker;
import org.meteorshower.checker.Verdict;

/** A simulated run with its history, and what the checker says of it. */
record CheckedRun(SimulationPlan plan, SimulationResult result, History history, Verdict verdict) {
    static CheckedRun of(SimulationPlan plan) {
        HistoryBuilder history = History.builder();
        SimulationResult result = Simulation.run(plan, new OperationSink() {
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
        });
        History built = history.build();
        return new CheckedRun(plan, result, built, SequentialChecker.check(built));
    }

    /** Runs the seeds given on the command line, for exploring by hand. */
    public static void main(String[] args) {
        long from = Long.parseLong(args[0]);
        long to = Long.parseLong(args[1]);
        for (long seed = from; seed < to; seed++) {
            CheckedRun run = of(args.length > 2 ? SimulationPlan.calm(seed) : SimulationPlan.random(seed));
            System.out.println(seed + " " + run.verdict().outcome() + " " + run.result());
            if (run.result().wrongRead() != null) {
                System.out.println("WRONG " + run.result().wrongRead());
            }
            if (run.result().recordsLeft() > 0) {
                run.result().stuck().forEach(line -> System.out.println("STUCK " + line));
            }
            if (!run.verdict().outcome().toString().equals("CONSISTENT")) {
                System.out.println(run.plan());
                System.out.println(run.verdict());
            }
        }
    }
}
