/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.meteorshower.lab.search.Family;
import org.meteorshower.simulator.Bug;
import org.meteorshower.simulator.CheckedRun;
import org.meteorshower.simulator.Kind;
import org.meteorshower.simulator.SimulationPlan;
import org.meteorshower.simulator.Trace;

/** The simulator of sequential reads, to be searched. */
final class ProbedReads extends ProbedCore {
    /**
     * Clocks go with modes and settings, and both with the cluster; who may be away for how long goes with what records
     * may take.
     */
    private static final List<String> FRAME = List.of(
            "cluster",
            "settings",
            "modes",
            "bug",
            "links/pairMicros",
            "links/asymmetry",
            "workload/partitions",
            "workload/largestBytes",
            "faults/clockOffsetMicros",
            "faults/clockDriftShare",
            "faults/minorityDown",
            "faults/special/longOutages",
            "faults/special/settleMicros",
            "faults/special/moves/spares",
            "faults/special/moves/live",
            "faults/special/switching/live");

    private static final List<Family> FAMILIES = List.of(
            family(
                    "fixed",
                    "random",
                    "random",
                    "random",
                    "random",
                    "random",
                    "calm",
                    "readers-cut-off",
                    "restarts",
                    "restart-bursts",
                    "clocks-back",
                    "clocks-apart",
                    "repairs",
                    "repairs-cut-short",
                    "left-behind",
                    "left-behind-by-one",
                    "left-behind-by-all",
                    "half-deaf-restarts",
                    "fresh-clients"),
            family(
                    "moves",
                    "moves",
                    "moves",
                    "moves-unsettled",
                    "moves-ousting",
                    "moves-in-a-row",
                    "moves-and-restarts",
                    "there-and-back"),
            family("live-moves", "live-moves", "live-moves", "moves-overlapping"),
            family("enabled", "enabled"),
            family("disabled", "disabled"),
            family("good-clocks", "strict", "strict", "meteorshower1", "bounded", "mixed"),
            family("clocks-behind", "clocks-behind"),
            family("size", "size", "size", "settle-slowly"),
            family("scans", "scans"),
            family("leases", "leases"),
            family("leases-move", "leases-move"),
            family("leases-enabled", "leases-enabled"));

    private final Object kind;
    private final Method of;
    private final Object bugIn;
    private final Method with;

    /** @param bug the mistake of whoever embeds the core, or NONE */
    ProbedReads(List<Patch> patches, Bug bug, Set<Long> common) {
        super(patches, common, SimulationPlan.class);
        try {
            bugIn = type(Bug.class).getField(bug.name()).get(null);
            with = type(SimulationPlan.class).getMethod("withBug", type(Bug.class));
            // Only some kinds hold operations to a longest time, which changed plans need not keep.
            kind = type(Kind.class).getField("RANDOM").get(null);
            of = type(CheckedRun.class)
                    .getMethod("of", type(Kind.class), type(SimulationPlan.class), type(Trace.class));
        } catch (ReflectiveOperationException e) {
            throw PatchedClasses.notWhatItWas(e);
        }
    }

    private static Family family(String name, String... kinds) {
        return new Family(name, List.of(kinds), FRAME, List.of(), false);
    }

    @Override
    public List<Family> families() {
        return FAMILIES;
    }

    @Override
    public ObjectNode drawn(String name, long seed) {
        return json(Kind.named(name).plan(seed).withStrikes());
    }

    /**
     * Where a moved table is used at once, batches have one partition each: the recorder puts a batch's parts in the
     * order of their stamps, and a plain read sees them in that of the stores.
     */
    @Override
    public boolean mend(Family family, ObjectNode plan) {
        if (plan.at("/faults/special/moves/live").asBoolean()) {
            plan.withObject("/workload").put("batchShare", 0.0);
        }
        return true;
    }

    @Override
    Object checked(Object plan, Object noTrace) throws ReflectiveOperationException {
        return of.invoke(null, kind, with.invoke(plan, bugIn), noTrace);
    }

    @Override
    long operations(Object checked) throws ReflectiveOperationException {
        return (Integer) get(get(checked, "result"), "operations");
    }
}
