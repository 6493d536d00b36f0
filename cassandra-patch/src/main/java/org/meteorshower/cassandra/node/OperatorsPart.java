/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.tables.HealthFile;
import org.meteorshower.cassandra.views.Show;
import org.meteorshower.cassandra.views.TablesTable;

/** What operators see and set: the virtual tables, the metrics, the health file. Thread-safe. */
final class OperatorsPart implements AutoCloseable {
    private final Foundation ground;
    private final @Nullable HealthFile health;
    private final OpenParts open = new OpenParts();

    /** From now on there are the tables, and the node is measured. */
    OperatorsPart(
            Foundation ground,
            ProtocolPart protocol,
            TablesPart tables,
            SequentialPart sequential,
            TransactionsPart transactions) {
        this.ground = ground;
        TableCondition condition = TableCondition.of(ground, protocol, tables);
        TablesTable tablesTable = new TablesTable(tables.enabled, tables.tableSwitch, condition, transactions.letsIn);
        health = HealthFile.ifWanted(tablesTable::notServed);
        NodeLook node = new NodeLook(
                ground.self,
                ground.contents.incarnation(),
                protocol.meteorShower,
                ground.files,
                tables.enabled,
                sequential.forwarded::queued);
        PeerLook peers = new PeerLook(protocol.meteorShower, protocol.transport);
        List<VirtualTable> all = new ArrayList<>(OwnViews.of(ground, protocol, sequential, peers));
        all.add(tablesTable);
        all.addAll(ground.metrics.views(node));
        all.addAll(transactions.views());
        VirtualKeyspaceRegistry.instance.register(new VirtualKeyspace(Show.KEYSPACE, all));
        NodeSampler sampler = open.add(new NodeSampler(
                ground.metrics.set(),
                ground.metrics.tables(),
                node,
                peers,
                tables.enabled,
                condition,
                protocol.transport.counters(),
                sequential.ways,
                sequential.check,
                ground.memory,
                transactions::statuses));
        sampler.start();
    }

    /**
     * From now on Prometheus is served, where it is configured.
     *
     * @throws org.apache.cassandra.exceptions.ConfigurationException if the address or port cannot be had
     */
    void serveMetrics() {
        open.add(ground.metrics.serve(ground.config.metrics()));
    }

    /** To be called every second or so. Never throws. */
    void writeHealth() {
        if (health != null) {
            health.write();
        }
    }

    @Override
    public void close() {
        open.close();
    }
}
