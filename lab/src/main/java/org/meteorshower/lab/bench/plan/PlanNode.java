/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.console.Numbers;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** One value of a plan's file, with the place where it stands for what is wrong with it. For one thread. */
final class PlanNode {
    private final String file;
    private final String path;
    private final Node node;
    private final Set<String> asked = new LinkedHashSet<>();

    PlanNode(String file, String path, Node node) {
        this.file = file;
        this.path = path;
        this.node = node;
    }

    PlanException wrong(String what) {
        return new PlanException(file + ", line " + (node.getStartMark().getLine() + 1)
                + (path.isEmpty() ? "" : ", " + path) + ": " + what);
    }

    boolean isMapping() {
        return node instanceof MappingNode;
    }

    /** The value under a key, or null. Throws where this is no mapping. */
    @Nullable
    PlanNode get(String key) {
        asked.add(key);
        return entries().get(key);
    }

    PlanNode require(String key, String example) {
        PlanNode found = get(key);
        if (found == null) {
            throw wrong("the key " + key + " is missing; for example " + key + ": " + example);
        }
        return found;
    }

    /** Call it when all keys were asked for: another one in the file is a slip. */
    void requireNoOtherKeys() {
        entries().forEach((key, value) -> {
            if (!asked.contains(key)) {
                throw value.wrong("no such key; here are possible: " + String.join(", ", asked));
            }
        });
    }

    private Map<String, PlanNode> entries() {
        if (!(node instanceof MappingNode mapping)) {
            throw wrong("must be keys with values, such as name: value");
        }
        Map<String, PlanNode> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            String key = new PlanNode(file, path, tuple.getKeyNode()).text();
            PlanNode value = new PlanNode(file, path.isEmpty() ? key : path + "." + key, tuple.getValueNode());
            if (entries.put(key, value) != null) {
                throw value.wrong("the key is there twice; remove one of them");
            }
        }
        return entries;
    }

    /** The items of a list; a single value counts as a list of one. */
    List<PlanNode> items() {
        if (!(node instanceof SequenceNode sequence)) {
            return List.of(this);
        }
        List<PlanNode> items = new ArrayList<>();
        for (Node item : sequence.getValue()) {
            items.add(new PlanNode(file, path + "[" + items.size() + "]", item));
        }
        return items;
    }

    List<String> texts() {
        return items().stream().map(PlanNode::text).toList();
    }

    String text() {
        if (!(node instanceof ScalarNode scalar)) {
            throw wrong("must be a single word or number");
        }
        return scalar.getValue().strip();
    }

    /** A number within bounds, both included. */
    double number(double least, double most, String unit) {
        String text = text();
        try {
            double value = Double.parseDouble(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw wrong("must be a number from " + Numbers.plain(least) + " to " + Numbers.plain(most) + " " + unit
                + ", not '" + text + "'");
    }

    int whole(int least, int most, String unit) {
        double value = number(least, most, unit);
        if (value != Math.rint(value)) {
            throw wrong("must be a whole number of " + unit + ", not '" + text() + "'");
        }
        return (int) value;
    }

    boolean flag() {
        return switch (text()) {
            case "true", "yes" -> true;
            case "false", "no" -> false;
            default -> throw wrong("must be true or false, not '" + text() + "'");
        };
    }
}
