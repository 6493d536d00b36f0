/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;
import java.util.SplittableRandom;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Settings;
import org.meteorshower.simulator.SimulationPlan.Faults;
import org.meteorshower.simulator.SimulationPlan.Links;
import org.meteorshower.simulator.SimulationPlan.Workload;

/** Makes plans: calm ones to measure, and random ones to find mistakes. */
public final class Plans {
    private Plans() {}

    /** Three data centres, 50 ms apart, four hot rows, no faults. */
    public static SimulationPlan calm(long seed) {
        return new SimulationPlan(
                seed,
                3,
                3,
                2,
                new Workload(4, 1, 1, 12, 4_000, 0.5, 0, 0, false),
                new Links(50_000, List.of(50_000L, 50_000L, 50_000L), 0.02, 0, 0),
                Faults.NONE,
                ReadMode.SEQUENTIAL,
                Settings.DEFAULTS,
                Bug.NONE);
    }

    /** Europe, the United States and Asia: 50, 77 and 127 ms one way. */
    public static SimulationPlan wide(long seed) {
        return calm(seed).withLinks(new Links(50_000, List.of(50_000L, 127_000L, 77_000L), 0.02, 0, 0));
    }

    /** A cluster, a workload and faults drawn from the seed. */
    public static SimulationPlan random(long seed) {
        var random = new SplittableRandom(seed);
        int nodes = random.nextInt(10) < 6 ? 3 : 1 + random.nextInt(7);
        int replicas = random.nextInt(3) == 0 ? nodes : Math.min(nodes, 3);
        int quorum = random.nextInt(8) == 0 ? 1 : replicas / 2 + 1;
        boolean faulty = random.nextInt(4) != 0;
        Workload workload = new Workload(
                1 + random.nextInt(4),
                1 + random.nextInt(2),
                1 + random.nextInt(2),
                6 + random.nextInt(20),
                600 + random.nextInt(900),
                0.3 + 0.5 * random.nextDouble(),
                random.nextBoolean() ? 0 : 0.1,
                random.nextBoolean() ? 0 : 0.1,
                false);
        Links links = new Links(
                1_000L + random.nextInt(80_000),
                List.of(),
                random.nextBoolean() ? 0.02 : 0.5,
                faulty && random.nextBoolean() ? 0.02 : 0,
                faulty && random.nextBoolean() ? 0.02 : 0);
        Faults faults = new Faults(
                random.nextBoolean() ? 0 : random.nextInt(4) == 0 ? 120_000_000L : 50_000,
                random.nextBoolean() ? 0 : 0.02,
                faulty ? random.nextInt(4) : 0,
                faulty ? random.nextInt(5) : 0,
                faulty && random.nextInt(3) == 0 ? 1 : 0,
                faulty && random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0,
                faulty && random.nextInt(3) == 0 ? 1 : 0,
                500_000L + random.nextInt(15_000_000));
        Settings settings =
                switch (random.nextInt(8)) {
                    case 0, 1 -> frugal();
                    case 2 -> forgetful();
                    default -> Settings.DEFAULTS;
                };
        return new SimulationPlan(
                seed, nodes, replicas, quorum, workload, links, faults, ReadMode.SEQUENTIAL, settings, Bug.NONE);
    }

    /** Faults as in {@link #random}, single cells, and clocks that differ by less than ε: for the modes that lean on them. */
    public static SimulationPlan goodClocks(long seed, ReadMode mode) {
        SimulationPlan plan = random(seed);
        Workload w = plan.workload();
        Faults f = plan.faults();
        return plan.withMode(mode)
                .withWorkload(new Workload(
                        w.partitions(),
                        1,
                        1,
                        w.sessions(),
                        w.operations(),
                        w.readShare(),
                        w.deleteShare(),
                        w.moveShare(),
                        false))
                .withFaults(new Faults(
                        2_000,
                        0.000_001,
                        f.crashes(),
                        f.cuts(),
                        f.pauses(),
                        f.repairs(),
                        f.readersCutOff(),
                        f.hintDelayMicros()));
    }

    /** A node cut off while one of two holders restarts, again and again: what some mistakes need to show. */
    public static SimulationPlan readersCutOff(long seed) {
        SimulationPlan plan = random(seed);
        return new SimulationPlan(
                seed,
                3,
                3,
                2,
                new Workload(2, 1, 1, 24, 2_500, 0.5, 0, 0.1, false),
                new Links(10_000L + plan.links().oneWayMicros(), List.of(), 0.1, 0.05, 0),
                new Faults(0, 0, 0, 0, 0, 0, 8, 20_000_000),
                ReadMode.SEQUENTIAL,
                Settings.DEFAULTS,
                Bug.NONE);
    }

    /** Restarts and early hints on slow links: a node's first moments count. */
    public static SimulationPlan restarts(long seed) {
        SimulationPlan plan = readersCutOff(seed);
        return plan.withFaults(new Faults(0, 0, 20, 4, 0, 0, 0, 150_000))
                .withLinks(new Links(120_000, List.of(), 0.5, 0.15, 0));
    }

    /** Replicas miss mutations, and get them by repair. */
    public static SimulationPlan repairs(long seed) {
        SimulationPlan plan = readersCutOff(seed);
        return plan.withFaults(new Faults(0, 0, 0, 2, 0, 30, 0, 30_000_000))
                .withLinks(new Links(60_000, List.of(), 0.5, 0.1, 0));
    }

    /** Nodes miss so much that the others leave them behind, until an operator has repaired them. */
    public static SimulationPlan leftBehind(long seed) {
        SimulationPlan plan = readersCutOff(seed);
        return plan.withFaults(new Faults(0, 0, 3, 8, 1, 0, 0, 30_000_000))
                .withLinks(new Links(20_000, List.of(), 0.2, 0.05, 0))
                .withSettings(forgetful());
    }

    /** Without lead and history, and with windows so small that streams start anew. */
    private static Settings frugal() {
        return changed(0, 16, false, 1_000_000, 8);
    }

    /** Few records fit: peers are left behind, and have to be repaired. */
    private static Settings forgetful() {
        return changed(1, 512, true, 40, 1_000);
    }

    private static Settings changed(
            int redundancy, int windows, boolean leadAndHistory, int maxRecords, int announcementsPerMessage) {
        Settings d = Settings.DEFAULTS;
        return new Settings(
                d.dispatchIntervalMicros(),
                d.minFlushMicros(),
                redundancy,
                windows,
                windows,
                d.clockErrorMicros(),
                d.maxAheadMicros(),
                d.ceilingStepMicros(),
                leadAndHistory,
                leadAndHistory,
                d.settleAfterMicros(),
                d.pullAfterMicros(),
                d.streamTimeoutMicros(),
                maxRecords,
                d.maxWaitingReads(),
                announcementsPerMessage);
    }
}
