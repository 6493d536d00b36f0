/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.util.concurrent.TimeUnit;

/**
 * A bulk load through transactions beside a hot mix. First both together warm the nodes up, then the load rests and the
 * mix runs alone: that is what it is compared with. With a death one data centre is killed at a quarter of the load and
 * comes back at three quarters; the load goes on until it has caught up.
 */
final class BulkPhase implements Phase {
    private static final double WARM = 0.2;
    private static final long MOST_WARM_NANOS = TimeUnit.SECONDS.toNanos(150);
    private static final double ALONE = 0.1;
    private static final long MOST_ALONE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Until what the load has left behind is in its tables. */
    private static final double SETTLED = 0.3;

    private static final double KILLED_AT = 0.25;
    private static final double BACK_AT = 0.75;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Entries of the log: a few seconds of a load. */
    private static final long CAUGHT_UP = 500;

    private final boolean death;
    private long killedNanos;
    private boolean back;

    BulkPhase(boolean death) {
        this.death = death;
    }

    @Override
    public void run(PhaseRun run) throws InterruptedException {
        long begun = run.nanos();
        long length = run.length().toNanos();
        long end = begun + length;
        run.beginMix();
        BulkRows rows = run.beginBulk();
        long warm = begun + Math.min(MOST_WARM_NANOS, (long) (WARM * length));
        while (run.nanos() < warm && rows.share() < WARM) {
            run.pass(PAUSE_NANOS);
        }
        alone(run, Math.min(MOST_ALONE_NANOS, (long) (ALONE * length)));
        run.measureFromHere();
        long loadBegun = run.nanos();
        while (run.nanos() < end && !run.isDone()) {
            run.pass(PAUSE_NANOS);
            double time = (double) (run.nanos() - loadBegun) / (end - loadBegun);
            if (death) {
                strike(run, rows, Math.max(time, rows.share()));
            }
        }
        if (killedNanos > 0 && !back) {
            strike(run, rows, BACK_AT); // the time was over while it came back to the work done
        }
        run.window("beside", loadBegun);
    }

    private static void alone(PhaseRun run, long nanos) throws InterruptedException {
        run.rest(true);
        run.pass((long) (SETTLED * nanos));
        long settled = run.nanos();
        run.pass((long) ((1 - SETTLED) * nanos));
        run.window("alone", settled);
        run.rest(false);
    }

    private void strike(PhaseRun run, BulkRows rows, double share) throws InterruptedException {
        if (killedNanos == 0 && share >= KILLED_AT) {
            run.nodes().kill(run.last());
            killedNanos = run.nanos();
        } else if (killedNanos > 0 && !back && share >= BACK_AT) {
            back = true;
            rows.goOn();
            run.note("down_seconds", (run.nanos() - killedNanos) / 1e9);
            run.nodes().restart(run.last());
            long upNanos = run.nanos();
            awaitCaughtUp(run, upNanos + run.options().settleLimit().toNanos());
            run.note("catch_up_seconds", (run.nanos() - upNanos) / 1e9);
            run.band("kill " + run.last(), killedNanos);
        }
    }

    private static void awaitCaughtUp(PhaseRun run, long deadline) throws InterruptedException {
        while (run.nanos() < deadline && lag(run) > CAUGHT_UP) {
            run.pass(TimeUnit.SECONDS.toNanos(1));
        }
        run.note("lag_at_the_end_entries", (double) lag(run));
    }

    /** By how many entries the data centre that came back is behind the clients' one. */
    private static long lag(PhaseRun run) {
        return run.watch().executed(run.nodes().nameOf(run.dcs().get(0)))
                - run.watch().executed(run.nodes().nameOf(run.last()));
    }
}
