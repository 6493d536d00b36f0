/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.meteorshower.lab.search.Family;
import org.meteorshower.simulator.Trace;
import org.meteorshower.transactions.simulator.CheckedRun;
import org.meteorshower.transactions.simulator.Kind;
import org.meteorshower.transactions.simulator.Plan;

/** The simulator of transactions, to be searched. */
final class ProbedCatenae extends ProbedCore {
    /** Epochs go with the number of data centres and the ways between them; a fault that happens once, with both. */
    private static final List<String> FRAME = List.of("delaysMicros", "settings", "faults/times", "work/lastsMicros");

    /** Budgets, besides, go with what is loaded and what a disk takes. */
    private static final List<String> FRAME_OF_SIZE = List.of(
            "delaysMicros", "settings", "faults/times", "faults/downMicros", "work/lastsMicros", "load", "faults");

    private static final List<Family> FAMILIES = List.of(
            new Family(
                    "faults",
                    List.of(
                            "random",
                            "random",
                            "kills",
                            "cuts",
                            "zombies",
                            "clocks",
                            "lost-disks",
                            "gone-long",
                            "slow-links",
                            "quick-restarts",
                            "disk-and-death",
                            "repairs",
                            "outages",
                            "handovers",
                            "hand-backs",
                            "unsteady",
                            "ranges",
                            "computed",
                            "combined"),
                    FRAME,
                    Plan.parts(),
                    false),
            new Family("below-floor", List.of("below-floor"), FRAME, Plan.parts(), true),
            new Family("deposed", List.of("deposed"), FRAME, Plan.parts(), true),
            new Family("size", List.of("size"), FRAME_OF_SIZE, List.of(), false));

    private final Method of;

    ProbedCatenae(List<Patch> patches, Set<Long> common) {
        super(patches, common, Plan.class);
        try {
            of = type(CheckedRun.class).getMethod("of", type(Plan.class), type(Trace.class));
        } catch (ReflectiveOperationException e) {
            throw PatchedClasses.notWhatItWas(e);
        }
    }

    @Override
    public List<Family> families() {
        return FAMILIES;
    }

    @Override
    public ObjectNode drawn(String name, long seed) {
        return json(Kind.named(name).plan(seed).withStrikes());
    }

    @Override
    public boolean mend(Family family, ObjectNode plan) {
        return true;
    }

    @Override
    Object checked(Object plan, Object noTrace) throws ReflectiveOperationException {
        return of.invoke(null, plan, noTrace);
    }

    @Override
    long operations(Object checked) throws ReflectiveOperationException {
        return (Long) get(checked, "operations");
    }
}
