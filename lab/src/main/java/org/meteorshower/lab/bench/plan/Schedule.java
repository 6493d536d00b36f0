/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The order of the runs. Clusters come in random order, each started once; on each, the repeats one after the other, in
 * each repeat the networks in random order, on each network its runs in random order. So what is compared is measured
 * within minutes, and a machine that grows slower or busier hits no system more than another. Where a plan wants its
 * clusters together, those with the same commit log are all up from the first of their runs to the last, and count as
 * one. The same seed gives the same order.
 */
public final class Schedule {
    private Schedule() {}

    /** Clusters that are up at the same time, and the runs on them, in order. */
    public record Stage(List<NetworkSpec.Shape> clusters, List<PlannedRun> runs) {
        public Stage {
            clusters = List.copyOf(clusters);
            runs = List.copyOf(runs);
        }
    }

    public static List<Stage> of(BenchPlan plan, long seed) {
        Random random = new Random(seed);
        List<NetworkSpec> all = shuffled(plan.networks(), random);
        List<Stage> stages = new ArrayList<>();
        int number = 0;
        for (List<NetworkSpec> networks : by(plan.together() ? shape -> shape.commitLog() : shape -> shape, all)) {
            List<PlannedRun> runs = new ArrayList<>();
            for (int repeat = 1; repeat <= plan.repeats(); repeat++) {
                for (NetworkSpec network : shuffled(networks, random)) {
                    for (BenchPlan.Cell cell : shuffled(plan.cells(network), random)) {
                        number++;
                        runs.add(new PlannedRun(number, repeat, network, cell.workload(), cell.system()));
                    }
                }
            }
            stages.add(new Stage(
                    networks.stream().map(NetworkSpec::shape).distinct().toList(), runs));
        }
        return stages;
    }

    private static Collection<List<NetworkSpec>> by(
            Function<NetworkSpec.Shape, Object> shared, List<NetworkSpec> networks) {
        return networks.stream()
                .collect(Collectors.groupingBy(
                        network -> shared.apply(network.shape()), LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    private static <T> List<T> shuffled(List<T> items, Random random) {
        List<T> copy = new ArrayList<>(items);
        Collections.shuffle(copy, random);
        return copy;
    }
}
