/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** An endless series of faults, decided by its seed. One data centre at a time, so that a majority is always left. */
final class FaultPlan {
    private static final int LEAST_QUIET_MILLIS = 3_000;
    private static final int MOST_QUIET_MILLIS = 6_000;

    /**
     * A node that starts again is of use to its clients before the others have all of it back: a fault elsewhere in
     * this time would be a second one at once.
     */
    private static final int MORE_QUIET_AFTER_RESTART_MILLIS = 8_000;

    private static final int LEAST_LENGTH_MILLIS = 2_000;
    private static final int MOST_LENGTH_MILLIS = 8_000;

    /** So long that the others give a data centre up, with the limits that such runs set. */
    private static final int LEAST_OUTAGE_MILLIS = 35_000;

    private static final int TIMES_LONGER = 4;
    private static final double MOST_LOSS = 0.05;
    private static final int MOST_CLOCK_MILLIS = 300_000;
    private static final double MOST_PAUSE_MILLIS = 5;

    private final Random random;
    private final List<String> dcs;
    private final List<FaultKind> kinds;
    private final Deque<FaultKind> round = new ArrayDeque<>();
    private boolean afterRestart;

    /** @param kinds what may happen; each does once before any does again */
    FaultPlan(long seed, List<String> dcs, List<FaultKind> kinds) {
        this.random = new Random(seed);
        this.dcs = List.copyOf(dcs);
        this.kinds = List.copyOf(kinds);
    }

    Fault next() {
        if (round.isEmpty()) {
            List<FaultKind> shuffled = new ArrayList<>(kinds);
            Collections.shuffle(shuffled, random);
            round.addAll(shuffled);
        }
        FaultKind kind = round.removeFirst();
        int moreQuiet = afterRestart ? MORE_QUIET_AFTER_RESTART_MILLIS : 0;
        afterRestart = kind.restartsNodes();
        return new Fault(
                kind,
                dcs.get(random.nextInt(dcs.size())),
                moreQuiet + between(LEAST_QUIET_MILLIS, MOST_QUIET_MILLIS),
                lengthOf(kind),
                amountOf(kind));
    }

    private long lengthOf(FaultKind kind) {
        int length = between(LEAST_LENGTH_MILLIS, MOST_LENGTH_MILLIS);
        return kind == FaultKind.DC_OUTAGE ? LEAST_OUTAGE_MILLIS + TIMES_LONGER * length : length;
    }

    private double amountOf(FaultKind kind) {
        return switch (kind) {
            case SLOW_DISK -> 1 + random.nextDouble() * (MOST_PAUSE_MILLIS - 1);
            case LOSS -> MOST_LOSS * (0.2 + 0.8 * random.nextDouble());
            case CLOCK -> random.nextInt(2 * MOST_CLOCK_MILLIS) - MOST_CLOCK_MILLIS;
            default -> 0;
        };
    }

    private int between(int least, int most) {
        return least + random.nextInt(most - least);
    }
}
