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
                    case 0, 1 -> frugal();
                    case 2 -> forgetful();
                    default -> Settings.DEFAULTS;
                };
        long dispatchMicros = random.nextInt(4) == 0 ? 20_000 : 10_000;
        // Clocks that are off by hours are refused with an alarm, and so for hours, unless the bound is larger.
        long maxAheadMicros = Math.max(drawn.maxAheadMicros(), 3 * offsetMicros);
        return changed(drawn, dispatchMicros, maxAheadMicros);
    }

    /** Faults as in {@link #random}, single cells, and clocks that differ by less than ε: for the modes that lean on them. */
    public static SimulationPlan goodClocks(long seed, ReadMode... modes) {
        SimulationPlan plan = random(seed);
        Workload w = plan.workload();
        return plan.withModes(modes)
                .withWorkload(new Workload(
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
                        .withNewSessions(w.newShare()))
                .withFaults(plan.faults().withClocks(2_000, 0.000_001));
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

    /** A node cut off while one of two holders restarts, again and again: what some mistakes need to show. */
    public static SimulationPlan readersCutOff(long seed) {
        SimulationPlan plan = random(seed);
        return new SimulationPlan(
                seed,
                Cluster.ofSingles(3, 2),
                new Workload(2, 1, 1, 24, 2_500, 0.5, 0, 0, 0.1, 0, false),
                new Links(10_000L + plan.links().oneWayMicros(), List.of(), 0, 0.1, 0, 0.05, 0),
                faults(0, 0, 0, 8, 20_000_000),
                List.of(ReadMode.SEQUENTIAL),
                Settings.DEFAULTS,
                Bug.NONE);
    }

    /** Restarts and early hints on slow links: a node's first moments count. */
    public static SimulationPlan restarts(long seed) {
        return readersCutOff(seed)
                .withFaults(faults(20, 4, 0, 0, 150_000))
                .withLinks(new Links(120_000, List.of(), 0, 0.5, 0, 0.15, 0));
    }

    /** Restarts, and clocks that jump back and forth by seconds: a node may come back with an earlier time than it left. */
    public static SimulationPlan clocksBack(long seed) {
        return readersCutOff(seed)
                .withFaults(faults(12, 2, 0, 0, 500_000).withClocks(3_000_000, 0))
                .withLinks(new Links(20_000, List.of(), 0, 0.2, 0, 0.02, 0));
    }

    /** Replicas miss mutations, and get them by repair; some restart soon after. */
    public static SimulationPlan repairs(long seed) {
        return readersCutOff(seed)
                .withFaults(faults(3, 2, 30, 0, 30_000_000))
                .withLinks(new Links(60_000, List.of(), 0, 0.5, 0, 0.1, 0));
    }

    /** Nodes miss so much that the others leave them behind, until an operator has repaired them. */
    public static SimulationPlan leftBehind(long seed) {
        SimulationPlan plan = readersCutOff(seed);
        return plan.withFaults(new Faults(0, 0, 3, 8, 0, 1, 0, 0, 0, false, false, 300, 30_000_000, Special.NONE))
                .withLinks(new Links(20_000, List.of(), 0, 0.2, 0, 0.05, 0))
                .withSettings(forgetful());
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

    private static Faults faults(int crashes, int cuts, int repairs, int readersCutOff, long hintDelayMicros) {
        return new Faults(
                0, 0, crashes, cuts, 0, 0, repairs, 0, readersCutOff, false, false, 300, hintDelayMicros, Special.NONE);
    }

    private static Faults special(int restartBursts, int repairsCutShort, int leftBehindByOne) {
        return faults(0, 0, 0, 0, 30_000_000)
                .withSpecial(new Special(restartBursts, repairsCutShort, leftBehindByOne, 0, 0));
    }

    /** So many partitions that what is in flight is not overwritten at once. */
    private static Workload wider(int operations) {
        return new Workload(24, 1, 1, 24, operations, 0.6, 0, 0, 0.02, 0, false);
    }

    /** Nodes die again before an answer to what their last life asked for has come: it comes to the next one. */
    public static SimulationPlan restartBursts(long seed) {
        return readersCutOff(seed)
                .withWorkload(new Workload(12, 1, 1, 24, 2_500, 0.6, 0, 0, 0, 0, false).withNewSessions(0.3))
                .withFaults(special(12, 0, 0))
                .withSettings(lowCeiling())
                .withLinks(new Links(80_000, List.of(), 0, 0.1, 0, 0.05, 0));
    }

    /** A repair brings what only a replica holds that is then cut off, and the node that got it dies. */
    public static SimulationPlan repairsCutShort(long seed) {
        return readersCutOff(seed)
                .withWorkload(wider(3_000))
                .withFaults(special(0, 8, 0))
                .withLinks(new Links(20_000, List.of(), 0, 0.1, 0, 0, 0));
    }

    /** One replica alone leaves another one behind: what it takes for done with, the third must not. */
    public static SimulationPlan leftBehindByOne(long seed) {
        return readersCutOff(seed)
                .withWorkload(wider(5_000))
                .withFaults(special(0, 0, 4))
                .withLinks(new Links(10_000, List.of(), 0, 0.2, 0, 0.1, 0))
                .withSettings(forgetful());
    }

    /** A node restarts, does not hear one of the others, and has clients that have seen nothing yet. */
    public static SimulationPlan halfDeafRestarts(long seed) {
        return freshClients(seed).withFaults(faults(0, 0, 0, 0, 30_000_000).withSpecial(new Special(0, 0, 0, 8, 0)));
    }

    /** Clients that have seen nothing yet come all the time, and replicas lack some mutations. */
    public static SimulationPlan freshClients(long seed) {
        return readersCutOff(seed)
                .withWorkload(new Workload(60, 1, 2, 48, 4_000, 0.7, 0, 0, 0, 0, false).withNewSessions(0.3))
                .withFaults(faults(0, 0, 0, 0, 30_000_000))
                .withLinks(new Links(15_000, List.of(), 0, 0.2, 0, 0.05, 0));
    }

    /** A node is left behind and repaired while its own writes are in flight. */
    public static SimulationPlan leftBehindByAll(long seed) {
        return readersCutOff(seed)
                .withWorkload(new Workload(3, 1, 2, 24, 5_000, 0.5, 0, 0, 0.02, 0, false).withNewSessions(0.1))
                .withFaults(faults(0, 0, 0, 0, 30_000_000).withSpecial(new Special(0, 0, 0, 0, 2)))
                .withLinks(new Links(30_000, List.of(), 0, 0.2, 0, 0.02, 0))
                .withSettings(forgetful());
    }

    /** No fault but clocks that are seconds apart, and sessions that move between partitions of different nodes. */
    public static SimulationPlan clocksApart(long seed) {
        long offsetMicros = 3_000_000;
        return readersCutOff(seed)
                .withCluster(new Cluster(List.of(2, 2, 2), List.of(1, 1, 1), 2, 5_000))
                .withWorkload(new Workload(12, 1, 1, 24, 1_500, 0.7, 0, 0, 0.3, 0, false))
                .withFaults(Faults.NONE.withClocks(offsetMicros, 0))
                .withLinks(new Links(30_000, List.of(), 0, 0.1, 0, 0, 0))
                .withSettings(changed(Settings.DEFAULTS, Settings.DEFAULTS.dispatchIntervalMicros(), 3 * offsetMicros));
    }

    /** Without lead and history, and with windows so small that streams start anew. */
    private static Settings frugal() {
        return changed(0, 16, false, 1_000_000, 8);
    }

    /** Few records fit: peers are left behind, and have to be repaired. */
    private static Settings forgetful() {
        return changed(1, 512, true, 40, 1_000);
    }

    /** A restart hardly moves a clock: else what came before it is far below all cuts that are used after it. */
    private static Settings lowCeiling() {
        Settings d = Settings.DEFAULTS;
        return new Settings(
                d.dispatchIntervalMicros(),
                d.minFlushMicros(),
                d.redundancy(),
                d.resendWindow(),
                d.reorderWindow(),
                d.clockErrorMicros(),
                d.maxAheadMicros(),
                1_000,
                d.lead(),
                d.history(),
                d.settleAfterMicros(),
                d.pullAfterMicros(),
                d.streamTimeoutMicros(),
                d.maxRecords(),
                d.maxWaitingReads(),
                d.announcementsPerMessage());
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

    private static Settings changed(Settings d, long dispatchIntervalMicros, long maxAheadMicros) {
        return new Settings(
                dispatchIntervalMicros,
                d.minFlushMicros(),
                d.redundancy(),
                d.resendWindow(),
                d.reorderWindow(),
                d.clockErrorMicros(),
                maxAheadMicros,
                d.ceilingStepMicros(),
                d.lead(),
                d.history(),
                d.settleAfterMicros(),
                d.pullAfterMicros(),
                d.streamTimeoutMicros(),
                d.maxRecords(),
                d.maxWaitingReads(),
                d.announcementsPerMessage());
    }
}
