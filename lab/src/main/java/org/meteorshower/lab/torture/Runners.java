/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.load.DataCentres;

/** Which node of a data centre runs its transactions. For one thread. */
final class Runners {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long PAUSE_MILLIS = 200;

    private final DataCentres dataCentres;
    private final LocalCluster cluster;

    Runners(DataCentres dataCentres, LocalCluster cluster) {
        this.dataCentres = dataCentres;
        this.cluster = cluster;
    }

    /** The node's name, as soon as one is known. Throws {@link ClusterException} where none is for a minute. */
    String of(String dc) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            String found = look(dc);
            if (found != null) {
                return found;
            } else if (System.nanoTime() - deadline >= 0) {
                throw new ClusterException(
                        "for " + LIMIT.toSeconds() + " s no node of " + dc + " runs its transactions: that is a bug");
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ClusterException("interrupted", e);
            }
        }
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
