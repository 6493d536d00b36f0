/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A specification in TLA+, of which models are made.
 *
 * @param module its name
 * @param invariant what it promises
 * @param constants of the smallest world, all rules kept
 */
record Specification(String module, String invariant, Map<String, String> constants) {
    /** @param rules constants too, TRUE where no model leaves them out */
    static Specification of(String module, String invariant, List<String> rules, Map<String, String> world) {
        Map<String, String> constants = new TreeMap<>(world);
        rules.forEach(rule -> constants.put(rule, Model.TRUE));
        return new Specification(module, invariant, constants);
    }

    /** A world in which it must hold. */
    Model holds(String name, String meaning) {
        return new Model(name, meaning, module, constants, invariant, false, true, Bounds.NONE);
    }

    /** One in which it must not, for want of these rules. */
    Model without(String name, String meaning, String... rules) {
        Model model = new Model(name, meaning, module, constants, invariant, true, true, Bounds.NONE);
        for (String rule : rules) {
            model = model.with(rule, Model.FALSE);
        }
        return model;
    }

    /** @param never an invariant that must be refuted, else what holds would be of nothing */
    Model reached(String name, String never) {
        return new Model(name, "a state that must be reached", module, constants, never, true, true, Bounds.NONE);
    }
}
