/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.CheckReport;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryBuilder;
import org.meteorshower.checker.Operation;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.SequentialChecker;
import org.meteorshower.checker.Verdict;

/**
 * A run of the published algorithm, judged.
 *
 * @param operations that clients were answered
 * @param wentBack reads that returned a version older than one that the session had read or written before
 * @param violation what the checker says where no sequential order exists; null where one does
 */
public record PublishedRun(
        int operations, int wentBack, @Nullable String violation) {

    public static PublishedRun of(PublishedAlgorithm.Setting setting, long seed, Consumer<String> transcript) {
        Judge judge = new Judge();
        PublishedAlgorithm.run(setting, seed, judge, transcript);
        History history = judge.history.build();
        Verdict verdict = SequentialChecker.check(history);
        String violation = verdict.outcome() == Outcome.VIOLATION ? CheckReport.of(history, verdict, 0) : null;
        return new PublishedRun(judge.operations, judge.wentBack, violation);
    }

    private static final class Judge implements OperationSink {
        private final HistoryBuilder history = History.builder();
        private final Map<String, Long> seen = new HashMap<>();
        private int operations;
        private int wentBack;

        @Override
        public void read(String session, String cell, @Nullable String value, long startNanos, long endNanos) {
            history.add(Operation.read(session, cell, value, startNanos, endNanos));
            operations++;
            long version = value == null ? 0 : Long.parseLong(value);
            if (version < seen.getOrDefault(session + cell, 0L)) {
                wentBack++;
            }
            seen.merge(session + cell, version, Math::max);
        }

        @Override
        public void write(
                String session,
                String cell,
                @Nullable String value,
                long startNanos,
                long endNanos,
                long timestampMicros) {
            history.add(Operation.write(session, cell, value, startNanos, endNanos, timestampMicros));
            operations++;
            seen.merge(session + cell, timestampMicros, Math::max);
        }
    }
}
