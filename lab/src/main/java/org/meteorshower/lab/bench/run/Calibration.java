/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.HdrHistogram.Histogram;
import org.meteorshower.lab.bench.plan.WorkloadSpec;

/**
 * What the load generator itself adds: a workload run against a client that does nothing. Immutable.
 *
 * @param latencies in microseconds
 * @param throughput operations a second
 */
public record Calibration(WorkloadSpec workload, Histogram latencies, double throughput) {
    private static final int WARM_UP_SECONDS = 1;
    private static final double SECONDS = 2;

    /** Takes three seconds. */
    public static Calibration of(WorkloadSpec workload, int dataCentres, long seed) {
        ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "bench-no-op");
            thread.setDaemon(true);
            return thread;
        });
        try {
            SplittableRandom random = new SplittableRandom(seed);
            HistoryBook book = new HistoryBook(0);
            RowChooser rows = RowChooser.of(workload.rows(), workload.zipfian());
            List<List<Slot>> sessions = new ArrayList<>();
            for (int dc = 0; dc < dataCentres; dc++) {
                List<Slot> here = new ArrayList<>();
                for (int i = 0; i < workload.sessionsPerDc(); i++) {
                    here.add(new Slot(
                            new NoOpRowClient(executor),
                            "s" + dc,
                            book.page("s" + dc + "-" + i),
                            rows,
                            0,
                            workload.readShare(),
                            workload.valueBytes(),
                            random.split(),
                            executor));
                }
                sessions.add(here);
            }
            Measurement measurement = Load.measurement(WARM_UP_SECONDS, SECONDS);
            Generator generator = Load.generator(workload, sessions, measurement, random.split());
            Sitting sitting = new Sitting(measurement, generator, List.of(), null, window -> {});
            sitting.run();
            Histogram all = new Histogram(3);
            all.setAutoResize(true);
            sitting.windows().forEach(window -> {
                all.add(window.reads());
                all.add(window.writes());
            });
            return new Calibration(workload, all, all.getTotalCount() / SECONDS);
        } finally {
            executor.shutdownNow();
        }
    }
}
