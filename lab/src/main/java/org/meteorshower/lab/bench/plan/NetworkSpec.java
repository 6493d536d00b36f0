/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import java.nio.file.Path;
import java.util.List;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.CommitLog;
import org.meteorshower.lab.cluster.DelayList;
import org.meteorshower.lab.rivals.Cassandra6;

/**
 * Nodes and the distances between them. Immutable.
 *
 * @param delaysMillis one way, as {@link DelayList} deals them out
 * @param systems names of those measured here; empty: all
 */
public record NetworkSpec(
        String name, Shape shape, List<Double> delaysMillis, double jitterMillis, List<String> systems) {

    /** The release of Cassandra that the project is for. */
    public static final String OURS = "5.0";

    /** The one whose transactions are Accord's. */
    public static final String CASSANDRA_6 = "6.0-alpha2";

    /**
     * What cannot be changed while nodes run: networks that share it share a cluster.
     *
     * @param cassandra the release, {@link #OURS} or {@link #CASSANDRA_6}
     * @param replicasPerDc of each row; at most as many as there are nodes
     */
    public record Shape(
            List<String> dcs,
            int nodesPerDc,
            int replicasPerDc,
            boolean plugin,
            int heapMegabytes,
            List<String> jvmOptions,
            CommitLog commitLog,
            String cassandra) {
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
                    .cassandraOptions(commitLog.options())
                    .firstAddress(firstAddress)
                    .build();
        }

        /** The same of Cassandra 6, in this folder. */
        public ClusterOptions cassandra6Options(String firstAddress, Path folder) {
            return options(firstAddress).toBuilder()
                    .plugin(false)
                    .jvmOptions(Cassandra6.jvmOptions(folder))
                    .cassandraOptions(Cassandra6.cassandraOptions())
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
