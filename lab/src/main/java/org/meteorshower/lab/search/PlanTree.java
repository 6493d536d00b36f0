/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Places in a plan, by paths of names such as {@code faults/special/moves}. Lists are one place each. */
final class PlanTree {
    /** The faults that are listed. */
    static final String STRIKES = "strikes";

    static final String SEED = "seed";

    private PlanTree() {}

    /** The node there; a missing one where there is nothing. */
    static JsonNode at(ObjectNode plan, String path) {
        return plan.at("/" + path);
    }

    /** Does nothing where the plan has no such place. */
    static void set(ObjectNode plan, String path, JsonNode value) {
        int last = path.lastIndexOf('/');
        JsonNode parent = last < 0 ? plan : at(plan, path.substring(0, last));
        if (parent instanceof ObjectNode object && !value.isMissingNode()) {
            object.set(path.substring(last + 1), value.deepCopy());
        }
    }

    static ArrayNode strikes(ObjectNode plan) {
        return plan.withArray(STRIKES);
    }

    /** All numbers, words, truths and lists of a plan, but for the seed and the faults that are listed. */
    static List<String> leaves(ObjectNode plan) {
        List<String> paths = new ArrayList<>();
        collect(plan, "", paths::add);
        paths.remove(SEED);
        paths.remove(STRIKES);
        return paths;
    }

    private static void collect(ObjectNode node, String prefix, Consumer<String> paths) {
        for (Map.Entry<String, JsonNode> each : node.properties()) {
            String path = prefix + each.getKey();
            if (each.getValue() instanceof ObjectNode object) {
                collect(object, path + "/", paths);
            } else {
                paths.accept(path);
            }
        }
    }
}
