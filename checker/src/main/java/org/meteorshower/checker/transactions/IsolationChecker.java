/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker.transactions;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says whether one order of all transactions explains a history of list appends. Exact for what the reads show: a
 * history is serializable in what was seen if, and only if, nothing contradicts itself and the known dependencies have
 * no cycle. (Appends that nobody read leave their own order open; any fits.)
 */
public final class IsolationChecker {
    private static final Set<Dependencies.Why> WRITES = EnumSet.of(Dependencies.Why.WW);
    private static final Set<Dependencies.Why> WRITES_AND_READS = EnumSet.of(Dependencies.Why.WW, Dependencies.Why.WR);
    private static final Set<Dependencies.Why> ALL =
            EnumSet.of(Dependencies.Why.WW, Dependencies.Why.WR, Dependencies.Why.RW);

    private IsolationChecker() {}

    /** @throws IllegalArgumentException if a value was appended twice to one list */
    public static IsolationVerdict check(List<RecordedTransaction> history, IsolationModel model) {
        ListOrders orders = new ListOrders(history);
        ListOrders.Contradiction contradiction = orders.check();
        if (contradiction != null) {
            return IsolationVerdict.violation(model, contradiction.anomaly(), false, contradiction.steps());
        }
        boolean strict = model == IsolationModel.STRICT_SERIALIZABLE;
        Dependencies graph = new Dependencies(history, orders, strict);
        for (boolean realTime : strict ? new boolean[] {false, true} : new boolean[] {false}) {
            IsolationVerdict verdict = cycles(history, model, graph, realTime);
            if (verdict != null) {
                return verdict;
            }
        }
        return IsolationVerdict.consistent(model);
    }

    private static @Nullable IsolationVerdict cycles(
            List<RecordedTransaction> history, IsolationModel model, Dependencies graph, boolean realTime) {
        List<Dependencies.Edge> cycle = finder(graph, ALL, realTime).any();
        if (cycle == null) {
            return null;
        }
        Anomaly anomaly = Anomaly.G2;
        CycleFinder writes = finder(graph, WRITES, realTime);
        CycleFinder reads = finder(graph, WRITES_AND_READS, realTime);
        List<Dependencies.Edge> worse = writes.any();
        if (worse != null) {
            anomaly = Anomaly.G0;
        } else {
            worse = reads.any();
            anomaly = worse != null ? Anomaly.G1C : anomaly;
        }
        if (worse == null) {
            worse = single(graph, reads);
            anomaly = worse != null ? Anomaly.G_SINGLE : anomaly;
        }
        return IsolationVerdict.violation(model, anomaly, realTime, describe(history, worse == null ? cycle : worse));
    }

    private static CycleFinder finder(Dependencies graph, Set<Dependencies.Why> whys, boolean realTime) {
        return new CycleFinder(graph, why -> whys.contains(why) || (realTime && why == Dependencies.Why.REAL_TIME));
    }

    /** A cycle with one anti-dependency. */
    private static @Nullable List<Dependencies.Edge> single(Dependencies graph, CycleFinder reads) {
        for (int node = 0; node < graph.nodes(); node++) {
            for (Dependencies.Edge edge : graph.from(node)) {
                if (edge.why() == Dependencies.Why.RW) {
                    List<Dependencies.Edge> cycle = reads.closing(edge);
                    if (cycle != null) {
                        return cycle;
                    }
                }
            }
        }
        return null;
    }

    private static List<String> describe(List<RecordedTransaction> history, List<Dependencies.Edge> cycle) {
        List<String> lines = new ArrayList<>();
        for (Dependencies.Edge edge : cycle) {
            if (edge.from() < history.size()) {
                lines.add(history.get(edge.from()) + " " + edge.why().words()
                        + (edge.list().isEmpty() ? "" : ", list " + edge.list()));
            }
        }
        lines.add("the first of these");
        return lines;
    }
}
