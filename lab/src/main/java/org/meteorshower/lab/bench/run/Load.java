/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.meteorshower.lab.bench.plan.WorkloadSpec;

/** A workload's generator over given sessions. */
final class Load {
    /** So many seconds of arrivals may wait for a session before operations are given up. */
    private static final double BACKLOG_SECONDS = 5;

    private static final int LEAST_BACKLOG = 100;

    private Load() {}

    /** A measurement that begins after the warming-up, which begins now. */
    static Measurement measurement(int warmUpSeconds, double seconds) {
        long start = System.nanoTime() + TimeUnit.SECONDS.toNanos(warmUpSeconds);
        return new Measurement(start, start + (long) (seconds * 1e9));
    }

    /** @param sessions those of each data centre */
    static Generator generator(
            WorkloadSpec workload,
            List<? extends List<? extends Session>> sessions,
            Measurement measurement,
            SplittableRandom random) {
        if (!workload.isOpenLoop()) {
            return new ClosedLoop(
                    sessions.stream().<Session>flatMap(List::stream).toList(), measurement);
        }
        int backlog = (int) Math.max(LEAST_BACKLOG, workload.ratePerDc() * BACKLOG_SECONDS);
        List<Lane> lanes = new ArrayList<>();
        for (List<? extends Session> slots : sessions) {
            lanes.add(new Lane(slots, measurement, backlog));
        }
        return new OpenLoop(lanes, workload.ratePerDc(), System.nanoTime(), measurement.endNanos(), random);
    }
}
