/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Both loads while one node's disk takes nothing for a while, and then another's is 50 ms slow. A disk that is full is
 * one on which no file can grow; Cassandra's own policies are set so that it does not end for it. A slow disk is a
 * journal that takes so long by the emulation, and a commit log that is synced every 50 ms, for which writes wait.
 */
final class DiskPhase implements Phase {
    /** So that a node with a full disk goes on by itself when there is room. */
    static final Map<String, String> STAYS_UP =
            Map.of("disk_failure_policy", "ignore", "commit_failure_policy", "ignore");

    private static final double SLOW_MILLIS = 50;
    private static final Map<String, String> SLOW =
            Map.of("commitlog_sync", "group", "commitlog_sync_group_window", "50ms");

    private static final double BEFORE = 0.1;
    private static final double FULL_UNTIL = 0.35;
    private static final double ROOM_UNTIL = 0.5;
    private static final double SLOW_UNTIL = 0.85;
    private static final int SEQUENTIAL_IN_FLIGHT = 8;
    private static final long SERVED_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long PAUSE_MILLIS = 500;

    @Override
    public void run(PhaseRun run) throws InterruptedException {
        run.beginMix();
        long begun = run.nanos();
        long length = run.length().toNanos();
        run.measureFromHere();
        run.beginBulk().goOn();
        run.beginSequential(run.dcs().subList(0, 1), SEQUENTIAL_IN_FLIGHT, 0);
        run.until(begun + (long) (BEFORE * length));
        run.window("before", begun);
        full(run, run.dcs().get(1), begun + (long) (FULL_UNTIL * length));
        run.until(begun + (long) (ROOM_UNTIL * length));
        slow(run, run.last(), begun + (long) (SLOW_UNTIL * length));
        long after = run.nanos();
        run.until(begun + length);
        run.window("after", after);
    }

    private static void full(PhaseRun run, String dc, long untilNanos) throws InterruptedException {
        long from = run.nanos();
        run.nodes().fillDisk(dc);
        run.until(untilNanos);
        run.nodes().freeDisk(dc);
        run.window("full", from);
        run.band("full disk " + dc, from);
        if (!servesAgain(run, dc)) {
            run.say(run.nodes().nameOf(dc) + " does not serve by itself once there is room: it is restarted");
            run.note("restarted_after_full_disk", 1);
            run.nodes().restartWith(dc, Map.of());
        }
    }

    private static boolean servesAgain(PhaseRun run, String dc) throws InterruptedException {
        long deadline = run.nanos() + SERVED_NANOS;
        while (run.nanos() < deadline) {
            if (run.nodes().serves(dc)) {
                return true;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        return false;
    }

    private static void slow(PhaseRun run, String dc, long untilNanos) throws InterruptedException {
        long from = run.nanos();
        run.nodes().restartWith(dc, SLOW);
        run.nodes().links().disk(run.nodes().nameOf(dc), SLOW_MILLIS);
        run.until(untilNanos);
        run.nodes().links().disk(run.nodes().nameOf(dc), 0);
        run.nodes().restartWith(dc, Map.of());
        run.window("slow", from);
        run.band("slow disk " + dc, from);
    }
}
