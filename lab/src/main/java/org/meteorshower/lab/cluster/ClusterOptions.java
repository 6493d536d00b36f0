/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a cluster shall look like. Immutable, checked when made, and kept in the cluster's state file.
 *
 * @param dcs names of the data centres, in order
 * @param nodesPerDc nodes in each data centre
 * @param firstAddress address of the first node; the others follow it
 * @param delaysMillis one-way delays between data centres, see {@link DelayList}
 * @param jitterMillis added to each delay, uniform in 0..jitter
 * @param lossFraction share of messages lost between data centres, 0..1
 * @param plugin whether the nodes load the MeteorShower plugin
 * @param heapMegabytes heap of each node
 * @param pluginOptions more lines for meteorshower.yaml; a dot in a key nests
 * @param cassandraOptions more lines for cassandra.yaml; they win over ours
 * @param jvmOptions more options for each node's JVM; they win over ours
 */
public record ClusterOptions(
        List<String> dcs,
        int nodesPerDc,
        String firstAddress,
        List<Double> delaysMillis,
        double jitterMillis,
        double lossFraction,
        boolean plugin,
        int heapMegabytes,
        Map<String, String> pluginOptions,
        Map<String, String> cassandraOptions,
        List<String> jvmOptions) {

    /**
     * What a cluster needs whose systems are compared. Cassandra's own default, which small clusters leave out: without
     * it a QUORUM read asks any of the far replicas instead of the nearer one, and the comparison would not be fair.
     */
    public static final Map<String, String> FOR_COMPARISONS = Map.of("dynamic_snitch", "true");

    /** Stands for the name of each node in the value of a line for cassandra.yaml. */
    public static final String NODE = "{node}";

    /** More nodes than this on one machine is a slip of the finger, not a wish. */
    static final int MAX_NODES = 24;

    static final int MIN_HEAP_MEGABYTES = 128;

    public ClusterOptions {
        dcs = List.copyOf(dcs);
        delaysMillis = List.copyOf(delaysMillis);
        pluginOptions = new LinkedHashMap<>(pluginOptions);
        cassandraOptions = new LinkedHashMap<>(cassandraOptions);
        jvmOptions = List.copyOf(jvmOptions);
        require(!dcs.isEmpty(), "a cluster needs at least one data centre, for example --dcs eu,us,asia");
        require(new HashSet<>(dcs).size() == dcs.size(), "a data centre is named twice in " + String.join(",", dcs));
        for (String dc : dcs) {
            require(
                    dc.matches("[A-Za-z][A-Za-z0-9_]{0,31}"),
                    "'" + dc + "' is no name for a data centre: use letters, digits and _, a letter first");
        }
        require(nodesPerDc >= 1, "--nodes-per-dc must be at least 1, not " + nodesPerDc);
        require(
                dcs.size() * nodesPerDc <= MAX_NODES,
                dcs.size() * nodesPerDc + " nodes are too many for one machine; the limit is " + MAX_NODES);
        require(jitterMillis >= 0 && jitterMillis <= DelayList.MAX_MILLIS, "jitter must be 0 ms to 60000 ms");
        require(lossFraction >= 0 && lossFraction <= 1, "loss must be 0 % to 100 %");
        require(
                heapMegabytes >= MIN_HEAP_MEGABYTES,
                "a Cassandra node does not start with a heap of " + heapMegabytes + " MB; give it at least "
                        + MIN_HEAP_MEGABYTES);
        DelayList.pairs(dcs, delaysMillis);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** Throws IllegalArgumentException, which lists those there are, where no data centre is called so. */
    public void requireDc(String dc) {
        require(dcs.contains(dc), "no data centre is called " + dc + "; they are " + String.join(", ", dcs));
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Begins with these. */
    public Builder toBuilder() {
        return new Builder()
                .dcs(dcs)
                .nodesPerDc(nodesPerDc)
                .firstAddress(firstAddress)
                .delaysMillis(delaysMillis)
                .jitterMillis(jitterMillis)
                .lossFraction(lossFraction)
                .plugin(plugin)
                .heapMegabytes(heapMegabytes)
                .pluginOptions(pluginOptions)
                .cassandraOptions(cassandraOptions)
                .jvmOptions(jvmOptions);
    }

    /** Collects options; every one has a default. What is given of lines and JVM options is added. Not thread-safe. */
    public static final class Builder {
        private List<String> dcs = List.of("eu", "us", "asia");
        private int nodesPerDc = 1;
        private String firstAddress = "127.0.0.1";
        private List<Double> delaysMillis = List.of(0.0);
        private double jitterMillis;
        private double lossFraction;
        private boolean plugin = true;
        private int heapMegabytes = 256;
        private final Map<String, String> pluginOptions = new LinkedHashMap<>();
        private final Map<String, String> cassandraOptions = new LinkedHashMap<>();
        private final List<String> jvmOptions = new ArrayList<>();

        private Builder() {}

        public Builder dcs(List<String> names) {
            dcs = names;
            return this;
        }

        public Builder nodesPerDc(int count) {
            nodesPerDc = count;
            return this;
        }

        public Builder firstAddress(String address) {
            firstAddress = address;
            return this;
        }

        public Builder delaysMillis(List<Double> delays) {
            delaysMillis = delays;
            return this;
        }

        public Builder jitterMillis(double millis) {
            jitterMillis = millis;
            return this;
        }

        public Builder lossFraction(double fraction) {
            lossFraction = fraction;
            return this;
        }

        public Builder plugin(boolean wanted) {
            plugin = wanted;
            return this;
        }

        public Builder heapMegabytes(int megabytes) {
            heapMegabytes = megabytes;
            return this;
        }

        public Builder pluginOptions(Map<String, String> options) {
            pluginOptions.putAll(options);
            return this;
        }

        public Builder cassandraOptions(Map<String, String> options) {
            cassandraOptions.putAll(options);
            return this;
        }

        public Builder jvmOptions(List<String> options) {
            jvmOptions.addAll(options);
            return this;
        }

        /** Throws IllegalArgumentException where an option makes no sense. */
        public ClusterOptions build() {
            return new ClusterOptions(
                    dcs,
                    nodesPerDc,
                    firstAddress,
                    delaysMillis,
                    jitterMillis,
                    lossFraction,
                    plugin,
                    heapMegabytes,
                    pluginOptions,
                    cassandraOptions,
                    jvmOptions);
        }
    }
}
