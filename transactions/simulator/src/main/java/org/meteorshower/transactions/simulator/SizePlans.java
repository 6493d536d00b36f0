/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.List;
import java.util.SplittableRandom;
import org.meteorshower.simulator.SimulationPlan;
import org.meteorshower.transactions.port.Budget;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.simulator.Plan.Fault;

/**
 * Plans of the kind "size": clients load rows faster than disks take them, and budgets are small enough to be met
 * within seconds.
 */
final class SizePlans {
    private static final long KIBIBYTE = 1 << 10;

    private SizePlans() {}

    static Plan of(long seed) {
        SplittableRandom random = new SplittableRandom(seed * 31 + "size".hashCode());
        int scenario = Math.floorMod(seed, 8);
        long lanes = (300 + random.nextInt(500)) * KIBIBYTE;
        boolean logIsShort = scenario == 3 || scenario == 5;
        Budget budget = new Budget(
                lanes,
                2 * lanes,
                lanes / 2,
                lanes / 8,
                lanes / 4,
                lanes * 3 / 4,
                2 * lanes,
                (logIsShort ? 3 : 8) * lanes);
        Settings settings = new Settings(
                10_000,
                50_000,
                300_000,
                0,
                150_000,
                600_000,
                500_000,
                30_000,
                400,
                500,
                50,
                50_000 + random.nextLong(400_000),
                logIsShort ? 1_500_000 : 30_000_000,
                random.nextInt(3) == 0 ? 2_000_000 : 3_600_000_000L,
                random.nextInt(2) == 0 ? 20 : 1_000,
                0,
                budget,
                seed / 16 % 2 == 0);
        Plan.Work work = new Plan.Work(2 + random.nextInt(3), 30_000, 8_000_000, 4, 4, 0.2, 1_500_000);
        Plan.Load load = new Plan.Load(
                2 + random.nextInt(4),
                random.nextInt(30_000),
                1 + random.nextInt(6),
                random.nextInt(3) == 0 ? 6_000 : 1_000,
                100 * random.nextInt(6),
                seed / 8 % 2 == 0 ? 40 : 0,
                0);
        long usualDisk = 200 + random.nextLong(2_000);
        long each = random.nextInt(3) == 0 ? 20 : 100 + random.nextLong(2_000);
        return new Plan(
                seed,
                delays(random),
                new SimulationPlan.Links(0, List.of(), 0, random.nextDouble() * 0.2, 0, random.nextInt(2) * 0.005, 0),
                work,
                load,
                faults(scenario, random, Plan.Faults.none(usualDisk).each(each)),
                settings);
    }

    /** The same, with rows that are large beside what memory holds, and small transactions on many of them. */
    static Plan largeRows(long seed) {
        Plan plan = of(seed);
        int largest = (int) (plan.settings().budget().rowBytes() / 64);
        return new Plan(
                plan.seed(),
                plan.delaysMicros(),
                plan.links(),
                plan.work(),
                plan.load().withLargeRows(largest, 50),
                plan.faults(),
                plan.settings());
    }

    /** The same, where users' tables are scanned while rows of them are deleted, and snapshots come. */
    static Plan scans(long seed) {
        Plan plan = of(seed);
        return new Plan(
                plan.seed(),
                plan.delaysMicros(),
                plan.links(),
                plan.work().withScans(0.3),
                plan.load().withDeletes(40),
                plan.faults(),
                plan.settings());
    }

    private static Plan.Faults faults(int scenario, SplittableRandom random, Plan.Faults none) {
        return switch (scenario) {
            case 0 -> none; // a flood
            case 1 -> none.and(Fault.SLOW_DISK, 4);
            case 2 -> none.and(Fault.OUTAGE, 2);
            case 3 -> none.and(Fault.KILL, 2).downAtLeast(4_000_000); // beyond the log
            case 4 -> none.and(Fault.KILL, 2).and(Fault.LOST_DISK, 2);
            case 5 -> none.and(Fault.KILL, 4).and(Fault.CUT, 2).downAtLeast(2_500_000); // who gives a snapshot dies
            case 6 -> none.and(Fault.ZOMBIE, 4).and(Fault.REPAIR, 3).and(Fault.HANDOVER, 2);
            default ->
                none.and(Fault.KILL, random.nextInt(3))
                        .and(Fault.CUT, random.nextInt(3))
                        .and(Fault.PAUSE, random.nextInt(3))
                        .and(Fault.SLOW_DISK, random.nextInt(3))
                        .and(Fault.OUTAGE, random.nextInt(2))
                        .and(Fault.LOST_DISK, random.nextInt(2))
                        .and(Fault.ZOMBIE, random.nextInt(3));
        };
    }

    static List<List<Long>> delays(SplittableRandom random) {
        long about = 2_000 + random.nextLong(40_000);
        long[][] delays = new long[3][3];
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < a; b++) {
                delays[a][b] = about / 2 + random.nextLong(about);
                delays[b][a] = delays[a][b];
            }
        }
        return Kind.asLists(delays);
    }
}
