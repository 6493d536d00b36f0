/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Settings;
import org.meteorshower.simulator.SimulationPlan.Cluster;
import org.meteorshower.simulator.SimulationPlan.Faults;
import org.meteorshower.simulator.SimulationPlan.Links;
import org.meteorshower.simulator.SimulationPlan.Special;
import org.meteorshower.simulator.SimulationPlan.Workload;

/** Makes plans: calm ones to measure, and random ones to find mistakes. */
public final class Plans {
    private static final int MOST_NODES = 10;

    private Plans() {}

    /** Three data centres, 50 ms apart, four hot rows, no faults. */
    public static SimulationPlan calm(long seed) {
        return new SimulationPlan(
                seed,
                Cluster.ofSingles(3, 2),
                new Workload(4, 1, 1, 12, 4_000, 0.5, 0, 0, 0, 0, false),
                new Links(50_000, List.of(50_000L, 50_000L, 50_000L), 0, 0.02, 0, 0, 0),
                Faults.NONE,
                List.of(ReadMode.SEQUENTIAL),
                Settings.DEFAULTS,
                Bug.NONE);
    }

    /** Europe, the United States and Asia: 50, 77 and 127 ms one way. */
    public static SimulationPlan wide(long seed) {
        return calm(seed).withLinks(new Links(50_000, List.of(50_000L, 127_000L, 77_000L), 0, 0.02, 0, 0, 0));
    }

    /** A cluster, a workload and faults drawn from the seed. */
    public static SimulationPlan random(long seed) {
        var random = new SplittableRandom(seed);
        boolean faulty = random.nextInt(4) != 0;
        Cluster cluster = cluster(random);
        Workload workload = new Workload(
                        1 + random.nextInt(4),
                        1 + random.nextInt(2),
                        1 + random.nextInt(2),
                        8 + random.nextInt(40),
                        1_000 + random.nextInt(2_000),
                        0.3 + 0.6 * random.nextDouble(),
                        random.nextBoolean() ? 0 : 0.1,
                        random.nextInt(3) == 0 ? 0.2 : 0,
                        random.nextBoolean() ? 0 : 0.1,
                        random.nextInt(3) == 0 ? 0.5 : 0,
                        false)
                .withNewSessions(seed % 3 == 1 ? 0.1 : 0);
        Links links = new Links(
                (long) Math.exp(Math.log(1_000) + random.nextDouble() * Math.log(80)),
                List.of(),
                random.nextBoolean() ? 0 : 0.8,
                random.nextBoolean() ? 0.02 : 0.5,
                faulty && random.nextInt(4) == 0 ? 0.01 : 0,
                faulty && random.nextBoolean() ? 0.02 : 0,
                faulty && random.nextInt(3) == 0 ? 0.02 : 0);
        long offsetMicros =
                switch (random.nextInt(8)) {
                    case 0 -> 120_000_000L;
                    case 1 -> 4 * 3_600_000_000L;
                    case 2, 3 -> 50_000;
                    default -> 0;
                };
        Faults faults = new Faults(
                offsetMicros,
                random.nextBoolean() ? 0 : 0.02,
                faulty ? random.nextInt(4) : 0,
                faulty ? random.nextInt(5) : 0,
                faulty && random.nextInt(4) == 0 ? 1 : 0,
                faulty && random.nextInt(3) == 0 ? 1 : 0,
                faulty && random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0,
                random.nextInt(3) == 0 ? 10 : 0,
                faulty && random.nextInt(3) == 0 ? 1 : 0,
                false,
                random.nextBoolean(),
                random.nextInt(6) == 0 ? 100_000 : 300,
                500_000L + random.nextInt(18_000_000),
                Special.NONE);
        return new SimulationPlan(
                seed,
                cluster,
                workload,
                links,
                faults,
                List.of(ReadMode.SEQUENTIAL),
                settings(random, offsetMicros),
                Bug.NONE);
    }

    /** Mostly three data centres of one node; else one to seven of one to three nodes, some without replicas. */
    private static Cluster cluster(SplittableRandom random) {
        long tickMicros = 1_000L * (2 + random.nextInt(9));
        List<Integer> nodes = new ArrayList<>();
        List<Integer> replicas = new ArrayList<>();
        int dcs = random.nextBoolean() ? 3 : 1 + random.nextInt(7);
        boolean several = random.nextInt(3) == 0;
        int left = MOST_NODES;
        for (int dc = 0; dc < dcs && left > 0; dc++) {
            int here = Math.min(left, several ? 1 + random.nextInt(3) : 1);
            left -= here;
            nodes.add(here);
            boolean some = dc == 0 || random.nextInt(8) != 0;
            replicas.add(some ? 1 + random.nextInt(here) : 0);
        }
        int n = replicas.stream().mapToInt(Integer::intValue).sum();
        int quorum = random.nextInt(8) == 0 ? 1 + random.nextInt(n) : n / 2 + 1;
        return new Cluster(nodes, replicas, quorum, tickMicros);
    }

    private static Settings settings(SplittableRandom random, long offsetMicros) {
        Settings drawn =
                switch (random.nextInt(8)) {
                    case 0, 1 -> DrawnSettings.frugal();
                    case 2 -> DrawnSettings.forgetful();
                    default -> Settings.DEFAULTS;
                };
        long dispatchMicros = random.nextInt(4) == 0 ? 20_000 : 10_000;
        // Clocks that are off by hours are refused with an alarm, and so for hours, unless the bound is larger.
        long maxAheadMicros = Math.max(drawn.maxAheadMicros(), 3 * offsetMicros);
        return DrawnSettings.withClocks(drawn, dispatchMicros, maxAheadMicros);
    }

    /**
     * Faults as in {@link #random}, single cells, and clocks that differ by less than ε: for the modes that lean on
     * them. Where the ways between nodes differ in length by direction, clocks seem to differ, and are not watched:
     * else strict would be refused throughout.
     */
    public static SimulationPlan goodClocks(long seed, ReadMode... modes) {
        SimulationPlan plan = random(seed);
        return plan.withModes(modes)
                .withWorkload(singleCells(plan.workload()))
                .withFaults(plan.faults().withClocks(2_000, 0.000_001))
                .withSettings(DrawnSettings.watchingClocks(
                        plan.settings(), plan.links().asymmetry() == 0));
    }

    private static Workload singleCells(Workload w) {
        return new Workload(
                        w.partitions(),
                        1,
                        1,
                        w.sessions(),
                        Math.min(1_500, w.operations()),
                        w.readShare(),
                        w.deleteShare(),
                        0,
                        w.moveShare(),
                        w.stockShare(),
                        false)
                .withNewSessions(w.newShare());
    }

    /** Strict alone, and clocks that begin within ε of each other and drift apart: whether they are watched or not. */
    public static SimulationPlan driftingClocks(long seed, boolean watched) {
        SimulationPlan plan = goodClocks(seed, ReadMode.STRICT);
        return plan.withCluster(Cluster.ofSingles(3, 2))
                .withLinks(new Links(plan.links().oneWayMicros(), List.of(), 0, 0.1, 0, 0, 0))
                .withFaults(plan.faults().withClocks(1_000, 0.002))
                .withSettings(DrawnSettings.watchingClocks(plan.settings(), watched));
    }

    /** Strict reads at home, with all faults and with clocks that may show anything: every node holds a replica. */
    public static SimulationPlan leases(long seed) {
        SimulationPlan plan = random(seed);
        var random = new SplittableRandom(seed ^ 0x1ea5e);
        int dcs = 3 + (random.nextInt(4) == 0 ? random.nextInt(3) : 0);
        return plan.withModes(ReadMode.STRICT)
                .withCluster(Cluster.ofSingles(dcs, dcs / 2 + 1).withStrictAtHome())
                .withWorkload(singleCells(plan.workload()));
    }

    /** The same while the ring changes. */
    static SimulationPlan leasesMove(long seed) {
        return strictAtHome(
                switch ((int) (seed & 3)) {
                    case 0 -> MovingPlans.moves(seed);
                    case 2 -> MovingPlans.movesUnheard(seed);
                    default -> MovingPlans.live(seed);
                });
    }

    /** The same in a table that is enabled while it is used. */
    static SimulationPlan leasesEnabled(long seed) {
        return strictAtHome(SwitchingPlans.enabled(seed));
    }

    private static SimulationPlan strictAtHome(SimulationPlan plan) {
        return plan.withModes(ReadMode.STRICT)
                .withCluster(plan.cluster().withStrictAtHome())
                .withWorkload(singleCells(plan.workload()));
    }

    /** Reads of all modes in one run. */
    public static SimulationPlan mixed(long seed) {
        return goodClocks(
                seed,
                ReadMode.SEQUENTIAL,
                ReadMode.METEORSHOWER1,
                ReadMode.METEORSHOWER2,
                ReadMode.bounded(100_000),
                ReadMode.STRICT);
    }

    /** A whole data centre goes down and stays down: the others must not feel it. */
    public static SimulationPlan minorityDown(long seed) {
        SimulationPlan plan = random(seed);
        var random = new SplittableRandom(seed);
        int dcs = 3 + random.nextInt(3);
        return plan.withCluster(Cluster.ofSingles(dcs, dcs / 2 + 1))
                .withLinks(new Links(plan.links().oneWayMicros(), List.of(), 0, 0.1, 0, 0, 0))
                .withFaults(new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0, true, false, 300, 15_000_000, Special.NONE))
                .withSettings(Settings.DEFAULTS);
    }

    /**
     * A write takes effect at the last replica, and a read needs word from one: at random, with moves, enabled live.
     */
    static SimulationPlan writeAll(long seed) {
        SimulationPlan plan =
                switch ((int) (seed % 4)) {
                    case 0 -> MovingPlans.live(seed);
                    case 1 -> SwitchingPlans.enabled(seed);
                    default -> random(seed);
                };
        Cluster cluster = plan.cluster();
        return plan.withCluster(
                new Cluster(cluster.nodesPerDc(), cluster.replicasPerDc(), cluster.replicas(), cluster.tickMicros()));
    }
}
