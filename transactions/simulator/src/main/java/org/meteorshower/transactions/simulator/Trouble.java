/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.SplittableRandom;

/** What may be wrong with one data centre, for some seconds, while figures of the others are taken. */
public enum Trouble {
    /** Its process dies, and the others see the connections end. */
    DIES,
    /** Its process stands still, or its machine vanishes: connections stay. */
    STANDS_STILL,
    /** Its process stands still for 50 to 500 ms, again and again, with 0.5 to 1.5 s between. */
    PAUSES,
    /** All processes do, each at times of its own. */
    ALL_PAUSE,
    /** Each of its messages, both ways, takes 500 ms longer. */
    SLOW,
    /** Each of its messages, both ways, takes up to 500 ms longer. */
    UNSTEADY,
    /** Of its messages, both ways, one in twenty is lost. */
    LOSSY;

    private static final long SLOWER_MICROS = 500_000;
    private static final double LOSS = 0.05;
    private static final long SHORTEST_PAUSE_MICROS = 50_000;
    private static final long LONGEST_PAUSE_MICROS = 500_000;
    private static final long LEAST_BETWEEN_MICROS = 500_000;

    /** Begins now, and ends after so long. */
    void begin(World world, FaultInjector faults, int dc, long micros) {
        switch (this) {
            case DIES -> faults.kill(world.dcs.get(dc), micros);
            case STANDS_STILL -> faults.pause(world.dcs.get(dc), micros);
            case PAUSES -> pause(world, faults, dc, world.scheduler.nowMicros() + micros, new SplittableRandom(dc));
            case ALL_PAUSE -> {
                long end = world.scheduler.nowMicros() + micros;
                world.dcs.forEach(each -> pause(world, faults, each.number, end, new SplittableRandom(each.number)));
            }
            case SLOW -> faults.slow(dc, true, true, SLOWER_MICROS - 1, SLOWER_MICROS);
            case UNSTEADY -> faults.slow(dc, true, true, 0, SLOWER_MICROS);
            case LOSSY -> faults.lose(dc, LOSS);
        }
        if (this == SLOW || this == UNSTEADY || this == LOSSY) {
            world.scheduler.after(micros, () -> {
                faults.slow(dc, true, true, 0, 0);
                faults.lose(dc, 0);
            });
        }
    }

    private static void pause(World world, FaultInjector faults, int dc, long endMicros, SplittableRandom random) {
        if (world.scheduler.nowMicros() < endMicros) {
            long lasts = SHORTEST_PAUSE_MICROS + random.nextLong(LONGEST_PAUSE_MICROS - SHORTEST_PAUSE_MICROS);
            faults.pause(world.dcs.get(dc), lasts);
            long next = lasts + LEAST_BETWEEN_MICROS + random.nextLong(2 * LEAST_BETWEEN_MICROS);
            world.scheduler.after(next, () -> pause(world, faults, dc, endMicros, random));
        }
    }
}
