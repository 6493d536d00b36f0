/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import java.time.Duration;
import java.util.List;
import org.meteorshower.lab.cluster.NodeTool;

/** What tests do by a node's management interface, as nodetool would. */
final class Jmx implements AutoCloseable {
    private static final Duration REPAIR_LIMIT = Duration.ofMinutes(3);

    private final NodeTool node;

    private Jmx(NodeTool node) {
        this.node = node;
    }

    static Jmx of(TestCluster cluster, String node) {
        return new Jmx(NodeTool.of(cluster.nodes(), node));
    }

    /** {@code nodetool repair -full}: waits until it has ended, and fails where it did. */
    void repair(String keyspace, String table) {
        node.repair(keyspace, List.of(table), REPAIR_LIMIT);
    }

    /** {@code nodetool decommission}: waits until the node has left the ring. */
    void decommission() {
        node.decommission();
    }

    @Override
    public void close() {
        node.close();
    }
}
