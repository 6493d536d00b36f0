/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.Waiting;
import org.meteorshower.lab.load.DataCentres;

/** Which node of a data centre runs its transactions. For one thread. */
public final class RunningNode {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final DataCentres dataCentres;
    private final LocalCluster cluster;

    public RunningNode(DataCentres dataCentres, LocalCluster cluster) {
        this.dataCentres = dataCentres;
        this.cluster = cluster;
    }

    /**
     * Its name, as soon as one is known. Throws {@link org.meteorshower.lab.cluster.ClusterException} where none is for
     * a minute.
     */
    public String of(String dc) {
        return Waiting.untilThere(
                LIMIT, PAUSE, () -> look(dc), () -> "no node of " + dc + " runs its transactions: that is a bug");
    }

    private @Nullable String look(String dc) {
        CqlSession session = dataCentres.session(dc);
        try {
            Row row = session.execute(
                            "SELECT representative FROM meteorshower.transactions WHERE data_centre = '" + dc + "'")
                    .one();
            UUID id = row == null ? null : row.getUuid(0);
            Node node = id == null ? null : session.getMetadata().getNodes().get(id);
            return node == null ? null : nameOf(node);
        } catch (DriverException e) {
            return null; // the connection is not back yet
        }
    }

    private @Nullable String nameOf(Node node) {
        return node.getEndPoint().resolve() instanceof InetSocketAddress socket
                ? cluster.nodes().stream()
                        .filter(each ->
                                each.address().equals(socket.getAddress().getHostAddress()))
                        .map(NodeSpec::name)
                        .findFirst()
                        .orElse(null)
                : null;
    }
}
