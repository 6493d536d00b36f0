/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.CheckReport;
import org.meteorshower.checker.Counterexample;
import org.meteorshower.checker.History;
import org.meteorshower.checker.Operation;
import org.meteorshower.checker.SequentialChecker;
import org.meteorshower.checker.Verdict;

/**
 * A run of the published algorithm, judged.
 *
 * @param operations that clients were answered
 * @param wrongReads at least so many reads must be taken out before a sequential order exists
 * @param wentBack reads that returned a version older than one that the session had read or written before
 * @param example a few operations that no sequential order can hold; empty where one holds all
 * @param violation what the checker says of the example; null where there is none
 */
public record PublishedRun(
        int operations,
        int wrongReads,
        int wentBack,
        List<Operation> example,
        @Nullable String violation) {

    public static PublishedRun of(PublishedAlgorithm.Setting setting, long seed, Consumer<String> transcript) {
        Judge judge = new Judge();
        PublishedAlgorithm.run(setting, seed, judge, transcript);
        History history = WrongReads.historyOf(judge.operations);
        Verdict verdict = SequentialChecker.check(history);
        Counterexample found = verdict.counterexample();
        return new PublishedRun(
                judge.operations.size(),
                found == null ? 0 : WrongReads.atLeast(judge.operations),
                judge.wentBack,
                found == null
                        ? List.of()
                        : found.operations().stream().map(history::get).toList(),
                found == null ? null : CheckReport.of(history, verdict, 0));
    }

    /** Whether a line of the transcript tells of an operation of the example. */
    public boolean concerns(String line) {
        return example.stream().anyMatch(operation -> {
            long version = operation.value() == null ? 0 : Long.parseLong(operation.value());
            String name =
                    PublishedAlgorithm.name(Integer.parseInt(operation.key().substring(1)), version);
            return line.matches(".* " + operation.session() + " (reads|begins to write|has written) " + name + "\\b.*");
        });
    }

    private static final class Judge implements OperationSink {
        private final List<Operation> operations = new ArrayList<>();
        private final Map<String, Long> seen = new HashMap<>();
        private int wentBack;

        @Override
        public void read(String session, String cell, @Nullable String value, long startNanos, long endNanos) {
            operations.add(Operation.read(session, cell, value, startNanos, endNanos));
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
            operations.add(Operation.write(session, cell, value, startNanos, endNanos, timestampMicros));
            seen.merge(session + cell, timestampMicros, Math::max);
        }
    }
}
