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

/** Plans that the specification ReadsAtACut.tla has words for: three replicas, one cell a row, few operations. */
final class TracePlans {
    private TracePlans() {}

    static SimulationPlan small(long seed) {
        var random = new SplittableRandom(seed ^ 0x7aceL);
        boolean faulty = random.nextInt(4) != 0;
        Workload workload = new Workload(
                        1 + random.nextInt(2),
                        1,
                        1,
                        2 + random.nextInt(3),
                        8 + random.nextInt(10),
                        0.4 + 0.3 * random.nextDouble(),
                        0,
                        0,
                        random.nextBoolean() ? 0.5 : 0.1,
                        0,
                        false)
                .withNewSessions(random.nextInt(3) == 0 ? 0.15 : 0);
        Links links = new Links(
                1_000L + random.nextInt(20_000),
                List.of(),
                random.nextBoolean() ? 0 : 0.8,
                random.nextBoolean() ? 0.02 : 0.8,
                faulty && random.nextInt(3) == 0 ? 0.1 : 0,
                faulty && random.nextBoolean() ? 0.3 * random.nextDouble() : 0,
                faulty && random.nextInt(3) == 0 ? 0.1 : 0);
        Faults faults = new Faults(
                random.nextInt(3) == 0 ? 50_000 : 0,
                0,
                faulty ? random.nextInt(3) : 0,
                faulty ? random.nextInt(3) : 0,
                0,
                faulty && random.nextInt(4) == 0 ? 1 : 0,
                0,
                0,
                faulty && random.nextInt(4) == 0 ? 1 : 0,
                false,
                random.nextBoolean(),
                random.nextInt(3) == 0 ? 100_000 : 300,
                100_000L + random.nextInt(2_000_000),
                Special.NONE);
        return new SimulationPlan(
                seed,
                new Cluster(List.of(1, 1, 1), List.of(1, 1, 1), 2, 1_000L * (2 + random.nextInt(9))),
                workload,
                links,
                faults,
                List.of(ReadMode.SEQUENTIAL),
                settings(random),
                Bug.NONE);
    }

    private static Settings settings(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> DrawnSettings.frugal();
            case 1 -> DrawnSettings.lowCeiling();
            default -> Settings.DEFAULTS;
        };
    }
}
