/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.transactions.IsolationModel;
import org.meteorshower.checker.transactions.RecordedTransaction;
import org.meteorshower.transactions.simulator.CheckedRun;
import org.meteorshower.transactions.simulator.Kind;
import org.meteorshower.transactions.simulator.Plan;

/** Runs seeds of the transactions' simulator. Thread-safe. */
interface CatenaeRuns {
    /** @param transcript gets a line for each event and effect; null where nobody reads them */
    RunOutcome run(Kind kind, long seed, @Nullable Consumer<String> transcript);

    /** The core as it is. */
    static CatenaeRuns plain() {
        return (kind, seed, transcript) -> outcome(() -> CheckedRun.of(kind.word(), seed, transcript));
    }

    /** A plan that is of no seed. */
    static RunOutcome run(Plan plan, @Nullable Consumer<String> transcript) {
        return outcome(() -> CheckedRun.of(plan, transcript));
    }

    private static RunOutcome outcome(Supplier<CheckedRun> runs) {
        try {
            CheckedRun run = runs.get();
            return new RunOutcome(
                    run.operations(),
                    run.foundBy(),
                    run.complaint(),
                    false,
                    run.summary(),
                    SeenByClients.Transactions.of(run::history));
        } catch (RuntimeException e) {
            return Runs.thrown(e);
        }
    }

    /**
     * A core with mistakes in it, which lives in classes of its own.
     *
     * @throws IllegalStateException if a patch finds nothing to change
     */
    static CatenaeRuns of(List<Patch> patches) {
        PatchedClasses classes = new PatchedClasses(patches);
        Method of;
        Method history;
        try {
            for (Patch patch : patches) {
                classes.loadClass(patch.className());
            }
            Class<?> runs = classes.loadClass(CheckedRun.class.getName());
            of = runs.getMethod("of", String.class, long.class, Consumer.class);
            history = runs.getMethod("history", IsolationModel.class);
        } catch (ReflectiveOperationException e) {
            throw PatchedClasses.notWhatItWas(e);
        }
        return (kind, seed, transcript) -> {
            try {
                Object run = of.invoke(null, kind.word(), seed, transcript);
                return new RunOutcome(
                        (Long) get(run, "operations"),
                        (String) get(run, "foundBy"),
                        (String) run.getClass().getMethod("complaint").invoke(run),
                        false,
                        (String) get(run, "summary"),
                        new SeenByClients.Transactions(
                                transactions(history.invoke(run, IsolationModel.STRICT_SERIALIZABLE)),
                                transactions(history.invoke(run, IsolationModel.SERIALIZABLE))));
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof RuntimeException broken) {
                    return Runs.thrown(broken);
                }
                throw new IllegalStateException("the patched core could not be run", e.getCause());
            } catch (ReflectiveOperationException e) {
                throw PatchedClasses.notWhatItWas(e);
            }
        };
    }

    private static List<RecordedTransaction> transactions(Object history) {
        return ((List<?>) history).stream().map(RecordedTransaction.class::cast).toList();
    }

    private static Object get(Object of, String method) throws ReflectiveOperationException {
        return of.getClass().getMethod(method).invoke(of);
    }
}
