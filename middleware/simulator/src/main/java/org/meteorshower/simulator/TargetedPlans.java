/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;
import java.util.SplittableRandom;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Settings;
import org.meteorshower.simulator.SimulationPlan.Cluster;
import org.meteorshower.simulator.SimulationPlan.Faults;
import org.meteorshower.simulator.SimulationPlan.Links;
import org.meteorshower.simulator.SimulationPlan.Special;
import org.meteorshower.simulator.SimulationPlan.Workload;

/** Plans made for mistakes that random faults hardly ever show (docs/SIMULATION.md says what each is for). */
final class TargetedPlans {
    private TargetedPlans() {}

    /** A node cut off while one of two holders restarts, again and again: what some mistakes need to show. */
    static SimulationPlan readersCutOff(long seed) {
        SimulationPlan plan = Plans.random(seed);
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
    static SimulationPlan restarts(long seed) {
        return readersCutOff(seed)
                .withFaults(faults(20, 4, 0, 0, 150_000))
                .withLinks(new Links(120_000, List.of(), 0, 0.5, 0, 0.15, 0));
    }

    /**
     * Restarts, and clocks that jump back and forth by seconds: a node may come back with an earlier time than it left.
     */
    static SimulationPlan clocksBack(long seed) {
        return readersCutOff(seed)
                .withFaults(faults(12, 2, 0, 0, 500_000).withClocks(3_000_000, 0))
                .withLinks(new Links(20_000, List.of(), 0, 0.2, 0, 0.02, 0));
    }

    /** Replicas miss mutations, and get them by repair; some restart soon after. */
    static SimulationPlan repairs(long seed) {
        return readersCutOff(seed)
                .withFaults(faults(3, 2, 30, 0, 30_000_000))
                .withLinks(new Links(60_000, List.of(), 0, 0.5, 0, 0.1, 0));
    }

    /** Nodes miss so much that the others leave them behind, until they come back, by themselves or by hand. */
    static SimulationPlan leftBehind(long seed) {
        SimulationPlan plan = readersCutOff(seed);
        return plan.withFaults(new Faults(0, 0, 3, 8, 0, 1, 0, 0, 0, false, false, 300, 30_000_000, Special.NONE))
                .withLinks(new Links(20_000, List.of(), 0, 0.2, 0, 0.05, 0))
                .withSettings(DrawnSettings.forgetful());
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
    static SimulationPlan restartBursts(long seed) {
        return readersCutOff(seed)
                .withWorkload(new Workload(12, 1, 1, 24, 2_500, 0.6, 0, 0, 0, 0, false).withNewSessions(0.3))
                .withFaults(special(12, 0, 0))
                .withSettings(DrawnSettings.lowCeiling())
                .withLinks(new Links(80_000, List.of(), 0, 0.1, 0, 0.05, 0));
    }

    /** A repair brings what only a replica holds that is then cut off, and the node that got it dies. */
    static SimulationPlan repairsCutShort(long seed) {
        return readersCutOff(seed)
                .withWorkload(wider(3_000))
                .withFaults(special(0, 8, 0))
                .withLinks(new Links(20_000, List.of(), 0, 0.1, 0, 0, 0));
    }

    /** One replica alone leaves another one behind: what it takes for done with, the third must not. */
    static SimulationPlan leftBehindByOne(long seed) {
        return readersCutOff(seed)
                .withWorkload(wider(5_000))
                .withFaults(special(0, 0, 4))
                .withLinks(new Links(10_000, List.of(), 0, 0.2, 0, 0.1, 0))
                .withSettings(DrawnSettings.forgetful());
    }

    /** A node restarts, does not hear one of the others, and has clients that have seen nothing yet. */
    static SimulationPlan halfDeafRestarts(long seed) {
        return freshClients(seed).withFaults(faults(0, 0, 0, 0, 30_000_000).withSpecial(new Special(0, 0, 0, 8, 0)));
    }

    /** Clients that have seen nothing yet come all the time, and replicas lack some mutations. */
    static SimulationPlan freshClients(long seed) {
        return readersCutOff(seed)
                .withWorkload(new Workload(60, 1, 2, 48, 4_000, 0.7, 0, 0, 0, 0, false).withNewSessions(0.3))
                .withFaults(faults(0, 0, 0, 0, 30_000_000))
                .withLinks(new Links(15_000, List.of(), 0, 0.2, 0, 0.05, 0));
    }

    /** A node is left behind and repaired while its own writes are in flight. */
    static SimulationPlan leftBehindByAll(long seed) {
        return readersCutOff(seed)
                .withWorkload(new Workload(3, 1, 2, 24, 5_000, 0.5, 0, 0, 0.02, 0, false).withNewSessions(0.1))
                .withFaults(faults(0, 0, 0, 0, 30_000_000).withSpecial(new Special(0, 0, 0, 0, 2)))
                .withLinks(new Links(30_000, List.of(), 0, 0.2, 0, 0.02, 0))
                .withSettings(DrawnSettings.forgetful());
    }

    /**
     * Reads that promise an age, while a clock falls behind by more than ε. In half of the seeds one clock at a time,
     * so that every node hears one that is right; in half of these its node may also restart meanwhile, near its
     * ceiling. In the others all are wrong by more than ε, drift and jump, and the age counts by whom a node hears.
     * Ways are equally long in both directions, and queues short, as {@code bounded} takes them to be.
     */
    static SimulationPlan clocksBehind(long seed) {
        SimulationPlan plan = Plans.goodClocks(
                seed,
                ReadMode.METEORSHOWER1,
                ReadMode.bounded(20_000),
                ReadMode.bounded(100_000),
                ReadMode.METEORSHOWER2,
                ReadMode.SEQUENTIAL);
        Faults faults = plan.faults();
        boolean oneAtATime = seed % 2 == 0;
        Settings settings = seed % 4 == 0 ? DrawnSettings.lowCeiling() : plan.settings();
        return plan.withLinks(new Links(
                        5_000 + plan.links().oneWayMicros() * 3 / 4,
                        List.of(),
                        0,
                        0.02,
                        plan.links().tailShare(),
                        plan.links().lossShare(),
                        plan.links().duplicateShare()))
                .withFaults(
                        oneAtATime
                                ? faults.withClocks(300, 0.000_001).withSpecial(Special.ofClocksBehind(8))
                                : faults.withClocks(40_000, 0.000_4))
                .withSettings(DrawnSettings.watchingClocks(settings, true));
    }

    /**
     * Values of 10 bytes to 64 KB, and nodes that are away for longer than the others can keep what they miss; some of
     * these restart meanwhile, with all that they keep. Hints bring it all at once when the node is back. In a third of
     * the seeds other nodes crash too, and messages get lost.
     */
    static SimulationPlan size(long seed) {
        SplittableRandom random = new SplittableRandom(seed ^ 0x512e);
        boolean more = seed % 3 == 0;
        long budget = 200_000L + random.nextInt(500_000);
        long hintMicros = 1_500_000L + random.nextInt(6_000_000);
        int rows = 1 + random.nextInt(2);
        return readersCutOff(seed)
                .withWorkload(new Workload(60, rows, 2, 14, 9_000, 0.4, 0.05, 0.05, 0.02, 0, random.nextBoolean())
                        .withValuesTo(64 << 10))
                .withFaults(
                        faults(more ? 2 : 0, more ? 2 : 0, 0, 0, hintMicros).withSpecial(Special.ofLongOutages(2, 0)))
                .withLinks(new Links(5_000 + random.nextInt(20_000), List.of(), 0, 0.2, 0, more ? 0.01 : 0, 0))
                .withSettings(Settings.DEFAULTS.withRecordsBytes(budget));
    }

    /**
     * As {@link #size}, but a store takes what a peer brings one mutation after the other, no quicker than clients
     * write, and hints bring many times what a node may keep. Nobody else is at fault.
     */
    static SimulationPlan settleSlowly(long seed) {
        SplittableRandom random = new SplittableRandom(seed ^ 0x5e771e);
        long settleMicros = 2_000L + random.nextInt(8_000);
        return size(3 * seed + 1)
                .withWorkload(new Workload(2_000, 1, 1, 14, 9_000, 0.2, 0.05, 0.02, 0.02, 0, random.nextBoolean())
                        .withValuesTo(1 << 10))
                .withFaults(faults(0, 0, 0, 0, 1_500_000L + random.nextInt(6_000_000))
                        .withSpecial(Special.ofLongOutages(2, settleMicros)));
    }

    /**
     * Scans of many partitions, which take from no time to longer than anything stays in flight, beside writes of the
     * same ones; where no node holds all, by several nodes. In a quarter of the seeds nothing is at fault, in another
     * one few records may be kept, and what values take counts; in a third of them repairs bring data past the core.
     */
    static SimulationPlan scans(long seed) {
        SplittableRandom random = new SplittableRandom(seed ^ 0x5ca5);
        boolean calm = seed % 4 == 0;
        boolean tight = seed % 4 == 1;
        int rows = 1 + random.nextInt(2);
        int partitions = 3 + random.nextInt(30);
        Workload workload = new Workload(
                        partitions,
                        rows,
                        1 + random.nextInt(2),
                        10 + random.nextInt(20),
                        2_500,
                        0.5,
                        random.nextBoolean() ? 0 : 0.1,
                        random.nextBoolean() ? 0 : 0.2,
                        0.1,
                        random.nextInt(3) == 0 ? 0.3 : 0,
                        random.nextBoolean())
                .withNewSessions(seed % 3 == 1 ? 0.2 : 0)
                .withScans(0.3);
        Cluster cluster =
                switch (random.nextInt(8)) {
                    case 0, 1 -> new Cluster(List.of(2, 2, 1), List.of(2, 2, 1), 3, 5_000);
                    case 2, 3 -> new Cluster(List.of(3, 2, 2), List.of(1, 1, 1), 2, 5_000);
                    case 4 -> new Cluster(List.of(3, 3), List.of(2, 1), 2, 5_000);
                    default -> Cluster.ofSingles(3, random.nextInt(8) == 0 ? 1 : 2);
                };
        SimulationPlan plan = Plans.random(seed)
                .withCluster(cluster)
                .withWorkload(tight ? workload.withValuesTo(8 << 10) : workload)
                .withLinks(new Links(
                        2_000 + random.nextInt(60_000), List.of(), 0, 0.2, calm ? 0 : 0.01, calm ? 0 : 0.02, 0))
                .withModes(ReadMode.SEQUENTIAL);
        if (tight) {
            return plan.withFaults(faults(1, 1, 0, 0, 5_000_000))
                    .withSettings(Settings.DEFAULTS.withRecordsBytes(100_000L + random.nextInt(400_000)));
        }
        return calm ? plan.withFaults(Faults.NONE) : plan.withFaults(faults(3, 3, seed % 3 == 0 ? 6 : 0, 1, 3_000_000));
    }

    /** No fault but clocks that are seconds apart, and sessions that move between partitions of different nodes. */
    static SimulationPlan clocksApart(long seed) {
        long offsetMicros = 3_000_000;
        return readersCutOff(seed)
                .withCluster(new Cluster(List.of(2, 2, 2), List.of(1, 1, 1), 2, 5_000))
                .withWorkload(new Workload(12, 1, 1, 24, 1_500, 0.7, 0, 0, 0.3, 0, false))
                .withFaults(Faults.NONE.withClocks(offsetMicros, 0))
                .withLinks(new Links(30_000, List.of(), 0, 0.1, 0, 0, 0))
                .withSettings(DrawnSettings.withClocks(
                        Settings.DEFAULTS, Settings.DEFAULTS.dispatchIntervalMicros(), 3 * offsetMicros));
    }
}
