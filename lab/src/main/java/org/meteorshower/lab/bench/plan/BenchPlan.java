/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What to measure. Immutable; {@link PlanReader} checks it.
 *
 * @param question what it shall answer, for the report
 * @param seconds of measuring in each run
 * @param warmUpSeconds before it, not measured
 * @param heatSeconds of each system on a cluster that has just come up, and of each workload where it is more than
 *     usual: for the nodes' compilers
 * @param repeats how often each run is done
 * @param together whether all clusters with the same commit log are up at the same time, so that runs on different ones
 *     alternate
 * @param simulatedNodes sizes of the clusters whose status traffic is simulated, beside what is measured
 * @param text the file it was read from
 */
public record BenchPlan(
        String name,
        String question,
        int seconds,
        int warmUpSeconds,
        int heatSeconds,
        int repeats,
        boolean together,
        List<SystemSpec> systems,
        List<NetworkSpec> networks,
        List<WorkloadSpec> workloads,
        List<Integer> simulatedNodes,
        String text) {
    /** Loading rows, waiting for the last answers, checking: about so long for each run. */
    private static final double OVERHEAD_SECONDS = 2.5;

    private static final double CLUSTER_SECONDS = 35;

    /** Where a plan does not say. */
    static final int USUAL_HEAT_SECONDS = 3;

    /** One thing to measure, as often as the plan says. */
    public record Cell(NetworkSpec network, WorkloadSpec workload, SystemSpec system) {}

    public BenchPlan {
        systems = List.copyOf(systems);
        networks = List.copyOf(networks);
        workloads = List.copyOf(workloads);
        simulatedNodes = List.copyOf(simulatedNodes);
    }

    /**
     * The part of it that is on these networks, under these workloads, and nothing simulated; all of it where both are
     * empty.
     *
     * @throws PlanException where there is no such network or workload, or nothing is left
     */
    public BenchPlan only(List<String> networkNames, List<String> workloadNames) {
        if (networkNames.isEmpty() && workloadNames.isEmpty()) {
            return this;
        }
        List<NetworkSpec> networksLeft = chosen("--network", networkNames, networks, NetworkSpec::name);
        List<WorkloadSpec> workloadsLeft = chosen("--workload", workloadNames, workloads, WorkloadSpec::name);
        BenchPlan left = new BenchPlan(
                name,
                question,
                seconds,
                warmUpSeconds,
                heatSeconds,
                repeats,
                together,
                systems,
                networksLeft,
                workloadsLeft,
                List.of(),
                text);
        if (left.runs() == 0) {
            throw new PlanException("the plan has none of these workloads on these networks; ./meteor bench --show "
                    + name + " shows which it has");
        }
        return left;
    }

    private static <T> List<T> chosen(String option, List<String> names, List<T> all, Function<T, String> name) {
        List<String> known = all.stream().map(name).toList();
        for (String wanted : names) {
            if (!known.contains(wanted)) {
                throw new PlanException(
                        option + ": the plan has nothing called '" + wanted + "'; it has " + String.join(", ", known));
            }
        }
        return all.stream().filter(each -> admits(names, name.apply(each))).toList();
    }

    /** What is measured on one network, in the plan's order. */
    public List<Cell> cells(NetworkSpec network) {
        List<Cell> cells = new ArrayList<>();
        for (WorkloadSpec workload : workloads) {
            for (SystemSpec system : systems) {
                if (admits(workload.networks(), network.name())
                        && admits(workload.systems(), system.name())
                        && admits(network.systems(), system.name())
                        && fit(network, workload, system)) {
                    cells.add(new Cell(network, workload, system));
                }
            }
        }
        return cells;
    }

    /**
     * Transactions are asked of what runs transactions, on the Cassandra that it is for; operations of the others, on
     * ours.
     */
    private static boolean fit(NetworkSpec network, WorkloadSpec workload, SystemSpec system) {
        TransactionEngine engine = system.engine();
        String release = engine == null ? NetworkSpec.OURS : engine.release();
        return (workload.transactions() != null) == system.isTransactional()
                && network.shape().cassandra().equals(release);
    }

    private static boolean admits(List<String> names, String name) {
        return names.isEmpty() || names.contains(name);
    }

    public int runs() {
        return repeats * networks.stream().mapToInt(each -> cells(each).size()).sum();
    }

    public boolean heatsEachWorkload() {
        return heatSeconds > USUAL_HEAT_SECONDS;
    }

    /** About how long all of it takes. */
    public double expectedSeconds() {
        long clusters = networks.stream().map(NetworkSpec::shape).distinct().count();
        return runs() * (seconds + warmUpSeconds + OVERHEAD_SECONDS)
                + (heatsEachWorkload() ? (double) runs() / repeats * heatSeconds : 0)
                + clusters * CLUSTER_SECONDS;
    }
}
