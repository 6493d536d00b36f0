/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.List;
import org.meteorshower.lab.bench.plan.BenchPlan;
import org.meteorshower.lab.bench.plan.NetworkSpec;
import org.meteorshower.lab.bench.plan.WorkloadSpec;

/** Series that differ in the system, or the nodes, but in neither distances nor workload. Immutable; at least one. */
public record Comparison(List<Series> series) {
    public Comparison {
        series = List.copyOf(series);
    }

    static List<Object> key(BenchPlan.Cell cell) {
        return List.of(
                cell.network().delaysMillis(),
                cell.network().jitterMillis(),
                cell.network().shape().dcs(),
                cell.network().shape().nodesPerDc(),
                cell.workload());
    }

    public NetworkSpec network() {
        return series.get(0).runs().get(0).run().network();
    }

    public WorkloadSpec workload() {
        return series.get(0).runs().get(0).run().workload();
    }

    /** For people: the distances and the workload. */
    public String title() {
        boolean sameName = series.stream()
                .allMatch(each -> each.runs().get(0).run().network().equals(network()));
        String distances = sameName ? network().name() : plain(network().meanDelayMillis()) + " ms";
        return distances + ", " + workload().name();
    }

    static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
