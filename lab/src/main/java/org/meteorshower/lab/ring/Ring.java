/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ring;

import com.datastax.oss.driver.api.core.DriverException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.NodeStatus;
import org.meteorshower.lab.cluster.NodeTool;
import org.meteorshower.lab.cluster.Progress;
import org.meteorshower.lab.cluster.Waiting;

/**
 * Changes a running cluster's ring as an operator does, one change at a time. All methods throw
 * {@link ClusterException} with cause and cure. For one thread.
 */
public final class Ring {
    private static final Duration NOTICED = Duration.ofSeconds(60);
    private static final Duration AGREEMENT = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final LocalCluster cluster;
    private final Duration limit;
    private final Progress progress;

    /**
     * Of a cluster that runs.
     *
     * @param limit how long a node may take to join, and a repair to end
     */
    public Ring(LocalCluster cluster, Duration limit, Progress progress) {
        this.cluster = cluster;
        this.limit = limit;
        this.progress = progress;
    }

    /** One more node in this data centre; returns when it has taken its partitions over and serves. */
    public NodeSpec add(String dc) {
        NodeSpec node = cluster.newNode(dc);
        rules().requireOthersUp("");
        progress.say(node.name() + " joins at " + node.address() + ", token " + node.token());
        cluster.add(node, List.of(), limit, progress);
        return node;
    }

    /**
     * Takes a node away for good: one that is up is decommissioned, of a dead one the others take over what they can.
     *
     * @return what was done, as nodetool calls it
     */
    public String remove(String name) {
        NodeStatus node = status(name);
        RingRules rules = rules();
        rules.requireCanGo(node.spec());
        rules.requireOthersUp(name);
        return switch (node.state()) {
            case UP -> {
                decommission(name);
                yield "decommission";
            }
            case DOWN -> {
                removeDead(node.spec());
                yield "removenode";
            }
            case PAUSED ->
                throw new ClusterException(name + " is paused: ./meteor cluster resume " + name + " to have it leave in"
                        + " good order, or ./meteor cluster kill " + name + " to have it removed as dead");
            case SILENT ->
                throw new ClusterException(name + " runs and does not answer CQL: wait until it does, or ./meteor"
                        + " cluster kill " + name + " to have it removed as dead");
        };
    }

    private void decommission(String name) {
        progress.say(name + " leaves: decommission");
        try (NodeTool tool = NodeTool.of(cluster, name)) {
            cluster.following(name, progress, tool::decommission);
        }
        cluster.forget(name);
    }

    private void removeDead(NodeSpec dead) {
        awaitBelievedDead(dead);
        String by = anyUp();
        try (NodeTool tool = NodeTool.of(cluster, by)) {
            String id = tool.hostIds().get(dead.address());
            if (id == null) {
                throw new ClusterException(by + " does not know " + dead.address() + " as a node of the ring");
            }
            progress.say(dead.name() + " is removed: removenode " + id + " at " + by);
            cluster.following(by, progress, () -> tool.removeNode(id));
        }
        cluster.forget(dead.name());
    }

    /** One that was killed a moment ago is alive for the others: they would neither remove nor replace it. */
    private void awaitBelievedDead(NodeSpec dead) {
        for (NodeSpec other : cluster.nodes()) {
            if (other.equals(dead)) {
                continue;
            }
            try (NodeTool tool = NodeTool.of(cluster, other.name())) {
                Waiting.untilClear(
                        NOTICED,
                        PAUSE,
                        () -> tool.unreachable().contains(dead.address())
                                ? ""
                                : other.name() + " still believes that " + dead.name() + " is alive");
            }
        }
    }

    /**
     * Puts a new node with an empty disk in the place of one, under an address of its own, and with its tokens.
     *
     * @param kill whether to kill the old one where it runs
     */
    public NodeSpec replace(String name, boolean kill) {
        NodeStatus node = status(name);
        rules().requireOthersUp(name);
        if (cluster.nodes().size() == 1) {
            throw new ClusterException(name + " is the only node: nobody could tell another one what it holds");
        }
        if (node.state() != NodeStatus.State.DOWN) {
            if (!kill) {
                throw new ClusterException(name + " is " + node.state().name().toLowerCase(Locale.ROOT)
                        + ", and dead ones are replaced: --kill kills it first. To take it away in good order:"
                        + " ./meteor cluster add " + node.spec().dc() + ", then remove " + name);
            }
            cluster.kill(name);
            progress.say(name + " killed");
        }
        awaitBelievedDead(node.spec());
        NodeSpec fresh = cluster.replacementOf(name);
        progress.say(fresh.name() + " takes the place of " + name + ", at " + fresh.address()
                + " (replace_address_first_boot=" + node.spec().address() + ")");
        cluster.replace(name, fresh, limit, progress);
        return fresh;
    }

    /** What came of an alteration: the keyspaces that have more replicas now, and those that have fewer. */
    public record Altered(List<String> more, List<String> fewer) {}

    /**
     * Gives a data centre so many replicas.
     *
     * @param named the keyspaces; none: those with enabled tables
     */
    public Altered replicas(String dc, int count, List<String> named) {
        cluster.options().requireDc(dc);
        RingRules rules = rules();
        rules.requireCanHold(dc, count);
        rules.requireOthersUp("");
        Set<String> enabled = enabledTables();
        List<String> more = new ArrayList<>();
        List<String> fewer = new ArrayList<>();
        try (NodeCql cql = new NodeCql(cluster.node(anyUp()))) {
            for (Replication keyspace : rules.chosen(named, enabled)) {
                if (keyspace.in(dc) == count) {
                    progress.say(keyspace.keyspace() + ": " + dc + " has " + count + " already");
                    continue;
                }
                (keyspace.in(dc) < count ? more : fewer).add(keyspace.keyspace());
                progress.say(keyspace.altered(dc, count));
                cql.execute(keyspace.altered(dc, count));
            }
            awaitAgreement(cql);
        } catch (DriverException e) {
            throw new ClusterException("the keyspace was not altered: " + NodeCql.why(e), e);
        }
        return new Altered(more, fewer);
    }

    private Set<String> enabledTables() {
        if (!cluster.options().plugin()) {
            return Set.of();
        }
        try (TableStates states = new TableStates(cluster)) {
            return states.tables();
        }
    }

    /** What Cassandra asks an operator to do then, as one would type it, at each of the data centre's nodes. */
    public static List<String> demands(String dc, Altered altered) {
        List<String> demands = new ArrayList<>();
        altered.more()
                .forEach(keyspace -> demands.add("nodetool repair --full " + keyspace + "   at each node of " + dc));
        altered.fewer().forEach(keyspace -> demands.add("nodetool cleanup " + keyspace + "   at each node of " + dc));
        return demands;
    }

    /** Does what Cassandra asks for. */
    public void follow(String dc, Altered altered) {
        for (String node : cluster.nodesOf(dc)) {
            try (NodeTool tool = NodeTool.of(cluster, node)) {
                for (String keyspace : altered.more()) {
                    progress.say(node + ": nodetool repair --full " + keyspace);
                    tool.repair(keyspace, List.of(), limit);
                }
                for (String keyspace : altered.fewer()) {
                    progress.say(node + ": nodetool cleanup " + keyspace);
                    tool.cleanup(keyspace);
                }
            }
        }
    }

    private static void awaitAgreement(NodeCql cql) {
        Waiting.untilClear(
                AGREEMENT, PAUSE, () -> cql.schemaVersions().size() == 1 ? "" : "the nodes do not agree on the schema");
    }

    private NodeStatus status(String name) {
        NodeSpec spec = cluster.node(name); // lists the names there are
        return cluster.status().stream()
                .filter(each -> each.spec().equals(spec))
                .findFirst()
                .orElseThrow(() -> new ClusterException(name + " is not there any more"));
    }

    /** With what keyspaces want, as a node that is up has it. */
    private RingRules rules() {
        List<NodeStatus> nodes = cluster.status();
        try (NodeCql cql = new NodeCql(cluster.node(anyUp(nodes)))) {
            return new RingRules(nodes, cql.replications());
        } catch (DriverException e) {
            throw new ClusterException("the keyspaces cannot be read: " + NodeCql.why(e), e);
        }
    }

    private String anyUp() {
        return anyUp(cluster.status());
    }

    private static String anyUp(List<NodeStatus> nodes) {
        return nodes.stream()
                .filter(node -> node.state() == NodeStatus.State.UP)
                .map(node -> node.spec().name())
                .findFirst()
                .orElseThrow(() -> new ClusterException(
                        "no node of the cluster is up: go on with it by ./meteor cluster start and the options that it"
                                + " had, or start one by ./meteor cluster restart NODE"));
    }
}
