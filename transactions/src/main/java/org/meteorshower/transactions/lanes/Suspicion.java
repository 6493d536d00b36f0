/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

/**
 * How long a lane may stand still before it is taken over: a floor, and the usual time between two advances with eight
 * times its deviation. Of a lane, not of a link: an advance counts whoever tells of it. After somebody has begun to
 * take it over, what he needs for that is granted, and twice as much each time: with links slower than the floor, all
 * would else outbid each other for ever.
 */
final class Suspicion {
    private static final int MOST_DOUBLINGS = 6;
    private static final double WEIGHT = 1.0 / 16;
    private static final long LONGEST_GRACE_MICROS = 10_000_000;
    private static final long FORGOTTEN_AFTER_MICROS = 60_000_000;

    /** For how long a standstill that is over says something of other lanes. */
    private static final long LONGEST_HELD_MICROS = 2_000_000;

    private final long floorMicros;
    private long attemptedMicros = Long.MIN_VALUE / 2;
    private long graceMicros;

    /** Attempts since the last advance. */
    private int fruitless;

    private long best = -1;
    private long advancedMicros;

    /** No later position has been heard of since, decided or only proposed. */
    private long aliveMicros;

    private long heardBelow;
    private double meanMicros;
    private double deviationMicros;

    /** A long time between two advances, which counts for as long again, but not for ever. */
    private long heldGapMicros;

    private long heldMicros;

    Suspicion(long floorMicros) {
        this.floorMicros = floorMicros;
    }

    /** Somewhere the lane is decided below this position. */
    void seen(long decidedBelow, long nowMicros) {
        if (decidedBelow > best) {
            if (best >= 0) {
                hold(nowMicros - advancedMicros, nowMicros);
                // One long silence shall not make the next one acceptable.
                double gap = Math.min(nowMicros - advancedMicros, floorMicros);
                deviationMicros += WEIGHT * (Math.abs(gap - meanMicros) - deviationMicros);
                meanMicros += WEIGHT * (gap - meanMicros);
            }
            fruitless = 0;
            best = decidedBelow;
            advancedMicros = nowMicros;
            heardOf(decidedBelow, nowMicros);
        }
    }

    /** Something was proposed at the position. */
    void proposed(long position, long nowMicros) {
        heardOf(position + 1, nowMicros);
    }

    private void heardOf(long below, long nowMicros) {
        if (below > heardBelow) {
            heardBelow = below;
            aliveMicros = nowMicros;
        }
    }

    private void hold(long gapMicros, long nowMicros) {
        if (gapMicros >= heldGapMicros || !isHeld(nowMicros)) {
            heldGapMicros = gapMicros;
            heldMicros = nowMicros;
        }
    }

    private boolean isHeld(long nowMicros) {
        return nowMicros - heldMicros <= Math.min(heldGapMicros, LONGEST_HELD_MICROS);
    }

    /** How long it stands still, or has stood still a short while ago. */
    long standstillMicros(long nowMicros) {
        long lately = isHeld(nowMicros) ? heldGapMicros : 0;
        return best < 0 ? 0 : Math.max(lately, nowMicros - advancedMicros);
    }

    long best() {
        return best;
    }

    /** Begins to wait anew: nobody could have been heard to advance it. */
    void restart(long nowMicros) {
        advancedMicros = nowMicros;
        aliveMicros = nowMicros;
    }

    /** Somebody, maybe this data centre, begins to lead it. */
    void attempted(long nowMicros) {
        boolean again = nowMicros - attemptedMicros < FORGOTTEN_AFTER_MICROS;
        graceMicros = Math.min(LONGEST_GRACE_MICROS, 2 * Math.max(floorMicros, again ? graceMicros : 0));
        fruitless++;
        attemptedMicros = nowMicros;
    }

    /** Whether the last one who began to lead it has had his time, twice as much with each that has brought nothing. */
    boolean mayBeRevoked(long nowMicros, long leastMicros) {
        long first = Math.max(floorMicros, leastMicros);
        long grace = Math.min(LONGEST_GRACE_MICROS, first << Math.min(Math.max(0, fruitless - 1), MOST_DOUBLINGS));
        return best >= 0 && nowMicros - attemptedMicros > grace;
    }

    /**
     * Whether nothing new is proposed for unusually long, or nothing is decided for longer. What was proposed before
     * and is decided late, since who proposed it stands still, says nothing new.
     */
    boolean isLate(long nowMicros, long leastMicros) {
        long usual = (long) (meanMicros + 8 * deviationMicros);
        return nowMicros - aliveMicros > leastMicros + usual || nowMicros - advancedMicros > 2 * leastMicros + usual;
    }

    /** Whether it has advanced lately, or stands still where that says nothing. */
    boolean isAdvancing(long nowMicros) {
        return nowMicros - advancedMicros <= floorMicros;
    }

    /** @param leastMicros in the place of the usual floor */
    boolean isSilent(long nowMicros, long leastMicros, long longerMicros) {
        return nowMicros - attemptedMicros > graceMicros
                && nowMicros - advancedMicros > leastMicros + (long) (meanMicros + 8 * deviationMicros) + longerMicros;
    }
}
