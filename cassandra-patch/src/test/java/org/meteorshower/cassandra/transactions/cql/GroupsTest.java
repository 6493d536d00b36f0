/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.metrics.MetricSet;
import org.meteorshower.cassandra.metrics.Refusals;
import org.meteorshower.cassandra.metrics.TransactionMetrics;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.token.TokenFormat.BadTokenException;
import org.meteorshower.cassandra.token.TokenSecrets;
import org.meteorshower.cassandra.transactions.LaneGroup;
import org.meteorshower.cassandra.transactions.TransactionGroups;
import org.meteorshower.cassandra.transactions.TransactionOptions;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.port.Answer;

/** Tables of two groups of lanes: what is asked of which, and what clients keep of each. */
class GroupsTest {
    private static final List<String> ALL = List.of("eu", "us", "asia");
    private static final int NEAR = 3;
    private static final int ELSEWHERE = 4;

    private final Shop shop = new Shop(
            "CREATE TABLE far (k int PRIMARY KEY, v int)",
            "CREATE TABLE near (k int PRIMARY KEY, v int)",
            "CREATE TABLE elsewhere (k int PRIMARY KEY, v int)");
    private final TokenFormat tokens = new TokenFormat(new TokenSecrets(Map.of(0, new byte[16]), null));
    private final MetricSet metrics = new MetricSet(MetricSet.SILENT);
    private final Map<Integer, Order> orders =
            new TreeMap<>(Map.of(LaneGroup.WHOLE, new Order(100), NEAR, new Order(7), ELSEWHERE, new Order(1)));
    private final Transactions transactions = new Transactions(
            new Groups(), table -> true, tokens, false, new TransactionMetrics(metrics, new Refusals(metrics)));

    /** One of its own: each that runs takes a place. */
    private static final class Order implements TransactionRunner {
        private long count;
        private final List<Terms> asked = new ArrayList<>();
        private final List<Request> submitted = new ArrayList<>();

        Order(long count) {
            this.count = count;
        }

        @Override
        public CompletableFuture<Answer> run(Transaction transaction, Terms terms) {
            asked.add(terms);
            count++;
            List<Value> values = new ArrayList<>();
            transaction.body().forEach(step -> values.add(Value.NOTHING));
            Answer answer = terms.kind() == Kind.SNAPSHOT
                    ? new Answer.Snapshot(List.of(Value.FALSE, Value.NOTHING), Math.max(count, terms.token()), 0)
                    : new Answer.Done(
                            new Outcome.Committed(
                                    transaction.isReadOnly() ? List.of(Value.FALSE, Value.NOTHING) : List.of()),
                            count);
            return CompletableFuture.completedFuture(answer);
        }

        @Override
        public CompletableFuture<Answer> submit(Request request, long deadlineNanos) {
            submitted.add(request);
            return CompletableFuture.completedFuture(
                    new Answer.Done(new Outcome.Committed(List.of(Value.of(1), Value.of(20), Value.of(3))), ++count));
        }
    }

    private final class Groups implements TransactionGroups {
        @Override
        public TransactionRunner runner(int group) {
            return Objects.requireNonNull(orders.get(group));
        }

        @Override
        public LaneGroup numbered(int group) {
            return LaneGroup.numbered(group, ALL);
        }

        @Override
        public List<LaneGroup> all() {
            return orders.keySet().stream().map(this::numbered).toList();
        }

        @Override
        public boolean isHere(int group) {
            return group != ELSEWHERE;
        }
    }

    @BeforeEach
    void tablesTakePart() {
        takesPart("near", NEAR);
        takesPart("elsewhere", ELSEWHERE);
    }

    private void takesPart(String table, int group) {
        TableMetadata before = Objects.requireNonNull(Schema.instance.getTableMetadata(shop.keyspace(), table));
        TableMetadata changed = before.unbuild()
                .extensions(Map.of(
                        TransactionOptions.EXTENSION,
                        TransactionOptions.open(1, group).toExtension()))
                .build();
        Schema.instance.transform(schema -> {
            var keyspace = schema.getNullable(shop.keyspace());
            return schema.withAddedOrUpdated(keyspace.withSwapped(keyspace.tables.withSwapped(changed)));
        });
    }

    private ResultMessage run(String text, Map<String, ByteBuffer> payload) {
        TransactionStatement statement =
                TransactionStatement.parse("BEGIN TRANSACTION " + text + "; COMMIT TRANSACTION", shop.client());
        ClientRequest request = request(statement, payload);
        return transactions.run(statement.plan(), request.only(), false, request);
    }

    private ClientRequest request(CQLStatement statement, Map<String, ByteBuffer> payload) {
        long now = System.nanoTime();
        return ClientRequest.text(
                statement,
                new QueryState(shop.client()),
                QueryOptions.forInternalCalls(ConsistencyLevel.QUORUM, List.of()),
                payload,
                new Dispatcher.RequestTime(now, now));
    }

    private static Map<String, ByteBuffer> with(ByteBuffer token, boolean snapshot) {
        Map<String, ByteBuffer> payload = new HashMap<>();
        payload.put(Payload.TOKEN, token);
        if (snapshot) {
            payload.put(Payload.MODE, ByteBufferUtil.bytes("snapshot"));
        }
        return payload;
    }

    private static ByteBuffer token(ResultMessage message) {
        return Objects.requireNonNull(message.getCustomPayload()).get(Payload.TOKEN);
    }

    private String open(String text) throws CharacterCodingException {
        SessionStatement statement = SessionStatement.parse(text);
        ResultMessage message = transactions.sessions().run(statement, request(statement, null));
        return ByteBufferUtil.string(
                ((ResultMessage.Rows) message).result.rows.get(0).get(0));
    }

    @Test
    void eachTableIsAskedInItsOwnOrderAndATokenRemembersBoth() throws BadTokenException {
        ByteBuffer empty = ByteBuffer.allocate(0);
        ByteBuffer far = token(run("UPDATE far SET v = 1 WHERE k = 1", with(empty, false)));
        assertThat(far.get(far.position())).isEqualTo((byte) 1); // as ever
        assertThat(far.remaining()).isEqualTo(26);
        ByteBuffer both = token(run("UPDATE near SET v = 1 WHERE k = 1", with(far, false)));
        assertThat(tokens.parts(both)).containsExactly(new TokenFormat.Part(0, 101), new TokenFormat.Part(NEAR, 8));

        run("SELECT v FROM near WHERE k = 1", with(both, true));
        run("SELECT v FROM far WHERE k = 1", with(both, true));
        assertThat(orders.get(NEAR).asked.get(1).token()).isEqualTo(8);
        assertThat(orders.get(LaneGroup.WHOLE).asked.get(1).token()).isEqualTo(101);
        assertThat(orders.get(ELSEWHERE).asked).isEmpty();
    }

    @Test
    void whoBringsNoTokenSeesOfEachWhatThisNodeHasTold() {
        run("UPDATE far SET v = 1 WHERE k = 1", null);
        run("SELECT v FROM near WHERE k = 1", Map.of(Payload.MODE, ByteBufferUtil.bytes("snapshot")));
        assertThat(orders.get(NEAR).asked.get(0).token()).isZero();
        run("SELECT v FROM far WHERE k = 1", Map.of(Payload.MODE, ByteBufferUtil.bytes("snapshot")));
        assertThat(orders.get(LaneGroup.WHOLE).asked.get(1).token()).isEqualTo(101);
    }

    @Test
    void aTransactionOverTwoGroupsIsRefusedWithTheReason() {
        assertThatThrownBy(() -> run("UPDATE near SET v = 1 WHERE k = 1; UPDATE far SET v = 1 WHERE k = 1", null))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("near takes part in the transactions of eu,us,")
                .hasMessageContaining("far in those of eu,us,asia")
                .hasMessageContaining("make two of it");
        orders.values().forEach(order -> assertThat(order.asked).isEmpty());
    }

    @Test
    void aSessionIsOfOneGroup() throws CharacterCodingException {
        String far = open("OPEN TRANSACTION SESSION");
        String near = open("open transaction session of 'eu,us';");
        assertThat(orders.get(LaneGroup.WHOLE).submitted).hasSize(1);
        assertThat(orders.get(NEAR).submitted).hasSize(1);

        assertThatThrownBy(() -> run("UPDATE near SET v = 1 WHERE k = 1", numbered(far)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("(OTHER_SESSION): OPEN TRANSACTION SESSION OF 'eu,us'");
        assertThatThrownBy(() -> run("UPDATE far SET v = 1 WHERE k = 1", numbered(near)))
                .hasMessageContaining("(OTHER_SESSION): OPEN TRANSACTION SESSION OF 'eu,us,asia'");
        assertThat(orders.get(NEAR).asked).isEmpty();

        SessionStatement resolve = SessionStatement.parse("RESOLVE TRANSACTION 1 OF SESSION '" + near + "'");
        transactions.sessions().run(resolve, request(resolve, null));
        assertThat(orders.get(NEAR).submitted).hasSize(2);
        assertThat(orders.get(LaneGroup.WHOLE).submitted).hasSize(1);
    }

    /** Nothing comes so far. */
    private static final class NoStore implements ProcedureStore {
        @Override
        public String text(ProcedureId id) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Registered register(ProcedureId id, String text, String role) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean drop(ProcedureId id) {
            throw new UnsupportedOperationException();
        }
    }

    private static Map<String, ByteBuffer> numbered(String session) {
        return Map.of(Payload.SESSION, ByteBufferUtil.bytes(session), Payload.SEQUENCE, ByteBufferUtil.bytes(1L));
    }

    /** What looks after a group's tables, and deletes what does not belong there, must not look at another's. */
    @Test
    void theTablesOfAGroupAreItsOwnOnly() {
        assertThat(TransactionTables.all(NEAR))
                .extracting(table -> table.name)
                .contains("near")
                .doesNotContain("far", "elsewhere");
        assertThat(TransactionTables.groups()).contains(NEAR, ELSEWHERE);
        assertThat(TransactionTables.any(NEAR)).isTrue();
        assertThat(TransactionTables.any(NEAR | ELSEWHERE)).isFalse();
    }

    @Test
    void aProcedureOverTwoGroupsIsNotRegistered() {
        Procedures procedures = new Procedures(new NoStore(), table -> true, Runnable::run, System::nanoTime);
        ProcedureStatement statement = ProcedureStatement.parse(
                "CREATE PROCEDURE both VERSION 1 AS 'BEGIN TRANSACTION UPDATE near SET v = :v WHERE k = 1;"
                        + " UPDATE far SET v = :v WHERE k = 1; COMMIT TRANSACTION'",
                shop.client());
        assertThatThrownBy(() -> procedures.run(statement, shop.client()))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("take part in different data centres");
    }

    @Test
    void noSessionIsOpenedWhereNoTableIs() {
        assertThatThrownBy(() -> open("OPEN TRANSACTION SESSION OF 'eu,asia'"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("there are 'eu,us,asia', 'eu,us', 'asia'");
    }

    @Test
    void aTableThatIsNotHereIsNotTruncatedFromHere() {
        TableMetadata table = Objects.requireNonNull(Schema.instance.getTableMetadata(shop.keyspace(), "elsewhere"));
        assertThatThrownBy(() ->
                        transactions.truncate(table, request(SessionStatement.parse("OPEN TRANSACTION SESSION"), null)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("transactions of asia are not in this data centre");
    }
}
