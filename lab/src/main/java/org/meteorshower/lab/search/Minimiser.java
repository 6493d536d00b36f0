/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Makes a plan that failed smaller, and keeps what still fails: fewer faults (delta debugging, Zeller and Hildebrandt,
 * IEEE Transactions on Software Engineering 2002), fewer operations, and of everything else the least.
 */
public final class Minimiser {
    private static final String OPERATIONS = "workload/operations";

    private final Subject subject;
    private final Family family;
    private final String foundBy;
    private int runsLeft;
    private ObjectNode best;

    /**
     * @param failure a plan, of which one of the verifiers that complained must complain when it has become smaller
     * @param mostRuns after which the smallest so far is it
     */
    public Minimiser(Subject subject, Search.Failure failure, int mostRuns) {
        this.subject = subject;
        this.family = failure.family();
        this.foundBy = failure.ran().foundBy();
        this.runsLeft = mostRuns;
        this.best = failure.plan();
    }

    /** The smallest that was found. */
    public ObjectNode run() {
        fewerStrikes();
        fewerOperations();
        for (String path : PlanTree.leaves(best)) {
            if (family.frame().stream().noneMatch(path::startsWith)) {
                less(path);
            }
        }
        fewerStrikes();
        return best;
    }

    private boolean fails(ObjectNode plan) {
        if (runsLeft <= 0 || !subject.mend(family, plan)) {
            return false;
        }
        runsLeft--;
        Subject.Ran ran = subject.run(plan);
        if (ran.complaint() == null
                || List.of(ran.foundBy().split("\\+")).stream().noneMatch(List.of(foundBy.split("\\+"))::contains)) {
            return false;
        }
        best = plan;
        return true;
    }

    private void fewerStrikes() {
        for (int chunk = Math.max(1, PlanTree.strikes(best).size() / 2); ; chunk /= 2) {
            int from = 0;
            while (from < PlanTree.strikes(best).size()) {
                if (!fails(without(from, chunk))) {
                    from += chunk;
                }
            }
            if (chunk == 1) {
                return;
            }
        }
    }

    private ObjectNode without(int from, int chunk) {
        ObjectNode without = best.deepCopy();
        ArrayNode strikes = PlanTree.strikes(without);
        for (int i = Math.min(strikes.size(), from + chunk) - 1; i >= from; i--) {
            strikes.remove(i);
        }
        return without;
    }

    private void fewerOperations() {
        JsonNode operations = PlanTree.at(best, OPERATIONS);
        while (operations.asInt() > 20) {
            ObjectNode half = best.deepCopy();
            PlanTree.set(half, OPERATIONS, half.numberNode(operations.asInt() / 2));
            if (!fails(half)) {
                return;
            }
            operations = PlanTree.at(best, OPERATIONS);
        }
    }

    /** Nothing of it, where it is a share or a count of what goes wrong; of a list one less. */
    private void less(String path) {
        JsonNode value = PlanTree.at(best, path);
        ObjectNode less = best.deepCopy();
        if (value.isArray() && value.size() > 0) {
            ((ArrayNode) PlanTree.at(less, path)).remove(value.size() - 1);
        } else if (value.isBoolean() && value.asBoolean()) {
            PlanTree.set(less, path, BooleanNode.FALSE);
        } else if (value.isNumber() && value.asDouble() != 0 && mayBeNothing(path)) {
            PlanTree.set(less, path, value.isIntegralNumber() ? less.numberNode(0) : less.numberNode(0.0));
        } else {
            return;
        }
        if (fails(less) && value.isArray()) {
            less(path);
        }
    }

    private static boolean mayBeNothing(String path) {
        boolean isTime = path.endsWith("Micros") || path.endsWith("Bytes");
        return !isTime && (path.startsWith("faults/") || path.startsWith("links/") || path.endsWith("Share"));
    }
}
