/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.load.DataCentres;

/** Asks every node what it has sent to its peers so far. For one thread. */
final class TrafficMeter {
    /** A node that is slower than this has other troubles. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final DataCentres dataCentres;
    private final boolean plugin;

    /** @param plugin whether the nodes have it; without it there is nothing to ask */
    TrafficMeter(DataCentres dataCentres, boolean plugin) {
        this.dataCentres = dataCentres;
        this.plugin = plugin;
    }

    /** Not of one node alone. */
    record Link(UUID from, UUID to) {}

    record Sent(long messages, long bytes) {}

    /** What the nodes had sent at one time. Immutable by agreement. */
    record Reading(long nanos, int nodes, Map<Link, Sent> sent, long threadMicros) {}

    /** Null where a node does not tell. */
    @Nullable
    Reading read() {
        if (!plugin) {
            return null;
        }
        try {
            Map<Link, Sent> sent = new HashMap<>();
            long threadMicros = 0;
            int nodes = 0;
            for (String dc : dataCentres.names()) {
                CqlSession session = dataCentres.session(dc);
                for (Node node : nodesOf(session, dc)) {
                    UUID self = Objects.requireNonNull(node.getHostId());
                    nodes++;
                    for (Row row : ask(session, node, "SELECT host_id, messages, bytes FROM meteorshower.traffic")) {
                        sent.put(new Link(self, row.getUuid(0)), new Sent(row.getLong(1), row.getLong(2)));
                    }
                    for (Row row : ask(session, node, "SELECT cpu_micros FROM meteorshower.threads")) {
                        threadMicros += row.getLong(0);
                    }
                }
            }
            return new Reading(System.nanoTime(), nodes, sent, threadMicros);
        } catch (DriverException e) {
            return null;
        }
    }

    private static List<Node> nodesOf(CqlSession session, String dc) {
        List<Node> nodes = new ArrayList<>();
        session.getMetadata().getNodes().forEach((id, node) -> {
            if (dc.equals(node.getDatacenter())) {
                nodes.add(node);
            }
        });
        return nodes;
    }

    private static ResultSet ask(CqlSession session, Node node, String query) {
        return session.execute(SimpleStatement.newInstance(query).setNode(node).setTimeout(PATIENCE));
    }

    /** What was sent between; null where one of them is missing, or nodes came or went. */
    static @Nullable Traffic between(@Nullable Reading before, @Nullable Reading after) {
        if (before == null || after == null || before.nodes != after.nodes || after.nanos <= before.nanos) {
            return null;
        }
        long links = 0;
        long messages = 0;
        long bytes = 0;
        for (Map.Entry<Link, Sent> entry : after.sent.entrySet()) {
            Sent was = before.sent.getOrDefault(entry.getKey(), new Sent(0, 0));
            Sent is = entry.getValue();
            links += is.messages > was.messages ? 1 : 0;
            messages += is.messages - was.messages;
            bytes += is.bytes - was.bytes;
        }
        return new Traffic(
                (after.nanos - before.nanos) / 1e9,
                after.nodes,
                links,
                messages,
                bytes,
                Math.max(0, after.threadMicros - before.threadMicros));
    }
}
