/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.utils.NoSpamLogger;
import org.meteorshower.runtime.Fatal;
import org.meteorshower.runtime.MeteorShower;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread that lets time pass for the protocol. No exception ends it. */
final class Ticker implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Ticker.class);
    private static final long IDLE_TICK_NANOS = 50_000_000;

    private final MeteorShower meteorShower;
    private final BooleanSupplier idle;
    private final UnbrokenRuns runs;
    private final Thread thread;
    private volatile boolean closed;

    /** @param idle whether no table is enabled, and so nothing waits for time to pass */
    Ticker(MeteorShower meteorShower, BooleanSupplier idle, UnbrokenRuns runs) {
        this.meteorShower = meteorShower;
        this.idle = idle;
        this.runs = runs;
        this.thread = new Thread(this::run, "MeteorShower-Ticker");
        thread.setDaemon(true);
    }

    void start() {
        meteorShower.wakeTickerWith(() -> LockSupport.unpark(thread));
        thread.start();
    }

    private void run() {
        while (!closed) {
            long pauseNanos = IDLE_TICK_NANOS;
            try {
                pauseNanos = meteorShower.tick();
                runs.recordThisStart();
            } catch (Throwable e) {
                NoSpamLogger.log(log, NoSpamLogger.Level.ERROR, 10, TimeUnit.SECONDS, "MeteorShower: a tick failed", e);
                Fatal.report(e);
            }
            LockSupport.parkNanos(idle.getAsBoolean() ? IDLE_TICK_NANOS : pauseNanos);
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(1_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
