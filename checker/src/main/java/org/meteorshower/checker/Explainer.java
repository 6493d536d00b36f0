/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Turns a finding into a counterexample: the operations, and why each must come before the next. */
final class Explainer {
    private static final int MAX_DEPTH = 4;

    private final Finding finding;
    private final Problem problem;
    private final PathFinder paths;
    private final Set<Integer> operations = new LinkedHashSet<>();

    private Explainer(Finding finding) {
        this.finding = finding;
        problem = finding.problem();
        paths = new PathFinder(problem, finding.graph());
    }

    /** Of a cycle that needs no proof. */
    static Counterexample ofCycle(Finding finding) {
        return new Explainer(finding).cycle();
    }

    /** Of a cycle in a part of the history that was made small: all its operations are named. */
    static Counterexample ofSmallCycle(Finding finding) {
        Explainer explainer = new Explainer(finding);
        Counterexample cycle = explainer.cycle();
        for (int op : finding.problem().op) {
            explainer.operations.add(op);
        }
        return new Counterexample(cycle.summary(), List.copyOf(explainer.operations), cycle.steps());
    }

    private Counterexample cycle() {
        List<Counterexample.Step> steps = steps(fromEarliest(finding.cycle()), 0);
        addWitnesses();
        return new Counterexample(
                "these operations must each come before the next, round to the first", List.copyOf(operations), steps);
    }

    /** That an unknown write took effect is shown by a read of it. */
    private void addWitnesses() {
        Set<Integer> unseen = new HashSet<>();
        for (int op : operations) {
            if (problem.history.isWrite(op) && problem.history.status(op) == Operation.Status.UNKNOWN) {
                unseen.add(op);
            }
        }
        for (int node = 0; node < problem.opNodes && !unseen.isEmpty(); node++) {
            int from = problem.readsFrom[node];
            if (from >= 0 && unseen.remove(problem.op[from])) {
                operations.add(problem.op[node]);
            }
        }
    }

    /** Of anything else: the operations that no order can hold. */
    static Counterexample ofSet(int[] operations) {
        return new Counterexample(
                "no order holds these operations together",
                Arrays.stream(operations).boxed().toList(),
                List.of());
    }

    private List<Hop> fromEarliest(List<Hop> cycle) {
        int first = 0;
        for (int i = 0; i < cycle.size(); i++) {
            if (cycle.get(i).from() < cycle.get(first).from()) {
                first = i;
            }
        }
        List<Hop> turned = new ArrayList<>(cycle.subList(first, cycle.size()));
        turned.addAll(cycle.subList(0, first));
        return turned;
    }

    private List<Counterexample.Step> steps(List<Hop> hops, int depth) {
        for (Hop hop : hops) {
            operations.add(problem.op[hop.from()]);
        }
        List<Counterexample.Step> steps = new ArrayList<>();
        for (Hop hop : hops) {
            operations.add(problem.op[hop.to()]);
            int via = hop.via() == Edges.NO_VIA ? -1 : problem.op[hop.via()];
            if (via >= 0) {
                operations.add(via);
            }
            List<Counterexample.Step> proof = depth < MAX_DEPTH ? steps(proof(hop), depth + 1) : List.of();
            steps.add(new Counterexample.Step(problem.op[hop.from()], problem.op[hop.to()], hop.reason(), via, proof));
        }
        return steps;
    }

    private List<Hop> proof(Hop hop) {
        if (hop.via() == Edges.NO_VIA || hop.edge() < finding.evidentEdges()) {
            return List.of();
        }
        return hop.reason() == Reason.OVERWRITTEN
                ? paths.find(hop.from(), hop.via(), hop.edge(), Integer.MAX_VALUE)
                : paths.find(hop.via(), hop.to(), hop.edge(), Integer.MAX_VALUE);
    }
}
