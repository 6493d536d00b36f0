/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A bulk load through transactions; after it a data centre is killed and restarted, then killed and restarted without
 * what its transactions had on disk: it takes a snapshot of all that was loaded. The hot mix goes on.
 */
final class RestorePhase implements Phase {
    private static final double LOADED_AT = 0.7;
    private static final int KEY = 1;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    @Override
    public void run(PhaseRun run) throws InterruptedException {
        long begun = run.nanos();
        run.beginMix();
        run.measureFromHere();
        run.beginBulk();
        run.until(begun + (long) (LOADED_AT * run.length().toNanos()));
        run.endLoads();
        run.note("loaded_megabytes", run.rows() * run.options().bulk().bytesPerRow() / 1e6);
        again(run, "restart", false);
        again(run, "restore", true);
        run.window("beside", begun);
    }

    private static void again(PhaseRun run, String name, boolean emptied) throws InterruptedException {
        long killed = run.nanos();
        run.nodes().kill(run.last());
        if (emptied) {
            run.nodes().emptyTransactions(run.last());
        }
        long begun = run.nanos();
        run.nodes().restart(run.last());
        run.note(name + "_process_seconds", (run.nanos() - begun) / 1e9);
        long deadline = run.nanos() + run.options().settleLimit().toNanos();
        while (run.nanos() < deadline && !(run.nodes().serves(run.last()) && answers(run))) {
            Thread.sleep(TimeUnit.SECONDS.toMillis(1));
            run.show();
        }
        run.note(name + "_seconds", (run.nanos() - begun) / 1e9);
        run.band(name + " " + run.last(), killed);
    }

    /** Whether the data centre's transactions show a row of the load. */
    private static boolean answers(PhaseRun run) {
        try {
            return run.session(run.last())
                            .execute(SimpleStatement.newInstance(
                                            "SELECT value FROM " + SizeTables.BULK + " WHERE id = ?", KEY)
                                    .setTimeout(PATIENCE))
                            .one()
                    != null;
        } catch (DriverException e) {
            return false;
        }
    }
}
