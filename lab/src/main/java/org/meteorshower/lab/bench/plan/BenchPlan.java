/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * What to measure. Immutable; {@link PlanReader} checks it.
 *
 * @param question what it shall answer, for the report
 * @param seconds of measuring in each run
 * @param warmUpSeconds before it, not measured
 * @param repeats how often each run is done
 * @param text the file it was read from
 */
public record BenchPlan(
        String name,
        String question,
        int seconds,
        int warmUpSeconds,
        int repeats,
        List<SystemSpec> systems,
        List<NetworkSpec> networks,
        List<WorkloadSpec> workloads,
        String text) {
    /** Loading rows, waiting for the last answers, checking: about so long for each run. */
    private static final double OVERHEAD_SECONDS = 2.5;

    private static final double CLUSTER_SECONDS = 35;

    /** One thing to measure, as often as the plan says. */
    public record Cell(NetworkSpec network, WorkloadSpec workload, SystemSpec system) {}

    public BenchPlan {
        systems = List.copyOf(systems);
        networks = List.copyOf(networks);
        workloads = List.copyOf(workloads);
    }

    /** What is measured on one network, in the plan's order. */
    public List<Cell> cells(NetworkSpec network) {
        List<Cell> cells = new ArrayList<>();
        for (WorkloadSpec workload : workloads) {
            for (SystemSpec system : systems) {
                if (admits(workload.networks(), network.name())
                        && admits(workload.systems(), system.name())
                        && admits(network.systems(), system.name())) {
                    cells.add(new Cell(network, workload, system));
                }
            }
        }
        return cells;
    }

    private static boolean admits(List<String> names, String name) {
        return names.isEmpty() || names.contains(name);
    }

    public int runs() {
        return repeats * networks.stream().mapToInt(each -> cells(each).size()).sum();
    }

    /** About how long all of it takes. */
    public double expectedSeconds() {
        long clusters = networks.stream().map(NetworkSpec::shape).distinct().count();
        return runs() * (seconds + warmUpSeconds + OVERHEAD_SECONDS) + clusters * CLUSTER_SECONDS;
    }
}
