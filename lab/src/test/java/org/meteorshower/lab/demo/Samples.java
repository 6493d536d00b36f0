/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.client.Served;
import org.meteorshower.lab.cluster.ClusterOptions;

/** Results as a run would give them. */
final class Samples {
    private Samples() {}

    /** Read and write latencies in milliseconds, the same at each of three data centres. */
    static ModeStats stats(Mode mode, double readMillis, double writeMillis) {
        ModeStats stats = new ModeStats(List.of("eu", "us", "asia"));
        for (String dc : stats.dcs()) {
            stats.at(dc).read(nanos(readMillis), mode.isServed() ? new ReadInfo(Served.LOCAL, 1, 55_000) : null);
            stats.at(dc).written(nanos(writeMillis));
        }
        stats.measuredFor(1_000);
        return stats;
    }

    static Map<Mode, ModeStats> allModes() {
        Map<Mode, ModeStats> stats = new EnumMap<>(Mode.class);
        stats.put(Mode.CASSANDRA_LOCAL_ONE, stats(Mode.CASSANDRA_LOCAL_ONE, 1, 1.2));
        stats.put(Mode.CASSANDRA_QUORUM, stats(Mode.CASSANDRA_QUORUM, 105, 104));
        stats.put(Mode.SEQUENTIAL, stats(Mode.SEQUENTIAL, 1.1, 104));
        stats.put(Mode.METEORSHOWER1, stats(Mode.METEORSHOWER1, 59, 104));
        stats.put(Mode.METEORSHOWER2, stats(Mode.METEORSHOWER2, 9, 104));
        stats.put(Mode.STRICT, stats(Mode.STRICT, 62, 110));
        stats.put(Mode.STRICT_HOME, stats(Mode.STRICT_HOME, 1.2, 105));
        return stats;
    }

    static DemoResult result(Map<Mode, ModeStats> stats, List<Finding> findings) {
        List<Mode> modes = List.copyOf(stats.keySet());
        ClusterOptions cluster =
                ClusterOptions.builder().delaysMillis(List.of(50.0)).build();
        return new DemoResult(
                new DemoOptions(cluster, new Workload(24, 1000, 0.5, 480), 20, modes, null, null, null, false),
                7.5,
                20,
                1_000,
                stats,
                findings,
                Goals.of(stats, cluster.delaysMillis(), 20, 1_000),
                null,
                new MachineUse(2, 0.5, 3, 0.9, Double.NaN, 0.1));
    }

    private static long nanos(double millis) {
        return (long) (millis * TimeUnit.MILLISECONDS.toNanos(1));
    }
}
