/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.MD5Digest;

/** Cassandra's query handler, as far as it says what it was asked. */
final class RecordingCassandra implements QueryHandler {
    final List<String> calls = new ArrayList<>();
    Runnable whileAnswering = () -> {};

    private ResultMessage answer(String call) {
        calls.add(call);
        whileAnswering.run();
        return new ResultMessage.Void();
    }

    @Override
    public CQLStatement parse(String query, QueryState state, QueryOptions options) {
        calls.add("parse");
        return Requests.parse(query);
    }

    @Override
    public ResultMessage process(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            Map<String, ByteBuffer> customPayload,
            RequestTime requestTime) {
        return answer("process");
    }

    @Override
    public ResultMessage.Prepared prepare(
            String query, ClientState clientState, Map<String, ByteBuffer> customPayload) {
        calls.add("prepare");
        return null;
    }

    @Override
    public QueryHandler.Prepared getPrepared(MD5Digest id) {
        calls.add("getPrepared");
        return null;
    }

    @Override
    public ResultMessage processPrepared(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            Map<String, ByteBuffer> customPayload,
            RequestTime requestTime) {
        return answer("processPrepared");
    }

    @Override
    public ResultMessage processBatch(
            BatchStatement statement,
            QueryState state,
            BatchQueryOptions options,
            Map<String, ByteBuffer> customPayload,
            RequestTime requestTime) {
        return answer("processBatch");
    }
}
