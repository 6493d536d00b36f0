/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterException;

/** One measurement from warming up to the last answer, cut into windows. For one thread. */
final class Sitting {
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** So long before its start. */
    private static final long METERING_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Longer than a driver waits for an answer. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Measurement measurement;
    private final Generator generator;
    private final List<Long> nodePids;
    private final @Nullable TrafficMeter meter;
    private final Consumer<Window> watcher;
    private final List<Window> windows = new ArrayList<>();
    private boolean unanswered;
    private @Nullable Traffic traffic;

    /**
     * @param meter of the nodes' traffic; null: it is not asked for
     * @param watcher told of each window as it ends
     */
    Sitting(
            Measurement measurement,
            Generator generator,
            List<Long> nodePids,
            @Nullable TrafficMeter meter,
            Consumer<Window> watcher) {
        this.measurement = measurement;
        this.generator = generator;
        this.nodePids = nodePids;
        this.meter = meter;
        this.watcher = watcher;
    }

    /** Returns when all operations have ended, or patience has. Throws ClusterException where it is interrupted. */
    void run() {
        Thread thread = new Thread(generator::run, "bench-generator");
        thread.setDaemon(true);
        thread.start();
        try {
            // Before the measuring, which the question shall not disturb.
            sleepUntil(measurement.startNanos() - METERING_NANOS);
            TrafficMeter.@Nullable Reading before = meter == null ? null : meter.read();
            sleepUntil(measurement.startNanos());
            try (MachineWatch watch = new MachineWatch(nodePids)) {
                measure(watch, before);
            }
        } finally {
            generator.stop();
            thread.interrupt();
        }
    }

    private void measure(MachineWatch watch, TrafficMeter.@Nullable Reading before) {
        long opened = System.currentTimeMillis();
        for (long end = measurement.startNanos() + WINDOW_NANOS; ; end += WINDOW_NANOS) {
            boolean last = end - measurement.endNanos() >= 0;
            sleepUntil(last ? measurement.endNanos() : end);
            if (last) {
                traffic = meter == null ? null : TrafficMeter.between(before, meter.read());
                drain();
            }
            Latencies ended = measurement.interval();
            Window window = new Window(opened, System.currentTimeMillis(), ended.reads(), ended.writes(), watch.look());
            opened = window.endEpochMillis();
            windows.add(window);
            watcher.accept(window);
            if (last) {
                return;
            }
        }
    }

    /** The last answers belong to the last window. */
    private void drain() {
        long deadline = measurement.endNanos() + PATIENCE_NANOS;
        while (!generator.isQuiet()) {
            if (System.nanoTime() - deadline >= 0) {
                unanswered = true;
                return;
            }
            sleepUntil(System.nanoTime() + GLANCE_NANOS);
        }
    }

    private static void sleepUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new ClusterException("interrupted while measuring");
            }
            LockSupport.parkNanos(left);
        }
    }

    List<Window> windows() {
        return windows;
    }

    /** Null where the nodes do not tell. */
    @Nullable
    Traffic traffic() {
        return traffic;
    }

    boolean isUnanswered() {
        return unanswered;
    }
}
