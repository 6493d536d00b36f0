/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meteorshower.simulator.Bug;

/** The searches by name, with nothing but the JDK's types: for callers that load these classes a second time. */
public final class SmallScope {
    private static final Set<Bug> KNOWN = EnumSet.of(
            Bug.NONE,
            Bug.READ_WITHOUT_TOKEN,
            Bug.WRITE_TOKEN_DROPPED,
            Bug.STAMPED_AFTER_APPLIED,
            Bug.APPLIED_TOO_EARLY,
            Bug.OVERLAY_IGNORED,
            Bug.READ_UNCONFIRMED,
            Bug.JOURNAL_LOST,
            Bug.CEILING_LOST);

    private SmallScope() {}

    /** The scenarios' names, and what happens in each. */
    public static Map<String, String> scenarios() {
        Map<String, String> scenarios = new LinkedHashMap<>();
        Scenarios.all().forEach(scenario -> scenarios.put(scenario.name(), scenario.meaning()));
        return scenarios;
    }

    /** Whether small worlds have a place for a mistake around the core, a constant of {@link Bug}. */
    public static boolean knows(String bug) {
        return KNOWN.contains(Bug.valueOf(bug));
    }

    /**
     * Searches a scenario. The answer and the progress hold the figures by name; {@code complaint} and {@code schedule}
     * are among them where something is wrong.
     *
     * @param bug a mistake around the core, a constant of {@link Bug}
     * @param ticks how often a timer fires, null for what the scenario says
     * @param bounds depth, departures and states, as {@link Bound} has them
     * @throws IllegalArgumentException if there is no such scenario
     */
    public static Map<String, Object> search(
            String scenario,
            String bug,
            @Nullable Integer ticks,
            int[] bounds,
            Consumer<Map<String, Object>> progress) {
        Scenario chosen = chosen(scenario, bug, ticks);
        Bound bound = new Bound(bounds[0], bounds[1], bounds[2]);
        SearchResult result = new Search(chosen, bound).run(figures -> progress.accept(told(chosen, figures)));
        Map<String, Object> told = told(chosen, result.figures());
        if (result.complaint() != null) {
            told.put("complaint", result.complaint());
            told.put("schedule", result.schedule().stream().map(Move::shortly).collect(Collectors.joining(".")));
        }
        return told;
    }

    /**
     * Tells what happens in a schedule that {@link #search} gave. Returns what is wrong in the end; null where nothing
     * is.
     *
     * @throws IllegalArgumentException if it is no schedule of this scenario
     */
    public static @Nullable String retell(
            String scenario, String bug, @Nullable Integer ticks, String schedule, Consumer<String> lines) {
        List<Integer> moves =
                Arrays.stream(schedule.split("\\.", -1)).map(Move::parse).toList();
        return new Retelling(chosen(scenario, bug, ticks), lines).of(moves);
    }

    private static Scenario chosen(String scenario, String bug, @Nullable Integer ticks) {
        Scenario chosen = Scenarios.named(scenario).withBug(Bug.valueOf(bug));
        return ticks == null ? chosen : chosen.withTicks(ticks);
    }

    private static Map<String, Object> told(Scenario scenario, SearchFigures figures) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("operations", scenario.operations());
        told.put("timer_firings", scenario.ticks());
        told.put("faults", scenario.mostFaults());
        told.put("depth", figures.depth());
        told.put("whole", figures.isWhole());
        told.put("states", figures.states());
        told.put("transitions", figures.transitions());
        told.put("schedules", figures.schedules());
        told.put("end_states", figures.endStates());
        told.put("end_states_all_answered", figures.endStatesWithAllAnswered());
        told.put("node_states", figures.coreStates());
        told.put("core_steps", figures.coreSteps());
        told.put("widest_depth", figures.widest());
        return told;
    }
}
