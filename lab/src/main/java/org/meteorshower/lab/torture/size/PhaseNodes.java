/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.sun.tools.attach.AttachNotSupportedException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.WanLinks;
import org.meteorshower.lab.load.DataCentres;

/** What a phase does to its nodes, of which each data centre has one. For one thread. */
final class PhaseNodes {
    private static final Duration RESTART_LIMIT = Duration.ofMinutes(3);

    private final LocalCluster cluster;
    private final DataCentres observers;
    private final NodeWatch watch;
    private final Consumer<String> say;
    private final WanLinks links;
    private boolean struck;

    PhaseNodes(LocalCluster cluster, DataCentres observers, NodeWatch watch, Consumer<String> say) {
        this.cluster = cluster;
        this.observers = observers;
        this.watch = watch;
        this.say = say;
        links = new WanLinks(cluster);
    }

    NodeSpec of(String dc) {
        return cluster.nodes().stream()
                .filter(node -> node.dc().equals(dc))
                .findFirst()
                .orElseThrow();
    }

    String nameOf(String dc) {
        return of(dc).name();
    }

    WanLinks links() {
        return links;
    }

    /** Whether the node of this data centre serves by itself, for its clients and its peers. */
    boolean serves(String dc) {
        return cluster.isRunning(nameOf(dc))
                && new TableProbe(observers.session(dc))
                        .obstacle(Long.MAX_VALUE)
                        .isEmpty();
    }

    void kill(String dc) {
        faultBegins();
        watch.strike(nameOf(dc));
        cluster.killIfRunning(nameOf(dc)); // it may have ended by itself
        say.accept("kill -9 of " + nameOf(dc));
    }

    /** Returns when the node is up. */
    void restart(String dc) {
        restarted(dc, "", () -> cluster.restart(nameOf(dc), RESTART_LIMIT, line -> {}));
    }

    /** The same, with other options of Cassandra's until the next time. */
    void restartWith(String dc, Map<String, String> cassandraOptions) {
        watch.strike(nameOf(dc));
        restarted(
                dc,
                ", with " + cassandraOptions,
                () -> cluster.restartWith(nameOf(dc), cassandraOptions, RESTART_LIMIT, line -> {}));
    }

    /** Whether it comes up or not: from here on its end is its own. */
    private void restarted(String dc, String how, Runnable start) {
        try {
            start.run();
            say.accept(nameOf(dc) + " is up again" + how);
        } catch (ClusterException e) {
            say.accept(nameOf(dc) + " does not come back: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        } finally {
            watch.unstrike(nameOf(dc));
        }
    }

    /** Of a node that was killed: what its transactions had on disk, and its commit log, are lost. */
    void emptyTransactions(String dc) {
        String table = SizeTables.BULK.substring(SizeTables.BULK.indexOf('.') + 1);
        int number = observers.names().indexOf(dc);
        cluster.loseTables(nameOf(dc), SizeTables.KEYSPACE, table + "-");
        cluster.loseTables(nameOf(dc), "meteorshower_transactions_" + number, "");
        say.accept("what the transactions of " + nameOf(dc) + " had on disk is deleted");
    }

    void fillDisk(String dc) {
        faultBegins();
        if (cluster.isRunning(nameOf(dc))) {
            cluster.fillDisk(nameOf(dc));
        }
        say.accept("the disk of " + nameOf(dc) + " is full");
    }

    void freeDisk(String dc) {
        if (cluster.isRunning(nameOf(dc))) {
            cluster.freeDisk(nameOf(dc));
        }
        say.accept("the disk of " + nameOf(dc) + " has room again");
    }

    /** Lanes may have other leaders until this phase is settled. */
    private void faultBegins() {
        watch.faultBegins();
        struck = true;
    }

    /** Whether anything was done to any of them. */
    boolean isStruck() {
        return struck;
    }

    /**
     * A full collection at every node that runs; returns the share of its heap that old objects have after it, by node.
     */
    Map<String, Double> collect() {
        Map<String, Double> shares = new TreeMap<>();
        for (NodeSpec node : cluster.nodes()) {
            if (!cluster.isRunning(node.name())) {
                continue;
            }
            try (HeapProbe probe = new HeapProbe(cluster.pid(node.name()))) {
                probe.collect();
                shares.put(node.name(), probe.look().shareAfterCollection());
            } catch (IOException | AttachNotSupportedException | ClusterException e) {
                say.accept("the heap of " + node.name() + " is not known: " + e.getMessage());
            }
        }
        return shares;
    }
}
