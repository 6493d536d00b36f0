/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.MD5Digest;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.request.ClientRequest;

/**
 * Cassandra's query handler with MeteorShower in front: makes one value of each request, and hands it to the
 * {@link FrontDoor}. Made by Cassandra, before the node is up; thread-safe.
 */
public final class MeteorShowerQueryHandler implements QueryHandler {
    private static final KnownStatements known = new KnownStatements();

    private static volatile @Nullable FrontDoor open;

    private final FrontDoor closed = FrontDoor.closed(QueryProcessor.instance, known);

    /** @param door what to serve with; null when the node goes down */
    public static void serveWith(@Nullable FrontDoor door) {
        open = door;
    }

    /** Of the one handler that a node has, whether it serves or not. */
    public static KnownStatements known() {
        return known;
    }

    private FrontDoor door() {
        FrontDoor up = open;
        return up == null ? closed : up;
    }

    @Override
    public CQLStatement parse(String query, QueryState state, QueryOptions options) {
        return door().texts().parse(query, state, options);
    }

    @Override
    public ResultMessage.Prepared prepare(
            String query, ClientState client, @Nullable Map<String, ByteBuffer> customPayload) {
        return door().texts().prepare(query, client, customPayload);
    }

    @Override
    public QueryHandler.@Nullable Prepared getPrepared(MD5Digest id) {
        return door().texts().getPrepared(id);
    }

    @Override
    public ResultMessage process(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            @Nullable Map<String, ByteBuffer> customPayload,
            RequestTime requestTime) {
        return door().serve(ClientRequest.text(statement, state, options, customPayload, requestTime));
    }

    @Override
    public ResultMessage processPrepared(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            @Nullable Map<String, ByteBuffer> customPayload,
            RequestTime requestTime) {
        return door().serve(ClientRequest.prepared(statement, state, options, customPayload, requestTime));
    }

    @Override
    public ResultMessage processBatch(
            BatchStatement batch,
            QueryState state,
            BatchQueryOptions options,
            @Nullable Map<String, ByteBuffer> customPayload,
            RequestTime requestTime) {
        return door().serve(ClientRequest.batch(batch, state, options, customPayload, requestTime));
    }
}
