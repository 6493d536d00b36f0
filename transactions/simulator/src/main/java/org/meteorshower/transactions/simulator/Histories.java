/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.transactions.IsolationChecker;
import org.meteorshower.checker.transactions.IsolationModel;
import org.meteorshower.checker.transactions.IsolationVerdict;
import org.meteorshower.checker.transactions.RecordedTransaction;
import org.meteorshower.transactions.language.Value;

/** What clients saw of the lists, for the checker of histories. It knows nothing of how the answers came about. */
final class Histories {
    private Histories() {}

    /**
     * What the checker finds wrong; null where it finds nothing. Snapshot reads may be stale: they are left out where
     * real time counts, and join where it does not.
     */
    static @Nullable String complaint(SimulationResult result) {
        String strict = complaint(result, IsolationModel.STRICT_SERIALIZABLE);
        return strict == null ? complaint(result, IsolationModel.SERIALIZABLE) : strict;
    }

    private static @Nullable String complaint(SimulationResult result, IsolationModel model) {
        IsolationVerdict verdict = IsolationChecker.check(of(result, model), model);
        return verdict.outcome() == Outcome.CONSISTENT ? null : verdict.report();
    }

    /** What this model is about. */
    static List<RecordedTransaction> of(SimulationResult result, IsolationModel model) {
        List<RecordedTransaction> history = new ArrayList<>();
        for (SimulationResult.Finished finished : result.operations()) {
            Operation operation = finished.operation();
            boolean snapshot = operation.kind == Operation.Kind.SNAPSHOT_OF_LISTS;
            if (!operation.accesses.isEmpty() && (!snapshot || model == IsolationModel.SERIALIZABLE)) {
                history.add(recorded(finished));
            }
        }
        return history;
    }

    private static RecordedTransaction recorded(SimulationResult.Finished finished) {
        Operation operation = finished.operation();
        List<RecordedTransaction.Step> steps = new ArrayList<>();
        Iterator<Value> values = operation.values.iterator();
        for (Operation.Access access : operation.accesses) {
            Long appended = access.appended();
            steps.add(
                    appended != null
                            ? new RecordedTransaction.Append(access.list(), appended.toString())
                            : new RecordedTransaction.Read(
                                    access.list(), values.hasNext() ? texts(values.next()) : null));
        }
        return new RecordedTransaction(
                "c" + finished.client(),
                steps,
                1_000 * operation.invokedMicros,
                1_000 * operation.answeredMicros,
                RecordedTransaction.Status.valueOf(
                        operation.status == Operation.Status.FAILED ? "FAIL" : operation.status.name()));
    }

    private static List<String> texts(Value list) {
        return list instanceof Value.Items items
                ? items.values().stream().map(Value::toString).toList()
                : List.of();
    }
}
