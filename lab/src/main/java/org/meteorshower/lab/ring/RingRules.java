/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ring;

import java.util.List;
import java.util.Set;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.NodeStatus;

/**
 * What is not done to a ring, and why. Immutable: of one moment. Every method throws {@link ClusterException} that
 * names the cause and the cure.
 */
final class RingRules {
    /** Of Cassandra's own: what these hold matters to no test, and their defaults fit no small cluster. */
    private static final Set<String> OF_CASSANDRA =
            Set.of("system_auth", "system_distributed", "system_traces", "system", "system_schema");

    private final List<NodeStatus> nodes;
    private final List<Replication> keyspaces;

    RingRules(List<NodeStatus> nodes, List<Replication> keyspaces) {
        this.nodes = List.copyOf(nodes);
        this.keyspaces = keyspaces.stream()
                .filter(each -> !OF_CASSANDRA.contains(each.keyspace()))
                .toList();
    }

    /** The ring changes while all others are up: as Cassandra asks, and enabled tables need every replica for it. */
    void requireOthersUp(String name) {
        for (NodeStatus node : nodes) {
            if (!node.spec().name().equals(name) && node.state() != NodeStatus.State.UP) {
                String other = node.spec().name();
                throw new ClusterException(
                        switch (node.state()) {
                            case PAUSED ->
                                other + " is paused, and a ring changes while all are up: ./meteor cluster resume "
                                        + other;
                            case SILENT ->
                                other + " runs and does not answer CQL (yet), and a ring changes while all are up;"
                                        + " see ./meteor cluster logs " + other;
                            default ->
                                other + " is down, and a ring changes while all are up: ./meteor cluster restart "
                                        + other + ", or remove or replace it first";
                        });
            }
        }
    }

    /** May this one go for good? */
    void requireCanGo(NodeSpec node) {
        long left = nodes.stream()
                        .filter(each -> each.spec().dc().equals(node.dc()))
                        .count()
                - 1;
        if (left == 0) {
            throw new ClusterException(node.name() + " is the last node of " + node.dc()
                    + ": add another one first (./meteor cluster add " + node.dc()
                    + "), or replace it (./meteor cluster"
                    + " replace " + node.name() + ")");
        }
        for (Replication keyspace : keyspaces) {
            int wanted = keyspace.in(node.dc());
            if (wanted > left) {
                throw new ClusterException("keyspace " + keyspace.keyspace() + " has " + wanted + " replicas in "
                        + node.dc() + ", and without " + node.name() + " only " + nodes(left)
                        + " would be there: lower the replication first (./meteor cluster rf " + node.dc() + " " + left
                        + "), or add a node");
            }
            if (keyspace.anywhere() > nodes.size() - 1) {
                throw new ClusterException("keyspace " + keyspace.keyspace() + " has " + keyspace.anywhere()
                        + " replicas, and without " + node.name() + " only " + nodes(nodes.size() - 1L)
                        + " would be there: alter the keyspace first, or add a node");
            }
        }
    }

    private static String nodes(long count) {
        return count == 1 ? "1 node" : count + " nodes";
    }

    /** May this data centre be given so many replicas? */
    void requireCanHold(String dc, int replicas) {
        long there = nodes.stream().filter(each -> each.spec().dc().equals(dc)).count();
        if (replicas < 1) {
            throw new IllegalArgumentException("the replicas in " + dc + " must be at least 1, not " + replicas);
        }
        if (replicas > there) {
            throw new ClusterException(dc + " has " + nodes(there) + ", which cannot hold " + replicas
                    + " replicas: ./meteor cluster add " + dc + " first");
        }
    }

    /** The keyspaces to alter: those named, or else those with enabled tables. */
    List<Replication> chosen(List<String> named, Set<String> enabledTables) {
        for (String name : named) {
            Replication found = keyspaces.stream()
                    .filter(each -> each.keyspace().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new ClusterException("no keyspace is called " + name + "; there are "
                            + String.join(
                                    ", ",
                                    keyspaces.stream()
                                            .map(Replication::keyspace)
                                            .toList())));
            if (!found.isByDataCentre()) {
                throw new ClusterException("keyspace " + name + " does not go by data centres (" + found.strategy()
                        + "): alter it in cqlsh");
            }
        }
        List<Replication> chosen = keyspaces.stream()
                .filter(each -> named.isEmpty()
                        ? each.isByDataCentre()
                                && enabledTables.stream().anyMatch(table -> table.startsWith(each.keyspace() + "."))
                        : named.contains(each.keyspace()))
                .toList();
        if (chosen.isEmpty()) {
            throw new ClusterException("no keyspace has an enabled table: name the one to alter with --keyspace");
        }
        return chosen;
    }
}
