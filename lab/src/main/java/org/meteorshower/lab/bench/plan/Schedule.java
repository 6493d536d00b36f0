/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The order of the runs. Clusters come in random order, each started once; on each, the repeats one after the other, in
 * each repeat the networks in random order, on each network its runs in random order. So what is compared is measured
 * within minutes, and a machine that grows slower or busier hits no system more than another. The same seed gives the
 * same order.
 */
public final class Schedule {
    private Schedule() {}

    /** The runs of each cluster, in order. */
    public static Map<NetworkSpec.Shape, List<PlannedRun>> of(BenchPlan plan, long seed) {
        Random random = new Random(seed);
        Map<NetworkSpec.Shape, List<NetworkSpec>> networks = new LinkedHashMap<>();
        for (NetworkSpec network : shuffled(plan.networks(), random)) {
            networks.computeIfAbsent(network.shape(), shape -> new ArrayList<>())
                    .add(network);
        }
        Map<NetworkSpec.Shape, List<PlannedRun>> schedule = new LinkedHashMap<>();
        int number = 0;
        for (Map.Entry<NetworkSpec.Shape, List<NetworkSpec>> cluster : networks.entrySet()) {
            List<PlannedRun> runs = new ArrayList<>();
            for (int repeat = 1; repeat <= plan.repeats(); repeat++) {
                for (NetworkSpec network : shuffled(cluster.getValue(), random)) {
                    for (BenchPlan.Cell cell : shuffled(plan.cells(network), random)) {
                        number++;
                        runs.add(new PlannedRun(number, repeat, network, cell.workload(), cell.system()));
                    }
                }
            }
            schedule.put(cluster.getKey(), List.copyOf(runs));
        }
        return schedule;
    }

    private static <T> List<T> shuffled(List<T> items, Random random) {
        List<T> copy = new ArrayList<>(items);
        Collections.shuffle(copy, random);
        return copy;
    }
}
