/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.exceptions.OverloadedException;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.request.Handler;
import org.meteorshower.cassandra.token.Seal;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.transactions.LaneGroup;
import org.meteorshower.cassandra.transactions.TransactionGroups;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.port.Answer;

/**
 * Opens sessions, and makes unknown outcomes definite. Both are places in the order, and cost what a transaction costs.
 * Thread-safe.
 */
public final class Sessions implements Handler {
    private static final ConsistencyLevel LEVEL = ConsistencyLevel.SERIAL;

    private final TransactionGroups groups;
    private final TokenFormat tokens;
    private final Seal seal;
    private final SessionAllowance allowance = new SessionAllowance(System.nanoTime());

    Sessions(TransactionGroups groups, TokenFormat tokens) {
        this.groups = groups;
        this.tokens = tokens;
        this.seal = tokens.seal();
    }

    @Override
    public @Nullable Work take(ClientRequest request) {
        if (!(request.statement() instanceof SessionStatement statement)) {
            return null;
        }
        return () -> {
            statement.authorize(request.client());
            return run(statement, request);
        };
    }

    /**
     * The caller has authorized the statement.
     *
     * @return one row: the session's name, or what came of the transaction, which later snapshots with the token see
     */
    ResultMessage run(SessionStatement statement, ClientRequest request) {
        ClientState client = request.client();
        Payload asked = Payload.of(request.payload(), tokens, client);
        String session = statement.session();
        if (session == null) {
            return open(groupOf(statement.group()), client, asked, request.time());
        }
        SessionNames.Named named = SessionNames.session(session, seal, client);
        Answer answer = ask(named.group(), new Request.Resolve(named.id(), statement.sequence()), request.time());
        if (!(answer instanceof Answer.Done done)) {
            throw failed(answer);
        }
        return row(told(done.outcome()), asked, named.group(), done.token());
    }

    /** Where no group is named it is that of all data centres, or another, where no table is of that. */
    private int groupOf(@Nullable String text) {
        List<LaneGroup> all = groups.all();
        if (text == null) {
            return all.get(0).number();
        }
        return all.stream()
                .filter(group -> group.text().equals(text))
                .findFirst()
                .orElseThrow(() -> Errors.invalid("no table takes part in transactions of '" + text + "': there are "
                        + all.stream().map(group -> "'" + group.text() + "'").collect(Collectors.joining(", "))))
                .number();
    }

    private ResultMessage open(int group, ClientState client, Payload asked, RequestTime requestTime) {
        Opened opened = open(group, requestTime);
        SessionNames.Named named = new SessionNames.Named(group, opened.session());
        return row(Map.of("session", SessionNames.name(named, seal, client)), asked, group, opened.token());
    }

    /** @param token of its place in the order */
    record Opened(SessionId session, long token) {}

    Opened open(int group, RequestTime requestTime) {
        if (!allowance.take(System.nanoTime())) {
            throw new OverloadedException("MeteorShower: too many sessions are opened at this node (at most "
                    + SessionAllowance.MOST_PER_SECOND + " per second): keep a session, and number your transactions");
        }
        Answer answer = ask(group, new Request.Open(), requestTime);
        if (answer instanceof Answer.Done done
                && done.outcome() instanceof Outcome.Committed committed
                && committed.values().get(0) instanceof Value.Whole lane
                && committed.values().get(1) instanceof Value.Whole position
                && committed.values().get(2) instanceof Value.Whole index) {
            return new Opened(
                    new SessionId(Math.toIntExact(lane.value()), position.value(), Math.toIntExact(index.value())),
                    done.token());
        }
        throw failed(answer);
    }

    private Answer ask(int group, Request request, RequestTime requestTime) {
        long deadlineNanos = requestTime.computeDeadline(DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.NANOSECONDS));
        return Transactions.await(groups.runner(group).submit(request, deadlineNanos), deadlineNanos);
    }

    private static RuntimeException failed(Answer answer) {
        return answer instanceof Answer.Refused refused
                ? Outcomes.refused(refused, LEVEL)
                : Outcomes.notRead(String.valueOf(answer), LEVEL); // to ask once more does no harm
    }

    private static Map<String, String> told(Outcome outcome) {
        Map<String, String> row = new LinkedHashMap<>();
        if (outcome instanceof Outcome.Aborted aborted) {
            boolean known = aborted.reason() != Outcome.Reason.SESSION_EXPIRED
                    && aborted.reason() != Outcome.Reason.NUMBER_FORGOTTEN;
            row.put("outcome", known ? "aborted" : "unknown");
            row.put("reason", aborted.reason().name());
            row.put("detail", aborted.detail());
        } else {
            row.put("outcome", "committed");
            row.put("reason", "");
            row.put("detail", "");
        }
        return row;
    }

    private ResultMessage row(Map<String, String> values, Payload asked, int group, long token) {
        List<ColumnSpecification> shape = new ArrayList<>();
        List<ByteBuffer> row = new ArrayList<>();
        values.forEach((name, value) -> {
            shape.add(new ColumnSpecification(
                    "meteorshower", "sessions", new ColumnIdentifier(name, true), UTF8Type.instance));
            row.add(UTF8Type.instance.decompose(value));
        });
        ResultSet result = new ResultSet(new ResultSet.ResultMetadata(shape));
        row.forEach(result::addColumnValue);
        ResultMessage response = new ResultMessage.Rows(result);
        asked.answer(response, group, token, tokens);
        return response;
    }
}
