/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.meteorshower.simulator.SimulationPlan.Faults;

/** The faults that may come at any moment, and so as a {@link Strike}. Others wait until the one before has healed. */
enum Blow {
    CRASH,
    CUT,
    FLAP,
    PAUSE,
    REPAIR,
    READ_REPAIR,
    READER_CUT_OFF,
    RESTART_BURST,
    REPAIR_CUT_SHORT,
    LEFT_BEHIND_BY_ONE;

    /** Clients begin about then. */
    static final long EARLIEST_MICROS = 1_020_000;

    /** How often it is drawn. */
    int times(Faults faults) {
        return switch (this) {
            case CRASH -> faults.crashes();
            case CUT -> faults.cuts();
            case FLAP -> faults.flaps();
            case PAUSE -> faults.pauses();
            case REPAIR -> faults.repairs();
            case READ_REPAIR -> faults.readRepairs();
            case READER_CUT_OFF -> faults.readersCutOff();
            case RESTART_BURST -> faults.special().restartBursts();
            case REPAIR_CUT_SHORT -> faults.special().repairsCutShort();
            case LEFT_BEHIND_BY_ONE -> faults.special().leftBehindByOne();
        };
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** @throws IllegalArgumentException if there is none of this name; the message lists them */
    static Blow named(String word) {
        return Arrays.stream(values())
                .filter(blow -> blow.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no fault is called " + word + "; there are "
                        + Arrays.stream(values()).map(Blow::word).collect(Collectors.joining(", "))));
    }

    /** The faults of the plan that may come at any moment, each at a drawn one. */
    static List<Strike> drawn(SimulationPlan plan) {
        SplittableRandom random = new SplittableRandom(plan.seed() ^ 0x57a1e);
        long withinMicros = FaultInjector.expectedMicros(plan);
        List<Strike> strikes = new ArrayList<>();
        for (Blow blow : values()) {
            for (int i = 0; i < blow.times(plan.faults()); i++) {
                long atMicros = EARLIEST_MICROS + (long) (random.nextDouble() * withinMicros);
                strikes.add(new Strike(blow.word(), atMicros, random.nextLong(1_000_000)));
            }
        }
        return List.copyOf(strikes);
    }
}
