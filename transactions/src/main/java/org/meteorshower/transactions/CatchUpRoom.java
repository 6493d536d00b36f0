/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.Arrays;

/**
 * The room that clients leave to data centres that catch up from the log: all together propose half of what the one
 * that catches up gets done, so it comes nearer while the load goes on, at twice the load's rate. They never propose
 * less than a quarter of what they did before, and leave nothing to one that comes no nearer all the same. Decides
 * nothing that safety depends on.
 *
 * <p>All times are microseconds of elapsed time, all amounts bytes as the heap holds them.
 */
final class CatchUpRoom {
    /** What clients may propose, as a part of what the slowest that catches up gets done. */
    private static final double PROPOSED = 0.5;

    /** What they may always propose, as a part of what they did while nobody caught up. */
    private static final double ALWAYS = 0.25;

    /** One whose tables have not moved for longer does not catch up from the log: it starts, or takes a snapshot. */
    private static final long MOVES_WITHIN_MICROS = 10_000_000;

    /** So often it is looked at whether one has come nearer. */
    private static final long JUDGED_EVERY_MICROS = 60_000_000;

    /** One that has not is left no room for so long. */
    private static final long LEFT_ALONE_MICROS = 600_000_000;

    /** Over about so many seconds a data centre's rate is taken: its checkpoints come seconds apart under load. */
    private static final double DRAIN_SECONDS = 10;

    private static final double USUAL_SECONDS = 30;

    /**
     * What is seen of a data centre.
     *
     * @param moved whether its tables have more than at the last look
     * @param drained how much more, as far as so much is remembered
     * @param lag what they lack, or as much of that as is remembered
     * @param isAwaited whether it is heard, and too far behind to be waited for otherwise
     */
    record Look(boolean moved, long drained, long lag, boolean isAwaited) {}

    private static final class Lagging {
        double drainPerSecond;
        long movedMicros = Long.MIN_VALUE / 2;
        long judgedMicros;
        long lagWhenJudged;
        long leftAloneUntilMicros = Long.MIN_VALUE;
        boolean catchesUp;
    }

    private final Lagging[] all;
    private double usualPerSecond;
    private double ownPerSecond;

    CatchUpRoom(int dataCentres) {
        all = new Lagging[dataCentres];
        Arrays.setAll(all, dc -> new Lagging());
    }

    void looked(int dc, Look look, double seconds, long micros) {
        Lagging one = all[dc];
        one.drainPerSecond = average(one.drainPerSecond, look.drained(), seconds, DRAIN_SECONDS);
        if (look.moved()) {
            one.movedMicros = micros;
        }
        boolean moves = look.isAwaited() && micros - one.movedMicros <= MOVES_WITHIN_MICROS;
        if (!moves) {
            one.catchesUp = false;
        } else if (!one.catchesUp) {
            one.catchesUp = micros >= one.leftAloneUntilMicros;
            one.judgedMicros = micros;
            one.lagWhenJudged = look.lag();
        } else if (micros - one.judgedMicros >= JUDGED_EVERY_MICROS && one.drainPerSecond > 0) {
            if (look.lag() >= one.lagWhenJudged) {
                one.catchesUp = false;
                one.leftAloneUntilMicros = micros + LEFT_ALONE_MICROS;
            }
            one.judgedMicros = micros;
            one.lagWhenJudged = look.lag();
        }
    }

    /** What was decided since the last look, in all lanes and in this data centre's own one. */
    void decided(long inAll, long inOwn, double seconds) {
        if (seconds > 0 && isNobodyCatchingUp()) {
            usualPerSecond = average(usualPerSecond, inAll, seconds, USUAL_SECONDS);
            ownPerSecond = average(ownPerSecond, inOwn, seconds, USUAL_SECONDS);
        }
    }

    private static double average(double before, long bytes, double seconds, double over) {
        return seconds <= 0 ? before : before + Math.min(1, seconds / over) * (bytes / seconds - before);
    }

    /** Bytes a second that this data centre may propose; infinite where nobody catches up. */
    double rate() {
        double slowest = Double.POSITIVE_INFINITY;
        for (Lagging one : all) {
            slowest = one.catchesUp ? Math.min(slowest, one.drainPerSecond) : slowest;
        }
        return slowest == Double.POSITIVE_INFINITY
                ? slowest
                : ownShare() * Math.max(ALWAYS * usualPerSecond, PROPOSED * slowest);
    }

    private double ownShare() {
        double equal = 1.0 / all.length;
        return usualPerSecond > 0 ? Math.max(equal, ownPerSecond / usualPerSecond) : equal;
    }

    private boolean isNobodyCatchingUp() {
        for (Lagging one : all) {
            if (one.catchesUp) {
                return false;
            }
        }
        return true;
    }
}
