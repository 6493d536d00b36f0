/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import java.util.List;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.DelayList;

/**
 * Nodes and the distances between them. Immutable.
 *
 * @param delaysMillis one way, as {@link DelayList} deals them out
 * @param systems names of those measured here; empty: all
 */
public record NetworkSpec(
        String name, Shape shape, List<Double> delaysMillis, double jitterMillis, List<String> systems) {

    /**
     * What cannot be changed while nodes run: networks that share it share a cluster.
     *
     * @param replicasPerDc of each row; at most as many as there are nodes
     */
    public record Shape(
            List<String> dcs,
            int nodesPerDc,
            int replicasPerDc,
            boolean plugin,
            int heapMegabytes,
            List<String> jvmOptions) {
        public Shape {
            dcs = List.copyOf(dcs);
            jvmOptions = List.copyOf(jvmOptions);
        }

        public int nodes() {
            return dcs.size() * nodesPerDc;
        }

        /** Throws IllegalArgumentException where no such cluster is possible. */
        public ClusterOptions options(String firstAddress) {
            return ClusterOptions.builder()
                    .dcs(dcs)
                    .nodesPerDc(nodesPerDc)
                    .plugin(plugin)
                    .heapMegabytes(heapMegabytes)
                    .jvmOptions(jvmOptions)
                    .cassandraOptions(ClusterOptions.FOR_COMPARISONS)
                    .firstAddress(firstAddress)
                    .build();
        }
    }

    public NetworkSpec {
        delaysMillis = List.copyOf(delaysMillis);
        systems = List.copyOf(systems);
    }

    public List<DelayList.Pair> pairs() {
        return DelayList.pairs(shape.dcs(), delaysMillis);
    }

    /** Whether every pair of data centres is equally far apart: only such networks are points on one axis. */
    public boolean isUniform() {
        return delaysMillis.stream().distinct().count() == 1 && jitterMillis == 0;
    }

    /** The mean over the pairs of data centres; 0 where there is one data centre. */
    public double meanDelayMillis() {
        return pairs().stream()
                .mapToDouble(DelayList.Pair::delayMillis)
                .average()
                .orElse(0);
    }
}
