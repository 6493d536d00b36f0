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
import org.meteorshower.simulator.SimulationPlan.Switching;
import org.meteorshower.simulator.SimulationPlan.Workload;

/** Plans in which the table is disabled and enabled again while clients go on. */
final class SwitchingPlans {
    private SwitchingPlans() {}

    /**
     * Each node hears of it at its own time, some seconds late; nodes restart in the middle of it, links are cut, news
     * gets lost, hints come late. The nodes' clocks are right: else a session could read of the ordinary table what is
     * above all timestamps that its next write can get, which nobody promises anything about.
     */
    static SimulationPlan disabled(long seed) {
        var random = new SplittableRandom(seed ^ 0xd15ab1ed);
        Cluster cluster =
                switch (random.nextInt(4)) {
                    case 0 -> new Cluster(List.of(2, 2, 2), List.of(1, 1, 1), 2, 10_000);
                    case 1 -> Cluster.ofSingles(5, 3);
                    default -> Cluster.ofSingles(3, 2);
                };
        boolean faulty = random.nextInt(4) != 0;
        // Then an answer may take longer than it takes to enable the table.
        boolean slowLinks = random.nextInt(4) == 0;
        Faults faults = new Faults(
                0,
                0,
                faulty ? random.nextInt(6) : 0,
                faulty ? random.nextInt(6) : 0,
                faulty && random.nextInt(4) == 0 ? 1 : 0,
                faulty && random.nextInt(3) == 0 ? 1 : 0,
                0,
                random.nextInt(3) == 0 ? 5 : 0,
                0,
                false,
                random.nextBoolean(),
                random.nextInt(3) == 0 ? 100_000 : 300,
                500_000L + random.nextInt(8_000_000),
                Special.ofSwitching(new Switching(
                        2 + random.nextInt(6),
                        1_000_000 + random.nextInt(4_000_000),
                        slowLinks ? 50 : random.nextBoolean() ? 2 : 5,
                        random.nextBoolean(),
                        random.nextInt(3) == 0,
                        300_000,
                        false)));
        return new SimulationPlan(
                seed,
                cluster,
                new Workload(
                                3 + random.nextInt(6),
                                1,
                                1,
                                12 + random.nextInt(16),
                                1_200 + random.nextInt(800),
                                0.4 + 0.3 * random.nextDouble(),
                                0,
                                0,
                                random.nextBoolean() ? 0.05 : 0.5,
                                random.nextInt(3) == 0 ? 0.3 : 0,
                                false)
                        .withNewSessions(random.nextInt(3) == 0 ? 0.1 : 0),
                new Links(
                        slowLinks ? 80_000 : (long) Math.exp(Math.log(1_000) + random.nextDouble() * Math.log(40)),
                        List.of(),
                        random.nextBoolean() ? 0 : 0.8,
                        random.nextBoolean() ? 0.02 : 0.5,
                        slowLinks ? 0.15 : faulty && random.nextInt(4) == 0 ? 0.01 : 0,
                        faulty && random.nextBoolean() ? 0.02 + 0.1 * random.nextDouble() : 0,
                        faulty && random.nextInt(3) == 0 ? 0.02 : 0),
                faults,
                List.of(ReadMode.SEQUENTIAL),
                random.nextInt(3) == 0 ? DrawnSettings.slowToSettle() : Settings.DEFAULTS,
                Bug.NONE);
    }

    /**
     * What the replicas hold when it is enabled they bring together by themselves, and are read plainly meanwhile. They
     * differ; much is under way at any time, on few rows; some of those that restart have forgotten what they stamped.
     * Half of the time they share the repair, and nodes are cut off and crash, with what nobody else has.
     */
    static SimulationPlan enabled(long seed) {
        var random = new SplittableRandom(seed ^ 0xe1ab1ed);
        boolean faulty = random.nextInt(4) != 0;
        Cluster cluster =
                switch (random.nextInt(4)) {
                    case 0 -> new Cluster(List.of(2, 2, 2), List.of(1, 1, 1), 2, 10_000);
                    case 1 -> Cluster.ofSingles(3, 2);
                    default -> Cluster.ofSingles(5, 3);
                };
        long oneWayMicros = (long) Math.exp(Math.log(5_000) + random.nextDouble() * Math.log(16));
        Faults faults = new Faults(
                0,
                0,
                faulty ? random.nextInt(4) : 0,
                faulty ? random.nextInt(6) : 0,
                faulty && random.nextInt(4) == 0 ? 1 : 0,
                faulty && random.nextInt(3) == 0 ? 1 : 0,
                0,
                random.nextInt(3) == 0 ? 5 : 0,
                0,
                false,
                random.nextBoolean(),
                seed % 5 == 3 ? 300_000 : 300,
                500_000L + random.nextInt(8_000_000),
                Special.ofSwitching(new Switching(
                        4 + random.nextInt(6),
                        1_500_000 + random.nextInt(2_500_000),
                        50,
                        random.nextBoolean(),
                        false,
                        100_000,
                        true)));
        return new SimulationPlan(
                seed,
                cluster,
                new Workload(
                                (1 + random.nextInt(3)) * (shares(seed) ? 40 : 1),
                                1,
                                1,
                                20 + random.nextInt(20),
                                3_000 + random.nextInt(2_000),
                                0.4 + 0.3 * random.nextDouble(),
                                0,
                                0,
                                random.nextBoolean() ? 0.05 : 0.5,
                                random.nextInt(3) == 0 ? 0.3 : 0,
                                false)
                        .withNewSessions(random.nextInt(3) == 0 ? 0.1 : 0),
                new Links(
                        oneWayMicros,
                        List.of(),
                        random.nextBoolean() ? 0 : 0.8,
                        random.nextBoolean() ? 0.02 : 0.5,
                        random.nextInt(3) == 0 ? 0.15 : 0,
                        random.nextBoolean() ? 0.02 + 0.1 * random.nextDouble() : 0,
                        faulty && random.nextInt(3) == 0 ? 0.02 : 0),
                faults,
                List.of(ReadMode.SEQUENTIAL),
                random.nextInt(3) == 0 ? DrawnSettings.slowToSettle() : Settings.DEFAULTS,
                Bug.NONE);
    }

    /** Whether replicas repair each partition once for all of them: then in pieces, so there are more of them. */
    static boolean shares(long seed) {
        return seed % 8 < 4;
    }
}
