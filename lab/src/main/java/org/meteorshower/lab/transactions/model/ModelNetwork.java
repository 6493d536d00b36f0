/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions.model;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.meteorshower.wan.Traffic;
import org.meteorshower.wan.WanEmulator;
import org.meteorshower.wan.WanFile;

/** The distances of a cluster, and the one thread on which everything of a model happens. Thread-safe. */
public final class ModelNetwork implements AutoCloseable {
    private static final long QUIET_SECONDS = 30;

    private final WanEmulator emulator = new WanEmulator(new SecureRandom(), WanEmulator.DEFAULT_MAX_PENDING);
    private final WanFile file;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "model");
        made.setDaemon(true);
        return made;
    });

    /** @param wanFile the one that the cluster's nodes follow */
    public ModelNetwork(Path wanFile) {
        file = new WanFile(wanFile, emulator::apply);
    }

    /** Lets something happen in another data centre, or in this one, when a message has got there. */
    public void send(String from, String to, Runnable arrive) {
        emulator.submit(from, to, Traffic.STREAM, () -> thread.execute(arrive), () -> {});
    }

    /** Does a step on the model's thread, later. */
    public void after(long millis, Runnable step) {
        ScheduledFuture<?> unused = thread.schedule(step, millis, TimeUnit.MILLISECONDS);
    }

    /** Waits until no message is on its way, but not for ever. */
    public void awaitQuiet() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(QUIET_SECONDS);
        while (emulator.pending() > 0 && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Does a step on the model's thread. */
    public <T> CompletableFuture<T> on(Supplier<T> step) {
        return CompletableFuture.supplyAsync(step, thread);
    }

    @Override
    public void close() {
        file.close();
        emulator.close();
        thread.shutdownNow();
    }
}
