/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.search.Features;
import org.meteorshower.lab.search.Subject;
import org.meteorshower.simulator.Probes;
import org.meteorshower.simulator.Trace;

/** A simulator whose core tells what it runs, in classes of its own. One thread at a time. */
abstract class ProbedCore implements Subject {
    private final PatchedClasses classes;
    private final PlanJson json = new PlanJson();
    private final Class<?> planType;
    private final Object noTrace;
    private final Method take;
    private final Method blocks;

    /**
     * @param patches the mistakes of the core; none where it is searched as it is
     * @param common blocks of its code that are not told of
     * @param planType the plans that it runs, as this tool knows them
     */
    ProbedCore(List<Patch> patches, Set<Long> common, Class<?> planType) {
        this.classes = new PatchedClasses(patches, common);
        try {
            for (Patch patch : patches) {
                classes.loadClass(patch.className());
            }
            this.planType = type(planType);
            this.noTrace = type(Trace.class).getField("NONE").get(null);
            this.take = type(Probes.class).getMethod("take");
            this.blocks = type(Probes.class).getMethod("blocks");
        } catch (ReflectiveOperationException e) {
            throw PatchedClasses.notWhatItWas(e);
        }
    }

    /** The same class as this core has it. */
    final Class<?> type(Class<?> known) throws ReflectiveOperationException {
        return classes.loadClass(known.getName());
    }

    final ObjectNode json(Object plan) {
        return json.of(plan);
    }

    /** Runs a plan of this core's type; its verdict is a {@code CheckedRun} of this core's type. */
    abstract Object checked(Object plan, Object noTrace) throws ReflectiveOperationException;

    abstract long operations(Object checked) throws ReflectiveOperationException;

    @Override
    public final Ran run(ObjectNode plan) {
        Object typed = json.to(plan, planType);
        try {
            try {
                Object run = checked(typed, noTrace);
                return new Ran(features(), (String) get(run, "foundBy"), complaint(run), operations(run));
            } catch (InvocationTargetException e) {
                RunOutcome thrown = Runs.thrown(e.getTargetException());
                return new Ran(features(), thrown.foundBy(), thrown.complaint(), 0);
            }
        } catch (ReflectiveOperationException e) {
            throw PatchedClasses.notWhatItWas(e);
        }
    }

    /** Runs a plan, and gives the names of the blocks that ran. */
    final Set<Long> blocksOf(ObjectNode plan) {
        try {
            checked(json.to(plan, planType), noTrace);
            Set<Long> ran = new HashSet<>();
            for (long block : (long[]) blocks.invoke(null)) {
                ran.add(block);
            }
            features();
            return ran;
        } catch (ReflectiveOperationException e) {
            throw PatchedClasses.notWhatItWas(e);
        }
    }

    private static @Nullable String complaint(Object run) throws ReflectiveOperationException {
        return (String) run.getClass().getMethod("complaint").invoke(run);
    }

    private Features features() throws ReflectiveOperationException {
        return new Features((int[]) take.invoke(null));
    }

    static Object get(Object of, String method) throws ReflectiveOperationException {
        return of.getClass().getMethod(method).invoke(of);
    }
}
