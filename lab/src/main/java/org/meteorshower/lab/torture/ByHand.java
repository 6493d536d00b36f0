/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.DriverException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.NodeTool;
import org.meteorshower.lab.ring.NodeCql;

/**
 * What the runbook (docs/OPERATE.md, docs/INSTALL.md) has an operator do for a table that stays unserved, where it
 * should have come back by itself. Each statement and each command is noted. For one thread.
 */
final class ByHand {
    private static final Duration REPAIR_LIMIT = Duration.ofMinutes(3);

    private final LocalCluster cluster;
    private final OperatorNotes notes;
    private final Consumer<String> say;

    ByHand(LocalCluster cluster, OperatorNotes notes, Consumer<String> say) {
        this.cluster = cluster;
        this.notes = notes;
        this.say = say;
    }

    /** Brings back by hand whoever was left behind; where nobody was, repairs the table and says so at every node. */
    void help(String table) {
        Map<NodeSpec, List<UUID>> leftBehind = new LinkedHashMap<>();
        for (NodeSpec node : cluster.nodes()) {
            List<UUID> peers = at(node, NodeCql::leftBehind, List.of());
            if (!peers.isEmpty()) {
                leftBehind.put(node, peers);
            }
        }
        if (leftBehind.isEmpty()) {
            cluster.nodes().forEach(node -> repair(node, table));
            cluster.nodes()
                    .forEach(node -> execute(
                            node,
                            "UPDATE meteorshower.tables SET baseline = 'confirmed' WHERE keyspace_name = '"
                                    + RowsTable.KEYSPACE + "' AND table_name = '" + table + "'"));
            return;
        }
        markAll(leftBehind, "repairing");
        cluster.nodes().forEach(node -> repair(node, table));
        markAll(leftBehind, "repaired");
    }

    private void markAll(Map<NodeSpec, List<UUID>> leftBehind, String state) {
        leftBehind.forEach((node, peers) -> peers.forEach(peer ->
                execute(node, "UPDATE meteorshower.left_behind SET state = '" + state + "' WHERE host_id = " + peer)));
    }

    private void repair(NodeSpec node, String table) {
        note(node, "nodetool repair --full " + RowsTable.KEYSPACE + " " + table);
        try (NodeTool tool = NodeTool.of(cluster, node.name())) {
            tool.repair(RowsTable.KEYSPACE, List.of(table), REPAIR_LIMIT);
        } catch (ClusterException e) {
            say.accept("that failed: " + e.getMessage());
        }
    }

    private void execute(NodeSpec node, String statement) {
        note(node, statement);
        at(
                node,
                cql -> {
                    cql.execute(statement);
                    return true;
                },
                false);
    }

    private void note(NodeSpec node, String what) {
        notes.add(OperatorNotes.Kind.BY_HAND, node.name() + ": " + what);
        say.accept("by hand, at " + node.name() + ": " + what);
    }

    private interface Question<T> {
        T ask(NodeCql cql);
    }

    private <T> T at(NodeSpec node, Question<T> question, T otherwise) {
        try (NodeCql cql = new NodeCql(node)) {
            return question.ask(cql);
        } catch (DriverException e) {
            say.accept("at " + node.name() + " that failed: " + e.getMessage());
            return otherwise;
        }
    }
}
