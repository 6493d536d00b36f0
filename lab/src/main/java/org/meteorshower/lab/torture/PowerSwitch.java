/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.Waiting;
import org.meteorshower.lab.power.PowerDisks;

/** Takes the power of nodes: they die, and what they had not forced is gone. For one thread. */
final class PowerSwitch {
    private static final Duration DEATH_LIMIT = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final LocalCluster cluster;
    private final PowerDisks disks;
    private final RunClock clock;

    /** What became of it: when it was, what went, and how often an operator had to help. */
    record Done(PowerPlan.Cut cut, long nanos, PowerDisks.Loss loss, Help help) {}

    /** Of what stops Cassandra, with or without the plugin: {@link PowerHeadless}, {@link PowerCompactions}. */
    record Help(int segments, int compactions) {}

    PowerSwitch(LocalCluster cluster, PowerDisks disks, RunClock clock) {
        this.cluster = cluster;
        this.disks = disks;
        this.clock = clock;
    }

    /** First nothing is forced any more, then the processes die, then what was not forced is forgotten. */
    Done off(PowerPlan.Cut cut) {
        try {
            disks.off(cut.nodes());
            for (String node : cut.nodes()) {
                if (cluster.isRunning(node)) {
                    ProcessHandle.of(cluster.pid(node)).ifPresent(ProcessHandle::destroyForcibly);
                }
            }
            disks.killed(cut.nodes());
            Waiting.untilClear(
                    DEATH_LIMIT,
                    PAUSE,
                    () -> cut.nodes().stream().anyMatch(cluster::isRunning) ? "nodes survive SIGKILL" : "");
            long nanos = clock.nanos(); // what clients heard they have heard by now
            long pages = 0;
            long changes = 0;
            int segments = 0;
            int compactions = 0;
            for (String node : cut.nodes()) {
                PowerDisks.Loss loss = disks.on(node, cut.share(), cut.seed());
                pages += loss.pages();
                changes += loss.changes();
                segments += PowerHeadless.remove(disks.folder(node));
                compactions += PowerCompactions.mend(disks.folder(node).resolve("data"));
            }
            return new Done(cut, nanos, new PowerDisks.Loss(pages, changes), new Help(segments, compactions));
        } catch (IOException e) {
            throw new UncheckedIOException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Starts nodes, and takes the power of all meanwhile, unless they are up before.
     *
     * @return null where they are up
     * @throws ClusterException where they do not start, though nothing was done to them
     */
    @Nullable
    Done startAndOff(PowerPlan.Cut cut, Runnable start) throws InterruptedException {
        CountDownLatch up = new CountDownLatch(1);
        AtomicReference<@Nullable Done> done = new AtomicReference<>();
        AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
        Thread cutter = new Thread(() -> offUnless(up, cut, done, failure), "power-off");
        cutter.setDaemon(true);
        cutter.start();
        RuntimeException notUp = null;
        try {
            start.run();
        } catch (ClusterException e) {
            notUp = e;
        }
        up.countDown();
        cutter.join();
        RuntimeException wrong = failure.get() == null && done.get() == null ? notUp : failure.get();
        if (wrong != null) {
            throw wrong;
        }
        return done.get();
    }

    private void offUnless(
            CountDownLatch up,
            PowerPlan.Cut cut,
            AtomicReference<@Nullable Done> done,
            AtomicReference<@Nullable RuntimeException> failure) {
        try {
            if (!up.await(cut.afterMillis(), TimeUnit.MILLISECONDS)) {
                done.set(off(cut));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }
}
