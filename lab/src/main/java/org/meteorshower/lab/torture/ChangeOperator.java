/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.DriverException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.Waiting;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.ring.NodeCql;
import org.meteorshower.lab.ring.Ring;
import org.meteorshower.lab.ring.TableStates;

/**
 * Of a run whose faults were named: an operator who also changes the ring and the replication, and enables tables that
 * hold data. After each change he waits until every node serves every enabled table, and helps by hand only where that
 * does not come about by itself. What he does is noted.
 */
final class ChangeOperator implements Operator, AutoCloseable {
    private static final Duration CHANGE_LIMIT = Duration.ofMinutes(4);

    /** By itself it takes seconds and the time of a repair: three minutes are ample for a few rows. */
    private static final Duration BY_ITSELF = Duration.ofMinutes(3);

    private static final Duration AFTER_HELP = Duration.ofMinutes(2);
    private static final Duration BETWEEN = Duration.ofSeconds(3);
    private static final Duration CONNECTED = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final LocalCluster cluster;
    private final DataCentres dataCentres;
    private final StockClients clients;
    private final LiveTables live;
    private final OperatorNotes notes;
    private final Consumer<String> say;
    private final Ring ring;
    private final TableStates states;
    private final FaultSteps steps;
    private final TableOperator tables;
    private String prepared = "";

    /** @param say told of each step */
    ChangeOperator(
            Torture.Scene scene, StockClients clients, LiveTables live, OperatorNotes notes, Consumer<String> say) {
        this.cluster = scene.cluster();
        this.dataCentres = scene.dataCentres();
        this.clients = clients;
        this.live = live;
        this.notes = notes;
        this.say = say;
        ring = new Ring(cluster, CHANGE_LIMIT, line -> {});
        states = new TableStates(cluster);
        steps = new FaultSteps(counts());
        tables = new TableOperator(dataCentres);
    }

    private Map<String, Integer> counts() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        cluster.options().dcs().forEach(dc -> counts.put(dc, cluster.nodesOf(dc).size()));
        return counts;
    }

    @Override
    public List<Fault> steps(Fault fault) {
        return steps.of(fault, counts());
    }

    @Override
    public void prepare(Fault fault) {
        if (fault.kind() == FaultKind.ENABLE) {
            prepared = live.next();
        }
    }

    @Override
    public void change(Fault fault) {
        String dc = fault.dc();
        switch (fault.kind()) {
            case JOIN -> ring.add(dc);
            // The one that was there first: it is what drivers were told of.
            case DECOMMISSION -> ring.remove(cluster.nodesOf(dc).get(0));
            case RF -> {
                replicas(dc, 2);
                awaitServed();
                Waiting.pause(BETWEEN);
                replicas(dc, 1);
            }
            case ENABLE -> tables.switchOn(dc, prepared);
            default -> throw new IllegalArgumentException(fault.kind() + " is no change");
        }
        awaitServed();
    }

    private void replicas(String dc, int count) {
        Ring.Altered altered = ring.replicas(dc, count, List.of(RowsTable.KEYSPACE));
        say.accept("replicas in " + dc + ": " + count);
        Ring.demands(dc, altered).forEach(demand -> notes.add(OperatorNotes.Kind.DEMANDED, demand));
        ring.follow(dc, altered);
    }

    @Override
    public void replaced(NodeSpec node) {
        reconnect(dataCentres, node);
        reconnect(clients.dataCentres(), node);
        awaitServed();
    }

    /** A driver that knew the data centre's only node finds no other one by itself, with the plugin or without. */
    private void reconnect(DataCentres connections, NodeSpec node) {
        if (cluster.nodesOf(node.dc()).size() > 1) {
            return;
        }
        Waiting.untilClear(CONNECTED, PAUSE, () -> {
            try {
                connections.reconnect(node);
                return "";
            } catch (DriverException e) {
                return "no connection to " + node.name() + ": " + e.getMessage();
            }
        });
    }

    @Override
    public void disable(String dc) {
        tables.disable(dc);
    }

    @Override
    public void enable(String dc) {
        tables.switchOn(dc, RowsTable.NAME);
        awaitServed();
    }

    @Override
    public void awaitFilled() {
        noteLeftBehind();
        awaitServed();
    }

    private void noteLeftBehind() {
        for (NodeSpec node : cluster.nodes()) {
            try (NodeCql cql = new NodeCql(node)) {
                if (!cql.leftBehind().isEmpty()) {
                    notes.add(OperatorNotes.Kind.SEEN, node.name() + " had left behind who was away");
                }
            } catch (DriverException e) {
                say.accept(node.name() + " does not say whom it left behind: " + e.getMessage());
            }
        }
    }

    /** By itself, or else by hand; a table that is not served even then shows at the end of the run. */
    private void awaitServed() {
        List<String> not = states.awaitServed(BY_ITSELF, line -> {});
        if (not.isEmpty()) {
            return;
        }
        not.forEach(say);
        try {
            for (String table : states.tables()) {
                if (not.stream().anyMatch(line -> line.startsWith(table + " "))) {
                    new ByHand(cluster, notes, say).help(table.substring(table.indexOf('.') + 1));
                }
            }
        } catch (ClusterException e) {
            say.accept("help by hand failed: " + e.getMessage());
        }
        states.awaitServed(AFTER_HELP, line -> {}).forEach(say);
    }

    @Override
    public void close() {
        states.close();
    }
}
