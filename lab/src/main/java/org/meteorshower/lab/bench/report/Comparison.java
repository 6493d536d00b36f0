/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.List;
import org.meteorshower.lab.bench.plan.BenchPlan;
import org.meteorshower.lab.bench.plan.NetworkSpec;
import org.meteorshower.lab.bench.plan.WorkloadSpec;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.cluster.CommitLog;
import org.meteorshower.lab.console.Numbers;

/**
 * Series that differ in the system, or in how nodes are set up, but in neither number of nodes, distances nor workload.
 * Immutable; at least one.
 *
 * @param title for people: the distances and the workload; no other comparison of the report has the same
 */
public record Comparison(String title, List<Series> series) {
    public Comparison {
        series = List.copyOf(series);
    }

    static List<Object> key(BenchPlan.Cell cell) {
        return List.of(place(cell.network()), cell.workload());
    }

    /** What is equal where networks can be compared. */
    static List<Object> place(NetworkSpec network) {
        return List.of(
                network.delaysMillis(),
                network.jitterMillis(),
                network.shape().dcs(),
                network.shape().nodesPerDc(),
                network.shape().replicasPerDc(),
                network.shape().commitLog());
    }

    public NetworkSpec network() {
        return series.get(0).runs().get(0).run().network();
    }

    public WorkloadSpec workload() {
        return series.get(0).runs().get(0).run().workload();
    }

    /** Where its runs took place, and what was asked there. */
    static String title(List<Series> series) {
        NetworkSpec network = series.get(0).runs().get(0).run().network();
        boolean sameName = series.stream()
                .allMatch(each -> each.runs().get(0).run().network().equals(network));
        String place = sameName
                ? network.name()
                : Numbers.plain(network.meanDelayMillis()) + " ms"
                        + logged(network.shape().commitLog());
        return place + ", " + series.get(0).runs().get(0).run().workload().name();
    }

    private static String logged(CommitLog log) {
        return log == CommitLog.BATCH ? "" : ", commit log " + log.word();
    }

    /** What its operations of a kind are called. */
    String plural(Op op) {
        if (workload().transactions() == null) {
            return op.word() + "s";
        }
        return op == Op.READ ? "read-only transactions" : "transactions that write";
    }
}
