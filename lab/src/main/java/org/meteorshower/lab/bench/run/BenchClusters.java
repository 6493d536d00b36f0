/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.bench.plan.NetworkSpec;
import org.meteorshower.lab.bench.plan.PlannedRun;
import org.meteorshower.lab.bench.plan.Schedule;
import org.meteorshower.lab.bench.plan.SystemSpec;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.Progress;
import org.meteorshower.lab.cluster.RunFolder;

/**
 * The clusters that are up at the same time: each on addresses of its own, the second on 127.0.1.1 and on where the
 * first is on 127.0.0.1 and on. They end with {@link #close}, and with the process. For one thread.
 */
public final class BenchClusters implements AutoCloseable {
    private static final int MAX_OCTET = 255;

    private final Map<NetworkSpec.Shape, BenchCluster> clusters = new LinkedHashMap<>();

    /** The nodes of all of them: what one that rests uses of the machine is no disturbance. Read while others start. */
    private final List<Long> nodePids = new CopyOnWriteArrayList<>();

    private BenchClusters() {}

    /**
     * Starts them one after the other. Nothing is left running where that fails.
     *
     * @param firstAddress of the first cluster
     * @param historyLimit operations of a run that are kept for the checker at most; 0: no check
     */
    public static BenchClusters start(
            Installation installation,
            Schedule.Stage stage,
            String firstAddress,
            int historyLimit,
            long seed,
            Progress progress) {
        BenchClusters started = new BenchClusters();
        try {
            for (NetworkSpec.Shape shape : stage.clusters()) {
                String address = address(firstAddress, started.clusters.size());
                started.clusters.put(
                        shape,
                        BenchCluster.start(
                                installation,
                                new RunFolder(installation, "bench").claim(shape.options(address)),
                                shape,
                                address,
                                systemsOn(stage, shape),
                                historyLimit,
                                seed,
                                started.nodePids,
                                progress));
            }
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    private static List<SystemSpec> systemsOn(Schedule.Stage stage, NetworkSpec.Shape shape) {
        return stage.runs().stream()
                .filter(run -> run.network().shape().equals(shape))
                .map(PlannedRun::system)
                .distinct()
                .toList();
    }

    /** Throws {@link ClusterException} where there are no more addresses. */
    static String address(String first, int cluster) {
        if (cluster == 0) {
            return first; // looked at by whoever starts it
        }
        String[] octets = first.split("\\.", -1);
        int third = Integer.parseInt(octets[2]) + cluster;
        if (third > MAX_OCTET) {
            throw new ClusterException("there is no room for " + (cluster + 1) + " clusters from " + first
                    + " on: each takes the next 127.0.x; begin with a smaller --first-address");
        }
        octets[2] = Integer.toString(third);
        return String.join(".", octets);
    }

    /** The one on which the run is to be done. */
    public BenchCluster of(PlannedRun run) {
        return Objects.requireNonNull(clusters.get(run.network().shape()), "a cluster that is not up");
    }

    @Override
    public void close() {
        @Nullable RuntimeException first = null;
        for (BenchCluster cluster : new ArrayList<>(clusters.values())) {
            try {
                cluster.close();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
