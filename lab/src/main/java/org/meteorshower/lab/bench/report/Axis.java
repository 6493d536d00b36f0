/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.meteorshower.lab.bench.plan.NetworkSpec;
import org.meteorshower.lab.bench.plan.WorkloadSpec;

/** What a plan may vary, to draw figures against it. */
enum Axis {
    DELAY("the one-way delay", "ms", false),
    RATE("the rate", "/s", true),
    READS("the share of reads", "%", false),
    ROWS("the number of rows", "rows", true),
    NODES("the number of nodes", "nodes", false),
    REPLICAS("the replicas in each data centre", "replicas", false);

    private final String text;
    private final String unit;
    private final boolean logarithmic;

    Axis(String text, String unit, boolean logarithmic) {
        this.text = text;
        this.unit = unit;
        this.logarithmic = logarithmic;
    }

    /** For people. */
    String text() {
        return text;
    }

    String unit() {
        return unit;
    }

    boolean isLogarithmic() {
        return logarithmic;
    }

    double of(Comparison point) {
        NetworkSpec.Shape shape = point.network().shape();
        return switch (this) {
            case DELAY -> point.network().meanDelayMillis();
            case RATE -> point.workload().ratePerDc();
            case READS -> point.workload().readShare() * 100;
            case ROWS -> point.workload().rows();
            case NODES -> shape.nodes();
            case REPLICAS -> shape.replicasPerDc();
        };
    }

    /** Whether it has one place on this axis. */
    private boolean admits(Comparison point) {
        return switch (this) {
            case DELAY -> point.network().isUniform();
            case RATE -> point.workload().isOpenLoop();
            default -> true;
        };
    }

    /** All that must be equal for figures to differ in this alone. */
    private List<Object> rest(Comparison point) {
        NetworkSpec network = point.network();
        WorkloadSpec workload = point.workload();
        List<Object> rest = new ArrayList<>();
        rest.add(this == DELAY ? "" : network.delaysMillis());
        rest.add(network.jitterMillis());
        rest.add(network.shape().dcs());
        rest.add(network.shape().commitLog());
        rest.add(this == NODES ? "" : network.shape().nodesPerDc());
        rest.add(this == REPLICAS ? "" : network.shape().replicasPerDc());
        rest.add(this == RATE ? "" : workload.ratePerDc());
        rest.add(this == READS ? "" : workload.readShare());
        rest.add(this == ROWS ? "" : workload.rows());
        rest.add(workload.zipfian());
        rest.add(String.valueOf(workload.transactions()));
        rest.add(String.valueOf(workload.tpcc()));
        rest.add(workload.isOpenLoop() ? "" : workload.sessionsPerDc());
        rest.add(workload.valueBytes());
        return rest;
    }

    /** The points of each drawing, in the axis' order; none where the plan does not vary it. */
    List<List<Comparison>> groups(List<Comparison> all) {
        Map<List<Object>, Map<Double, Comparison>> groups = new LinkedHashMap<>();
        for (Comparison point : all) {
            if (admits(point)) {
                groups.computeIfAbsent(rest(point), rest -> new TreeMap<>()).putIfAbsent(of(point), point);
            }
        }
        return groups.values().stream()
                .filter(points -> points.size() > 1)
                .map(points -> List.copyOf(points.values()))
                .toList();
    }
}
