/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.meteorshower.lab.prove.Tlc.Verdict;

/**
 * A specification with constants, and what is expected of it.
 *
 * @param name in kebab-case
 * @param meaning for people
 * @param specification its module
 * @param constants by name
 * @param invariant that is checked
 * @param refuted whether TLC must find a counterexample: a rule is left out, or the invariant is that something is
 *     never reached
 * @param isQuick whether it takes seconds
 * @param bounds which of them
 */
record Model(
        String name,
        String meaning,
        String specification,
        Map<String, String> constants,
        String invariant,
        boolean refuted,
        boolean isQuick,
        Bounds bounds) {
    static final String FALSE = "FALSE";
    static final String TRUE = "TRUE";

    /** All that there are. */
    static List<Model> all() {
        return Stream.of(
                        ReadsAtACutModels.all(),
                        RingModels.all(),
                        LeasesModels.all(),
                        LaneModels.all(),
                        OrderModels.all())
                .flatMap(List::stream)
                .toList();
    }

    /** The same with another value of a constant. */
    Model with(String constant, String value) {
        if (!constants.containsKey(constant)) {
            throw new IllegalArgumentException(specification + " has no constant " + constant);
        }
        Map<String, String> changed = new TreeMap<>(constants);
        changed.put(constant, value);
        return new Model(name, meaning, specification, changed, invariant, refuted, isQuick, bounds);
    }

    /** The same with several constants set to TRUE. */
    Model withAll(String... set) {
        Model model = this;
        for (String each : set) {
            model = model.with(each, TRUE);
        }
        return model;
    }

    /** The same, not among those that take seconds. */
    Model slow() {
        return new Model(name, meaning, specification, constants, invariant, refuted, false, bounds);
    }

    /** The same as far as it begins so: after the steps that it has to begin with already, with these. */
    Model after(String... steps) {
        List<String> all =
                Stream.concat(bounds.beginning().stream(), Stream.of(steps)).toList();
        return within(new Bounds(all, bounds.depth()));
    }

    /** The same up to so many states of a behaviour, the first one counted. That shows less than that it holds. */
    Model toDepth(int depth) {
        return within(new Bounds(bounds.beginning(), depth));
    }

    private Model within(Bounds narrower) {
        return new Model(name, meaning, specification, constants, invariant, refuted, isQuick, narrower);
    }

    /** What TLC must find. */
    Verdict expected() {
        return refuted ? Verdict.REFUTED : bounds.depth() > 0 ? Verdict.TO_DEPTH : Verdict.HOLDS;
    }

    /** As TLC reads it. */
    String configuration() {
        return "SPECIFICATION " + (bounds.areAny() ? "BoundedSpec" : "Spec") + "\n" + text(constants) + "INVARIANT "
                + invariant + "\n";
    }

    /** Constants as TLC reads them. */
    static String text(Map<String, String> constants) {
        return "CONSTANTS\n"
                + constants.entrySet().stream()
                        .map(each -> "  " + each.getKey() + " = " + each.getValue() + "\n")
                        .collect(Collectors.joining());
    }
}
