/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * Operations begin when their time has come, whether earlier ones are answered or not, as requests of many independent
 * users do: at random, so many a second on average (a Poisson process in each data centre). Latencies count from the
 * intended time, so a pause of the system or of this generator shows in every operation that it held up.
 */
final class OpenLoop implements Generator {
    private static final double NANOS_PER_SECOND = 1e9;

    private final List<Lane> lanes;
    private final double ratePerLane;
    private final long endNanos;
    private final RandomGenerator random;
    private final long[] nextNanos;
    private volatile boolean ended;

    /** @param ratePerLane operations a second that begin in each lane, on average */
    OpenLoop(List<Lane> lanes, double ratePerLane, long startNanos, long endNanos, RandomGenerator random) {
        this.lanes = List.copyOf(lanes);
        this.ratePerLane = ratePerLane;
        this.endNanos = endNanos;
        this.random = random;
        nextNanos = new long[lanes.size()];
        for (int lane = 0; lane < nextNanos.length; lane++) {
            nextNanos[lane] = startNanos + gapNanos();
        }
    }

    private long gapNanos() {
        return (long) (-Math.log(1 - random.nextDouble()) / ratePerLane * NANOS_PER_SECOND);
    }

    @Override
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            int lane = earliest();
            long intended = nextNanos[lane];
            if (intended - endNanos >= 0) {
                ended = true;
                return;
            }
            long wait = intended - System.nanoTime();
            if (wait > 0) {
                LockSupport.parkNanos(wait);
            } else {
                lanes.get(lane).arrive(intended);
                nextNanos[lane] = intended + gapNanos();
            }
        }
    }

    private int earliest() {
        int earliest = 0;
        for (int lane = 1; lane < nextNanos.length; lane++) {
            if (nextNanos[lane] - nextNanos[earliest] < 0) {
                earliest = lane;
            }
        }
        return earliest;
    }

    @Override
    public boolean isQuiet() {
        return ended && lanes.stream().allMatch(Lane::isQuiet);
    }

    @Override
    public void stop() {
        lanes.forEach(Lane::stop);
    }
}
