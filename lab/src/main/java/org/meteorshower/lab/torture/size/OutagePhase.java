/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.util.concurrent.TimeUnit;

/** Sequential writes at full rate while one data centre is down for the better part of the time, and after. */
final class OutagePhase implements Phase {
    private static final int IN_FLIGHT = 32;
    private static final double BEFORE = 0.1;
    private static final double DOWN_UNTIL = 0.7;

    /** What there is by then is what it takes; from then on heaps must stay as they are. */
    private static final long LEVEL_NANOS = TimeUnit.SECONDS.toNanos(120);

    @Override
    public void run(PhaseRun run) throws InterruptedException {
        long begun = run.nanos();
        long length = run.length().toNanos();
        run.measureFromHere();
        run.beginSequential(run.dcs().subList(0, run.dcs().size() - 1), IN_FLIGHT, 0);
        run.until(begun + (long) (BEFORE * length));
        run.window("before", begun);

        run.nodes().kill(run.last());
        long killed = run.nanos();
        long back = begun + (long) (DOWN_UNTIL * length);
        run.until(Math.min(killed + LEVEL_NANOS, killed + (back - killed) / 4));
        run.collect("early in the outage");
        run.until(back);
        run.collect("outage ends");
        run.window("down", killed);
        run.note("down_seconds", (run.nanos() - killed) / 1e9);

        run.nodes().restart(run.last());
        run.band("kill " + run.last(), killed);
        long up = run.nanos();
        run.until(begun + length);
        run.window("after", up);
    }
}
