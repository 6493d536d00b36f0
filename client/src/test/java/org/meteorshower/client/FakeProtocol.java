/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.request.Batch;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Options;
import com.datastax.oss.protocol.internal.request.Prepare;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import com.datastax.oss.protocol.internal.response.Ready;
import com.datastax.oss.protocol.internal.response.Supported;
import com.datastax.oss.protocol.internal.response.error.Unprepared;
import com.datastax.oss.protocol.internal.response.result.ColumnSpec;
import com.datastax.oss.protocol.internal.response.result.Prepared;
import com.datastax.oss.protocol.internal.response.result.RowsMetadata;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** What the nodes of one fake data centre answer. Thread-safe. */
final class FakeProtocol {

    /** Statements of the client, in order of arrival; the driver's own are left out. */
    final List<Asked> asked = new CopyOnWriteArrayList<>();

    final List<FakeNode> nodes = new CopyOnWriteArrayList<>();

    private final String dataCentre;
    private final Map<String, Set<String>> preparedByNode = new ConcurrentHashMap<>();
    private volatile Function<Asked, Reply> behaviour = statement -> Reply.done();

    FakeProtocol(String dataCentre) {
        this.dataCentre = dataCentre;
    }

    void behave(Function<Asked, Reply> replies) {
        this.behaviour = replies;
    }

    /** As if every node had been restarted. */
    void forgetPrepared() {
        preparedByNode.clear();
    }

    Reply answer(FakeNode node, Frame request) {
        Message message = request.message;
        if (message instanceof Options) {
            return Reply.of(new Supported(Map.of("CQL_VERSION", List.of("3.4.7"), "COMPRESSION", List.of())));
        }
        if (message instanceof Query query) {
            return query.query.contains("system.")
                    ? Reply.of(systemRows(node, query.query))
                    : ask(node, query.query, request, query.options);
        }
        if (message instanceof Prepare prepare) {
            preparedOn(node).add(prepare.cqlQuery);
            return Reply.of(prepared(prepare.cqlQuery));
        }
        if (message instanceof Execute execute) {
            // The id of a prepared statement is its text, which reads well in a debugger.
            String query = new String(execute.queryId, StandardCharsets.UTF_8);
            return preparedOn(node).contains(query)
                    ? ask(node, query, request, execute.options)
                    : Reply.of(new Unprepared("unprepared", execute.queryId));
        }
        if (message instanceof Batch batch) {
            for (Object child : batch.queriesOrIds) {
                if (child instanceof byte[] id && !preparedOn(node).contains(new String(id, StandardCharsets.UTF_8))) {
                    return Reply.of(new Unprepared("unprepared", id));
                }
            }
            return ask(new Asked(node.name, "BATCH", request.customPayload, batch.consistency, null));
        }
        return Reply.of(new Ready());
    }

    private Reply ask(FakeNode node, String query, Frame request, QueryOptions options) {
        return ask(new Asked(node.name, query, request.customPayload, options.consistency, options.pagingState));
    }

    private Reply ask(Asked statement) {
        asked.add(statement);
        return behaviour.apply(statement);
    }

    private Set<String> preparedOn(FakeNode node) {
        return preparedByNode.computeIfAbsent(node.name, name -> ConcurrentHashMap.newKeySet());
    }

    private static Message prepared(String query) {
        List<ColumnSpec> variables = new ArrayList<>();
        for (int i = 0; i < query.chars().filter(c -> c == '?').count(); i++) {
            variables.add(Rows.column("p" + i, i, ""));
        }
        List<ColumnSpec> results = query.startsWith("SELECT") ? List.of(Rows.column("v", 0, "")) : List.of();
        return new Prepared(
                query.getBytes(StandardCharsets.UTF_8),
                null,
                new RowsMetadata(variables, null, new int[] {}, null),
                new RowsMetadata(results, null, new int[] {}, null));
    }

    private Message systemRows(FakeNode node, String query) {
        if (query.contains("cluster_name")) {
            return Rows.ofMaps(List.of(Map.of("cluster_name", "fake")));
        }
        if (query.contains("system.local")) {
            Map<String, Object> local = common(node);
            local.put("cluster_name", "fake");
            local.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
            return Rows.ofMaps(List.of(local));
        }
        List<Map<String, Object>> peers = new ArrayList<>();
        for (FakeNode other : nodes) {
            if (other != node) {
                Map<String, Object> peer = common(other);
                peer.put("peer", other.address().getAddress());
                peer.put("peer_port", other.address().getPort());
                peer.put("native_address", other.address().getAddress());
                peer.put("native_port", other.address().getPort());
                peers.add(peer);
            }
        }
        return Rows.ofMaps(peers);
    }

    private Map<String, Object> common(FakeNode node) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("host_id", node.hostId);
        row.put("data_center", dataCentre);
        row.put("rack", "r1");
        row.put("release_version", "5.0.9");
        row.put("schema_version", new UUID(1, 1));
        row.put("tokens", Set.of(String.valueOf(node.hostId.getMostSignificantBits())));
        return row;
    }
}
