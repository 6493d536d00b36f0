/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.meteorshower.simulator.Strike;

/**
 * Two faults of three data centres, or three, each at its own moment: not drawn, but counted through. The numbers below
 * {@link #PAIRS} are all pairs of faults at all distances in time; those from there on are threes, in no order.
 */
record Combination(List<Part> parts) {
    /** @param atMicros since the first fault */
    record Part(What what, int dc, long atMicros) {}

    static final int DATA_CENTRES = 3;

    /** Long enough for a lane to be taken over, and to be handed back after it. */
    private static final long LONG_MICROS = 800_000;

    private static final long SHORT_MICROS = 4_000;

    /** A one-way delay is 10 to 17 ms, a durable write some 2 ms, the first suspicion comes after 300 ms. */
    private static final long[] DISTANCES = {
        0, 1_000, 2_000, 3_000, 5_000, 8_000, 12_000, 16_000, 20_000, 25_000, 30_000, 40_000, 50_000, 70_000, 100_000,
        200_000, 300_000, 320_000, 340_000, 370_000, 400_000, 500_000, 650_000, 830_000, 900_000, 1_100_000, 1_400_000,
        2_000_000
    };

    /** What happens to a data centre. */
    enum What {
        DIES_SHORTLY,
        DIES_FOR_LONG,
        STANDS_STILL,
        IS_REPLACED_AT_ONCE,
        IS_REPLACED_LATER,
        LOSES_ITS_DISK_SHORTLY,
        LOSES_ITS_DISK_FOR_LONG,
        HAS_A_SLOW_DISK,
        IS_CUT_OFF,
        IS_HEARD_BY_NOBODY,
        IS_NOT_HEARD_BY_THE_NEXT,
        IS_NOT_HEARD_BY_THE_OTHER,
        HEARS_NOBODY;

        private static final List<What> ALL = List.of(values());

        /** Null where none is called so. */
        static @Nullable What named(String word) {
            return ALL.stream()
                    .filter(what -> what.name()
                            .toLowerCase(Locale.ROOT)
                            .replace('_', '-')
                            .equals(word))
                    .findFirst()
                    .orElse(null);
        }

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        boolean losesADisk() {
            return this == LOSES_ITS_DISK_SHORTLY || this == LOSES_ITS_DISK_FOR_LONG;
        }
    }

    private static final int FAULTS = What.ALL.size() * DATA_CENTRES;

    /** How many pairs there are. */
    static final int PAIRS = FAULTS * FAULTS * DISTANCES.length;

    static Combination of(long number) {
        List<Part> parts = new ArrayList<>();
        if (number >= 0 && number < PAIRS) {
            int left = (int) number;
            parts.add(part(left / DISTANCES.length % FAULTS, 0));
            parts.add(part(left / DISTANCES.length / FAULTS, DISTANCES[left % DISTANCES.length]));
        } else {
            SplittableRandom random = new SplittableRandom(number);
            long at = 0;
            for (int i = 0; i < 3; i++) {
                parts.add(part(random.nextInt(FAULTS), at));
                at += DISTANCES[random.nextInt(DISTANCES.length)];
            }
        }
        return new Combination(withOneDiskLost(parts));
    }

    private static Part part(int fault, long atMicros) {
        return new Part(What.ALL.get(fault / DATA_CENTRES), fault % DATA_CENTRES, atMicros);
    }

    /** One data centre's disk only, if perhaps twice: what a majority has lost is lost. */
    private static List<Part> withOneDiskLost(List<Part> parts) {
        int unlucky = parts.stream()
                .filter(part -> part.what.losesADisk())
                .mapToInt(Part::dc)
                .findFirst()
                .orElse(0);
        return parts.stream()
                .map(part -> part.what.losesADisk() ? new Part(part.what, unlucky, part.atMicros) : part)
                .toList();
    }

    List<Strike> strikes() {
        return parts.stream()
                .map(part -> new Strike(part.what.word(), FaultInjector.BEGIN_COMBINED_MICROS + part.atMicros, part.dc))
                .toList();
    }

    void begin(World world, FaultInjector injector) {
        for (Part part : parts) {
            DataCentre where = world.dcs.get(part.dc);
            world.scheduler.after(part.atMicros, () -> happens(part.what, where, injector));
        }
    }

    static void happens(What what, DataCentre dc, FaultInjector injector) {
        int self = dc.number;
        int next = (self + 1) % DATA_CENTRES;
        int other = (self + 2) % DATA_CENTRES;
        switch (what) {
            case DIES_SHORTLY -> injector.kill(dc, SHORT_MICROS);
            case DIES_FOR_LONG -> injector.kill(dc, LONG_MICROS);
            case STANDS_STILL -> injector.pause(dc, LONG_MICROS);
            case IS_REPLACED_AT_ONCE -> injector.zombie(dc, SHORT_MICROS, 15 * SHORT_MICROS);
            case IS_REPLACED_LATER -> injector.zombie(dc, LONG_MICROS / 2, LONG_MICROS);
            case LOSES_ITS_DISK_SHORTLY -> injector.loseDisk(dc, SHORT_MICROS);
            case LOSES_ITS_DISK_FOR_LONG -> injector.loseDisk(dc, LONG_MICROS);
            case HAS_A_SLOW_DISK -> injector.slowDisk(dc, 50, LONG_MICROS);
            case IS_CUT_OFF -> {
                cut(injector, self, next);
                cut(injector, self, other);
                cut(injector, next, self);
                cut(injector, other, self);
            }
            case IS_HEARD_BY_NOBODY -> {
                cut(injector, self, next);
                cut(injector, self, other);
            }
            case IS_NOT_HEARD_BY_THE_NEXT -> cut(injector, self, next);
            case IS_NOT_HEARD_BY_THE_OTHER -> cut(injector, self, other);
            case HEARS_NOBODY -> {
                cut(injector, next, self);
                cut(injector, other, self);
            }
        }
    }

    private static void cut(FaultInjector injector, int from, int to) {
        injector.cutFor(from, to, LONG_MICROS);
    }
}
