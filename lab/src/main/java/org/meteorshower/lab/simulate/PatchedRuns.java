/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.History;
import org.meteorshower.checker.Verdict;
import org.meteorshower.simulator.Kind;

/** Runs seeds on a core with mistakes in it, which lives in classes of its own. Thread-safe. */
final class PatchedRuns implements Runs {
    private static final String PACKAGE = "org.meteorshower.simulator.";

    private final Method kindNamed;
    private final Method run;
    private final Object noBug;
    private final Object noTrace;
    private final Class<?> transcripts;

    /** @throws IllegalStateException if a patch finds nothing to change */
    PatchedRuns(List<Patch> patches) {
        PatchedClasses classes = new PatchedClasses(patches);
        try {
            for (Patch patch : patches) {
                // Now: within a run it would pass for a mistake that was found.
                classes.loadClass(patch.className());
            }
            Class<?> kinds = classes.loadClass(PACKAGE + "Kind");
            Class<?> bugs = classes.loadClass(PACKAGE + "Bug");
            Class<?> traces = classes.loadClass(PACKAGE + "Trace");
            transcripts = classes.loadClass(PACKAGE + "Transcript");
            kindNamed = kinds.getMethod("named", String.class);
            run = classes.loadClass(PACKAGE + "CheckedRun").getMethod("of", kinds, long.class, bugs, traces);
            noBug = bugs.getField("NONE").get(null);
            noTrace = traces.getField("NONE").get(null);
        } catch (ReflectiveOperationException e) {
            throw PatchedClasses.notWhatItWas(e);
        }
    }

    @Override
    public RunOutcome run(Kind kind, long seed, @Nullable Consumer<String> transcript) {
        try {
            Object trace = transcript == null
                    ? noTrace
                    : transcripts.getConstructor(Consumer.class).newInstance(transcript);
            Object checked = run.invoke(null, kindNamed.invoke(null, kind.word()), seed, noBug, trace);
            Object result = get(checked, "result");
            return new RunOutcome(
                    (Integer) get(result, "operations"),
                    (String) get(checked, "foundBy"),
                    (String) checked.getClass().getMethod("complaint").invoke(checked),
                    (Boolean) get(checked, "isUndecided"),
                    result.toString(),
                    new SeenByClients.Reads(
                            (History) get(checked, "history"), ((Verdict) get(checked, "verdict")).model()));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException broken) {
                return Runs.thrown(broken);
            }
            throw new IllegalStateException("the patched core could not be run", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw PatchedClasses.notWhatItWas(e);
        }
    }

    private static Object get(Object of, String method) throws ReflectiveOperationException {
        return of.getClass().getMethod(method).invoke(of);
    }
}
