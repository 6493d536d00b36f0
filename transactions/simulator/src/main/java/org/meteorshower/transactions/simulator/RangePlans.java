/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.List;
import java.util.SplittableRandom;
import org.meteorshower.simulator.SimulationPlan;
import org.meteorshower.transactions.port.Budget;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.simulator.Plan.Fault;

/**
 * Plans of the kinds "ranges" and "computed": clients change and read the rows of three partitions. Few rows stay in
 * memory, and cuts come often, so that most are read from the tables, also while they are being written there.
 */
final class RangePlans {
    private RangePlans() {}

    static Plan of(long seed) {
        return of(seed, "ranges", 0);
    }

    /** Half of them compute their keys and bounds from rows that they find. */
    static Plan computed(long seed) {
        return of(seed, "computed", 0.5);
    }

    /**
     * Rows of which something ends instead of ranges, and a clock that is set. Of a disk that is lost nothing comes
     * late that a dead process has left on its way for seconds: what users' tables would show of that is no row's end.
     */
    static Plan ends(long seed) {
        Plan plan = of(seed, "ends", 0);
        Plan.Work work = plan.work();
        Plan.Faults faults = plan.faults();
        faults = faults.times(Fault.LOST_DISK) == 0 ? faults : faults.and(Fault.QUICK_RESTART, 0);
        return new Plan(
                seed,
                plan.delaysMicros(),
                plan.links(),
                new Plan.Work(
                                work.clientsPerDc(),
                                work.thinkMicros(),
                                work.lastsMicros(),
                                work.lists(),
                                work.accounts(),
                                work.hot(),
                                work.deadlineMicros())
                        .withEnds(0.8),
                Plan.Load.NONE,
                Math.floorMod(seed, 3) == 0 ? faults.and(Fault.CLOCK_JUMP, 1) : faults,
                plan.settings());
    }

    private static Plan of(long seed, String name, double computed) {
        SplittableRandom random = new SplittableRandom(seed * 31 + name.hashCode());
        int scenario = Math.floorMod(seed, 8);
        Settings settings = new Settings(
                5_000,
                50_000,
                300_000,
                0,
                150_000,
                600_000,
                500_000,
                30_000,
                400,
                200,
                50,
                50_000 + random.nextLong(400_000),
                scenario == 5 ? 1_500_000 : 10_000_000,
                3_600_000_000L,
                random.nextInt(3) == 0 ? 1_000 : 1 + random.nextInt(8),
                0,
                seed / 16 % 2 == 0 ? Settings.DEFAULT.budget() : small(Settings.DEFAULT.budget()),
                seed / 8 % 2 == 0);
        Plan.Work work = new Plan.Work(
                2 + random.nextInt(5),
                5_000 + random.nextLong(40_000),
                5_000_000,
                3,
                4,
                0.1,
                1_500_000,
                0.8,
                computed,
                0,
                0);
        Plan.Faults none = Plan.Faults.none(200 + random.nextLong(4_000)).each(random.nextLong(1_500));
        return new Plan(
                seed,
                SizePlans.delays(random),
                new SimulationPlan.Links(0, List.of(), 0, random.nextDouble() * 0.2, 0, 0.005, 0.005),
                work,
                Plan.Load.NONE,
                faults(scenario, random, none),
                settings);
    }

    /** So that the ranges of one transaction are gathered after the other. */
    private static Budget small(Budget budget) {
        return Budget.of(budget.laneBytes(), 4 << 20, budget.queuedBytes(), budget.logBytes());
    }

    private static Plan.Faults faults(int scenario, SplittableRandom random, Plan.Faults none) {
        return switch (scenario) {
            case 0 -> none;
            case 1 -> none.and(Fault.KILL, 6).and(Fault.DOUBLE_KILL, 1);
            case 2 -> none.and(Fault.OUTAGE, 2);
            case 3 -> none.and(Fault.ZOMBIE, 6);
            case 4 -> none.and(Fault.KILL, 2).and(Fault.LOST_DISK, 2);
            case 5 -> none.and(Fault.KILL, 3).and(Fault.CUT, 2).downAtLeast(2_500_000); // snapshots
            case 6 -> none.and(Fault.HANDOVER, 4).and(Fault.CUT, 3).and(Fault.PAUSE, 2);
            default ->
                none.and(Fault.KILL, random.nextInt(3))
                        .and(Fault.CUT, random.nextInt(3))
                        .and(Fault.OUTAGE, random.nextInt(2))
                        .and(Fault.ZOMBIE, random.nextInt(3))
                        .and(Fault.SLOW_DISK, random.nextInt(3))
                        .and(Fault.LOST_DISK, random.nextInt(2))
                        .and(Fault.QUICK_RESTART, random.nextInt(2));
        };
    }
}
