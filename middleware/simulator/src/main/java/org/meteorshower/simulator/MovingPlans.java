/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Settings;
import org.meteorshower.simulator.SimulationPlan.Change;
import org.meteorshower.simulator.SimulationPlan.Cluster;
import org.meteorshower.simulator.SimulationPlan.Faults;
import org.meteorshower.simulator.SimulationPlan.Links;
import org.meteorshower.simulator.SimulationPlan.Moves;
import org.meteorshower.simulator.SimulationPlan.Special;
import org.meteorshower.simulator.SimulationPlan.Workload;

/** Plans in which nodes join, leave and replace others. */
final class MovingPlans {
    private static final List<Change> DRAWN = List.of(Change.JOIN, Change.LEAVE, Change.REPLACE);

    /** Mostly nodes hear of a change within a second. */
    private static final int SLOW_ONE_IN = 6;

    private MovingPlans() {}

    /** Changes of the ring drawn from the seed, alone or mixed with all other faults. */
    static SimulationPlan moves(long seed) {
        var random = new SplittableRandom(seed ^ 0x30b1e);
        boolean faulty = random.nextInt(4) != 0;
        Cluster cluster = cluster(random);
        List<Change> changes = new ArrayList<>();
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            changes.add(drawn(random));
        }
        long clockMicros = random.nextInt(3) == 0 ? random.nextLong(3_000_000) : 0;
        Faults faults = new Faults(
                clockMicros,
                random.nextInt(3) == 0 ? 0.02 : 0,
                faulty ? random.nextInt(5) : 0,
                faulty ? random.nextInt(6) : 0,
                faulty && random.nextInt(4) == 0 ? 1 : 0,
                faulty && random.nextInt(3) == 0 ? 1 : 0,
                0,
                random.nextInt(3) == 0 ? 5 : 0,
                0,
                false,
                random.nextBoolean(),
                random.nextInt(6) == 0 ? 100_000 : 300,
                500_000L + random.nextInt(12_000_000),
                Special.ofMoves(new Moves(
                        List.copyOf(changes),
                        spares(cluster),
                        9_000_000,
                        random.nextBoolean() ? 1_000_000 : 300_000,
                        500_000,
                        SLOW_ONE_IN)));
        return new SimulationPlan(
                seed,
                cluster,
                new Workload(
                                6 + random.nextInt(7),
                                1,
                                1 + random.nextInt(2),
                                12 + random.nextInt(16),
                                1_000 + random.nextInt(1_000),
                                0.3 + 0.5 * random.nextDouble(),
                                random.nextBoolean() ? 0 : 0.1,
                                random.nextInt(3) == 0 ? 0.3 : 0,
                                random.nextBoolean() ? 0.05 : 0.3,
                                0,
                                false)
                        .withNewSessions(random.nextInt(3) == 0 ? 0.1 : 0),
                new Links(
                        (long) Math.exp(Math.log(1_000) + random.nextDouble() * Math.log(60)),
                        List.of(),
                        random.nextBoolean() ? 0 : 0.8,
                        random.nextBoolean() ? 0.02 : 0.5,
                        faulty && random.nextInt(4) == 0 ? 0.01 : 0,
                        faulty && random.nextBoolean() ? 0.02 + 0.1 * random.nextDouble() : 0,
                        faulty && random.nextInt(3) == 0 ? 0.02 : 0),
                faults,
                List.of(ReadMode.SEQUENTIAL),
                DrawnSettings.withClocks(
                        Settings.DEFAULTS, 20_000, Math.max(Settings.DEFAULTS.maxAheadMicros(), 3 * clockMicros)),
                Bug.NONE);
    }

    /** One change of the ring follows the other before the table is served again, and many mutations miss replicas. */
    static SimulationPlan movesInARow(long seed) {
        var random = new SplittableRandom(seed ^ 0x70a);
        Cluster cluster = new Cluster(List.of(7), List.of(3), 2, 10_000);
        List<Change> changes = List.of(Change.JOIN, Change.LEAVE, Change.JOIN, Change.LEAVE);
        return moves(seed)
                .withCluster(cluster)
                .withWorkload(new Workload(12, 1, 1, 24, 1_500, 0.5, 0, 0, 0.3, 0, false))
                .withLinks(new Links(20_000, List.of(), 0, 0.3, 0, 0.15 * random.nextDouble(), 0))
                .withFaults(new Faults(
                        0,
                        0,
                        random.nextInt(3),
                        random.nextInt(4),
                        0,
                        0,
                        0,
                        0,
                        0,
                        false,
                        false,
                        300,
                        1_000_000L + random.nextInt(8_000_000),
                        Special.ofMoves(
                                new Moves(changes, spares(cluster), 3_000_000, 1_000_000, 400_000, SLOW_ONE_IN))));
    }

    /** Nodes restart while an epoch follows the other, and hints come late. */
    static SimulationPlan movesAndRestarts(long seed) {
        var random = new SplittableRandom(seed ^ 0x70b);
        SimulationPlan plan = movesInARow(seed);
        return plan.withFaults(new Faults(
                0,
                0,
                8,
                3,
                0,
                0,
                0,
                0,
                0,
                false,
                true,
                300,
                500_000L + random.nextInt(5_000_000),
                Special.ofMoves(new Moves(
                        List.of(Change.JOIN, Change.REPLACE, Change.LEAVE),
                        spares(plan.cluster()),
                        6_000_000,
                        300_000,
                        400_000,
                        SLOW_ONE_IN))));
    }

    /**
     * Nodes join and leave, so that the ring is again what it was, and some hear of nothing in between: they still
     * serve the first epoch when they are given data of the second.
     */
    static SimulationPlan thereAndBack(long seed) {
        var random = new SplittableRandom(seed ^ 0x70c);
        SimulationPlan plan = movesInARow(seed);
        return plan.withLinks(new Links(5_000 + random.nextInt(20_000), List.of(), 0, 0.3, 0, 0.1, 0))
                .withFaults(new Faults(
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        false,
                        false,
                        300,
                        1_000_000L + random.nextInt(8_000_000),
                        Special.ofMoves(new Moves(
                                List.of(Change.JOIN, Change.LEAVE, Change.JOIN, Change.LEAVE),
                                spares(plan.cluster()),
                                2_000_000,
                                500_000,
                                200_000,
                                2))));
    }

    /**
     * Replicas differ for seconds: mutations get lost, and neither settling nor hints bring them soon. Nodes are
     * replaced and join, one change soon after the other, restart, and hear of the ring late. Many partitions, so that
     * what was written is not overwritten.
     */
    static SimulationPlan movesUnsettled(long seed) {
        var random = new SplittableRandom(seed ^ 0x70c);
        Cluster cluster = new Cluster(List.of(7), List.of(3), 2, 10_000);
        List<Change> changes =
                switch (random.nextInt(4)) {
                    case 0 -> List.of(Change.REPLACE, Change.REPLACE);
                    case 1 -> List.of(Change.JOIN, Change.REPLACE);
                    case 2 -> List.of(Change.JOIN, Change.JOIN);
                    default -> List.of(Change.REPLACE, Change.LEAVE, Change.JOIN);
                };
        return moves(seed)
                .withCluster(cluster)
                .withSettings(DrawnSettings.slowToSettle())
                .withWorkload(new Workload(60, 1, 1, 24, 1_500, 0.6, 0, 0, 0.3, 0, false).withNewSessions(0.1))
                .withLinks(new Links(10_000, List.of(), 0, 0.3, 0, 0.05 + 0.1 * random.nextDouble(), 0))
                .withFaults(new Faults(
                        0,
                        0,
                        random.nextInt(10),
                        random.nextInt(3),
                        0,
                        0,
                        0,
                        0,
                        0,
                        false,
                        true,
                        300,
                        8_000_000,
                        Special.ofMoves(new Moves(
                                changes,
                                spares(cluster),
                                random.nextBoolean() ? 300_000 : 3_000_000,
                                random.nextBoolean() ? 300_000 : 1_000_000,
                                300_000,
                                random.nextBoolean() ? 2 : 6))));
    }

    /** Those of the other kinds, with tables that are used again once all follow. */
    static SimulationPlan live(long seed) {
        SimulationPlan plan =
                switch (Math.floorMod(seed, 12)) {
                    case 0, 1, 2 -> moves(seed);
                    case 3 -> movesInARow(seed);
                    case 4 -> movesAndRestarts(seed);
                    case 5 -> thereAndBack(seed);
                    case 6 -> movesUnsettled(seed);
                    case 7 -> movesOusting(seed);
                    case 8, 9 -> movesOnSlowDisks(seed);
                    default -> movesMissed(seed);
                };
        Moves moves = plan.faults().special().moves().lively();
        return plan.withFaults(plan.faults().withSpecial(Special.ofMoves(moves)));
    }

    /**
     * Nodes are replaced whose last mutations many others have missed; what clients have seen of those they read again
     * at once.
     */
    private static SimulationPlan movesMissed(long seed) {
        return movesMissed(seed, List.of(Change.REPLACE), 0);
    }

    private static SimulationPlan movesMissed(long seed, List<Change> changes, long repairMicros) {
        var random = new SplittableRandom(seed ^ 0x70e);
        Cluster cluster = new Cluster(List.of(7), List.of(3), 2, 10_000);
        return moves(seed)
                .withCluster(cluster)
                .withSettings(DrawnSettings.slowToSettle())
                .withWorkload(new Workload(12, 1, 1, 40, 3_000, 0.8, 0, 0, 0.5, 0, false))
                .withLinks(new Links(2_000, List.of(), 0, 0.3, 0, 0.1 + 0.2 * random.nextDouble(), 0))
                .withFaults(Faults.NONE.withSpecial(
                        Special.ofMoves(new Moves(changes, spares(cluster), 3_000_000, 300_000, 100_000, 2)
                                .lively()
                                .withRepairsOf(repairMicros))));
    }

    /**
     * Nodes join, and restart, and a quarter of the news of it takes seconds: those that the new ones displace go on
     * reading under the earlier name.
     */
    static SimulationPlan movesUnheard(long seed) {
        var random = new SplittableRandom(seed ^ 0x70f);
        SimulationPlan plan = moves(seed);
        List<Change> changes = random.nextInt(3) == 0
                ? List.of(Change.OUST, Change.JOIN)
                : List.of(Change.JOIN, Change.LEAVE, Change.JOIN);
        return plan.withSettings(Settings.DEFAULTS)
                .withWorkload(new Workload(6, 1, 1, 36, 4_000, 0.6, 0, 0, 0.3, 0, false).withNewSessions(0.1))
                .withLinks(new Links(500 + random.nextInt(5_000), List.of(), 0, 0.3, 0, 0, 0))
                .withFaults(new Faults(
                        0,
                        0,
                        random.nextBoolean() ? 0 : 8,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        false,
                        random.nextBoolean(),
                        300,
                        500_000L + random.nextInt(3_000_000),
                        Special.ofMoves(
                                new Moves(changes, spares(plan.cluster()), 6_000_000, 300_000, 400_000, 4).lively())));
    }

    /**
     * The next change comes while the replicas repair what the last one brought them, for seconds: there and back, or
     * of other partitions. Some restart meanwhile, or are cut off; or else much is lost, and read at once.
     */
    static SimulationPlan movesOverlapping(long seed) {
        return seed % 3 == 0
                ? movesMissed(seed, List.of(Change.REPLACE, Change.REPLACE), 4_000_000)
                : movesInterrupted(seed);
    }

    private static SimulationPlan movesInterrupted(long seed) {
        var random = new SplittableRandom(seed ^ 0x711);
        SimulationPlan plan = movesInARow(seed);
        Cluster cluster = random.nextBoolean() ? plan.cluster() : cluster(random);
        List<Change> changes =
                switch (random.nextInt(5)) {
                    case 0 -> List.of(Change.JOIN, Change.LEAVE, Change.JOIN, Change.LEAVE);
                    case 1 -> List.of(Change.REPLACE, Change.REPLACE);
                    case 2 -> List.of(Change.JOIN, Change.JOIN);
                    default -> List.of(drawn(random), drawn(random), drawn(random));
                };
        boolean missed = random.nextBoolean();
        return plan.withCluster(cluster)
                .withSettings(missed ? DrawnSettings.slowToSettle() : plan.settings())
                .withWorkload(
                        new Workload(12, 1, 1, 36, 2_000, missed ? 0.7 : 0.5, 0, 0, 0.4, 0, false).withNewSessions(0.1))
                .withLinks(new Links(
                        500 + random.nextInt(20_000),
                        List.of(),
                        0,
                        0.3,
                        0,
                        (missed ? 0.1 : 0) + 0.2 * random.nextDouble(),
                        0))
                .withFaults(new Faults(
                        0,
                        0,
                        random.nextInt(3),
                        random.nextInt(3),
                        0,
                        0,
                        0,
                        0,
                        0,
                        false,
                        false,
                        random.nextInt(4) == 0 ? 100_000 : 300,
                        1_000_000L + random.nextInt(8_000_000),
                        Special.ofMoves(new Moves(changes, spares(cluster), 1_500_000, 300_000, 200_000, SLOW_ONE_IN)
                                .lively()
                                .withRepairsOf(500_000 + random.nextInt(5_000_000)))));
    }

    private static Change drawn(SplittableRandom random) {
        return DRAWN.get(random.nextInt(DRAWN.size()));
    }

    /** What is stamped, and told of within a millisecond, is in the store only some hundred milliseconds later. */
    private static SimulationPlan movesOnSlowDisks(long seed) {
        SimulationPlan plan = moves(seed);
        Links links = plan.links();
        return plan.withLinks(new Links(500, List.of(), 0, links.jitterShare(), 0, links.lossShare(), 0))
                .withFaults(plan.faults().withDisk(300_000));
    }

    /**
     * A node is replaced that is alive, and only not heard; when it is, its clients come back before it knows. With
     * every second seed it shares another table with the rest, which goes over later.
     */
    static SimulationPlan movesOusting(long seed) {
        int otherTableLooks = seed % 2 == 0 ? 0 : 10 + new SplittableRandom(seed ^ 0x710).nextInt(50);
        Cluster cluster = new Cluster(List.of(7), List.of(3), 2, 10_000);
        return moves(seed)
                .withCluster(cluster)
                .withSettings(Settings.DEFAULTS)
                .withWorkload(new Workload(12, 1, 1, 36, 3_000, 0.6, 0, 0, 0.6, 0, false))
                .withLinks(new Links(5_000, List.of(), 0, 0.3, 0, 0, 0))
                .withFaults(Faults.NONE.withSpecial(
                        Special.ofMoves(new Moves(List.of(Change.OUST), spares(cluster), 6_000_000, 300_000, 300_000)
                                .withOtherTable(otherTableLooks))));
    }

    /** One to three data centres with three to five replicas, the last node or two of each not on the ring yet. */
    private static Cluster cluster(SplittableRandom random) {
        List<Integer> nodes;
        List<Integer> replicas;
        switch (random.nextInt(4)) {
            case 0 -> {
                nodes = List.of(5 + random.nextInt(2));
                replicas = List.of(3);
            }
            case 1 -> {
                nodes = List.of(7);
                replicas = List.of(random.nextBoolean() ? 5 : 4);
            }
            default -> {
                nodes = List.of(2 + random.nextInt(2), 2 + random.nextInt(2), 2);
                replicas = List.of(1, 1, 1);
            }
        }
        int n = replicas.stream().mapToInt(Integer::intValue).sum();
        return new Cluster(nodes, replicas, n / 2 + 1, 10_000);
    }

    /** Of each data centre the last node; two where there is one data centre. */
    private static List<Integer> spares(Cluster cluster) {
        List<Integer> spares = new ArrayList<>();
        int next = 0;
        for (int dc = 0; dc < cluster.nodesPerDc().size(); dc++) {
            next += cluster.nodesPerDc().get(dc);
            spares.add(next - 1);
            if (cluster.nodesPerDc().size() == 1) {
                spares.add(next - 2);
            }
        }
        return List.copyOf(spares);
    }
}
