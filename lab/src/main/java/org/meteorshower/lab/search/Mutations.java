/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.SplittableRandom;

/** Makes plans out of others of their family. */
final class Mutations {
    private static final int MOST_CHANGES = 6;

    private final Family family;
    private final Hull hull;
    private final SplittableRandom random;
    private final StrikeMutations strikes;

    Mutations(Family family, Hull hull, SplittableRandom random) {
        this.family = family;
        this.hull = hull;
        this.random = random;
        this.strikes = new StrikeMutations(hull, random);
    }

    /**
     * Changes one to six things.
     *
     * @param parent is left as it is
     * @param other gives what is taken over
     */
    ObjectNode child(ObjectNode parent, ObjectNode other) {
        ObjectNode child = parent.deepCopy();
        int changes = 1 + random.nextInt(random.nextInt(MOST_CHANGES) + 1);
        for (int i = 0; i < changes; i++) {
            change(child, other);
        }
        return child;
    }

    private void change(ObjectNode child, ObjectNode other) {
        int what = random.nextInt(20);
        if (what < 9 && hull.hasStrikes()) {
            strikes.change(PlanTree.strikes(child), PlanTree.strikes(other));
        } else if (what < 12) {
            number(child);
        } else if (what < 15) {
            graft(child, other);
        } else if (what < 16) {
            frame(child, other);
        } else if (what < 17) {
            list(child);
        } else if (what < 18) {
            lessOfAll(child);
        } else {
            child.put(PlanTree.SEED, random.nextLong(Search.MOST_SEEDS));
        }
    }

    private String anyFree() {
        return hull.free().get(random.nextInt(hull.free().size()));
    }

    private void number(ObjectNode child) {
        String path = anyFree();
        JsonNode value = PlanTree.at(child, path);
        if (value.isNumber()) {
            double factor = Math.exp(2 * random.nextDouble() - 1);
            double changed =
                    random.nextBoolean() ? value.asDouble() * factor : value.asDouble() + random.nextInt(5) - 2;
            PlanTree.set(child, path, hull.within(path, changed, value));
        } else if (value.isBoolean()) {
            PlanTree.set(child, path, BooleanNode.valueOf(!value.asBoolean()));
        }
    }

    private void graft(ObjectNode child, ObjectNode other) {
        String path = anyFree();
        if (random.nextBoolean() && path.indexOf('/') > 0) {
            String branch = path.substring(0, path.lastIndexOf('/'));
            hull.free().stream()
                    .filter(each -> each.startsWith(branch + "/"))
                    .forEach(each -> PlanTree.set(child, each, PlanTree.at(other, each)));
        } else {
            PlanTree.set(child, path, PlanTree.at(other, path));
        }
    }

    private void frame(ObjectNode child, ObjectNode other) {
        family.frame().forEach(path -> PlanTree.set(child, path, PlanTree.at(other, path)));
    }

    /**
     * Of a list within the plan, such as the changes of the ring, one is dropped, is there twice, or changes places.
     */
    private void list(ObjectNode child) {
        List<String> lists = hull.free().stream()
                .filter(path -> PlanTree.at(child, path).size() > 1)
                .toList();
        if (lists.isEmpty()) {
            return;
        }
        ArrayNode list = (ArrayNode) PlanTree.at(child, lists.get(random.nextInt(lists.size())));
        int place = random.nextInt(list.size());
        switch (random.nextInt(3)) {
            case 0 -> list.remove(place);
            case 1 -> list.set(random.nextInt(list.size()), list.get(place).deepCopy());
            default -> list.insert(random.nextInt(list.size()), list.remove(place));
        }
    }

    /** Switches a random half of what can go wrong off, or to the least of it. */
    private void lessOfAll(ObjectNode child) {
        for (String path : hull.free()) {
            JsonNode value = PlanTree.at(child, path);
            if (path.startsWith("faults/") && value.isNumber() && random.nextBoolean()) {
                PlanTree.set(child, path, hull.least(path, value));
            }
        }
        strikes.withoutHalfOfTheKinds(PlanTree.strikes(child));
    }
}
