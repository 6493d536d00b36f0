/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.cassandra.auth.AllowAllAuthorizer;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.OverloadedException;
import org.apache.cassandra.exceptions.ReadTimeoutException;
import org.apache.cassandra.exceptions.SyntaxException;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.metrics.MetricSet;
import org.meteorshower.cassandra.metrics.Refusals;
import org.meteorshower.cassandra.metrics.TransactionMetrics;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.token.TokenSecrets;
import org.meteorshower.cassandra.transactions.TransactionGroups;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Program;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.port.Answer;

/** Transactions with numbers: sessions are opened, outcomes kept, told again, and resolved. */
class NumberedTest {
    private static final String UPDATE =
            "BEGIN TRANSACTION LET r = (SELECT v FROM t WHERE k = 1); SELECT r.v; IF r.v = 5 THEN UPDATE t SET v = 6"
                    + " WHERE k = 1; END IF COMMIT TRANSACTION";

    private final Shop shop = new Shop("CREATE TABLE t (k int PRIMARY KEY, v int)");
    private final TokenFormat tokens = new TokenFormat(new TokenSecrets(Map.of(0, new byte[16]), null));
    private final Data data = new Data();
    private final MetricSet metrics = new MetricSet(MetricSet.SILENT);
    private final Transactions transactions = new Transactions(
            TransactionGroups.only(data),
            table -> true,
            tokens,
            false,
            new TransactionMetrics(metrics, new Refusals(metrics)));

    /** Runs everything here and now, and each number once. */
    private static final class Data implements TransactionRunner {
        private final TreeMap<RowKey, Row> rows = new TreeMap<>();
        private final Map<String, Outcome> outcomes = new TreeMap<>();
        private final List<Request> submitted = new ArrayList<>();
        private Answer instead;

        @Override
        public CompletableFuture<Answer> run(Transaction transaction, Terms terms) {
            String number = terms.session() + " " + terms.sequence();
            Outcome outcome = terms.session() == null
                    ? run(transaction)
                    : outcomes.computeIfAbsent(number, n -> run(transaction));
            return CompletableFuture.completedFuture(new Answer.Done(outcome, 7));
        }

        private Outcome run(Transaction transaction) {
            TreeMap<RowKey, Row> held = new TreeMap<>();
            transaction.rows().forEach(key -> held.put(key, rows.getOrDefault(key, Row.ABSENT)));
            var evaluation = Program.run(transaction, held);
            rows.putAll(evaluation.writes());
            return evaluation.outcome();
        }

        @Override
        public CompletableFuture<Answer> submit(Request request, long deadlineNanos) {
            submitted.add(request);
            Outcome outcome = request instanceof Request.Resolve resolve
                    ? outcomes.computeIfAbsent(
                            resolve.session() + " " + resolve.sequence(),
                            n -> new Outcome.Aborted(Outcome.Reason.DEAD, "it had not run"))
                    : new Outcome.Committed(List.of(Value.of(1), Value.of(20), Value.of(3)));
            return CompletableFuture.completedFuture(instead != null ? instead : new Answer.Done(outcome, 9));
        }
    }

    private static Dispatcher.RequestTime now() {
        long now = System.nanoTime();
        return new Dispatcher.RequestTime(now, now);
    }

    private ResultMessage run(String text, String session, long number) {
        return run(TransactionStatement.parse(text, shop.client()), session, number);
    }

    private ResultMessage run(TransactionStatement statement, String session, long number) {
        ClientRequest request = request(
                statement,
                Map.of(Payload.SESSION, ByteBufferUtil.bytes(session), Payload.SEQUENCE, ByteBufferUtil.bytes(number)));
        return transactions.run(statement.plan(), request.only(), false, request);
    }

    private ClientRequest request(CQLStatement statement, Map<String, ByteBuffer> payload) {
        return ClientRequest.text(
                statement,
                new QueryState(shop.client()),
                QueryOptions.forInternalCalls(ConsistencyLevel.QUORUM, List.of()),
                payload,
                now());
    }

    private ResultMessage say(String text, Map<String, ByteBuffer> payload) {
        SessionStatement statement = SessionStatement.parse(text);
        return transactions.sessions().run(statement, request(statement, payload));
    }

    private static List<String> row(ResultMessage message) {
        List<String> texts = new ArrayList<>();
        for (ByteBuffer each : ((ResultMessage.Rows) message).result.rows.get(0)) {
            try {
                texts.add(ByteBufferUtil.string(each));
            } catch (java.nio.charset.CharacterCodingException e) {
                throw new AssertionError(e);
            }
        }
        return texts;
    }

    private String open() {
        return row(say("OPEN TRANSACTION SESSION", null)).get(0);
    }

    private static int applied(ResultMessage message) {
        return Objects.requireNonNull(message.getCustomPayload())
                .get(Payload.APPLIED)
                .get(0);
    }

    @Test
    void aSessionIsOpenedByAPlaceInTheOrderAndItsNameIsSigned() {
        String name = open();

        assertThat(data.submitted.get(0)).isInstanceOf(Request.Open.class);
        assertThat(name).startsWith("1.20.3.0.");
        assertThat(open()).as("signed alike").isEqualTo(name);
    }

    @Test
    void aTransactionRunsOnceUnderItsNumberAndIsToldAgain() {
        String session = open();
        run("BEGIN TRANSACTION INSERT INTO t (k, v) VALUES (1, 5); COMMIT TRANSACTION", session, 1);

        ResultMessage first = run(UPDATE, session, 2);
        ResultMessage again = run(UPDATE, session, 2);
        ResultMessage later = run(UPDATE, session, 3);

        assertThat(((ResultMessage.Rows) first).result.rows).isEqualTo(((ResultMessage.Rows) again).result.rows);
        assertThat(applied(first)).isEqualTo(1);
        assertThat(applied(again)).isEqualTo(1);
        assertThat(applied(later)).as("its IF does not hold any more").isZero();
        assertThat(((ResultMessage.Rows) later).result.rows.get(0).get(0)).isEqualTo(ByteBufferUtil.bytes(6));
    }

    @Test
    void anIfThatDoesNotHoldIsToldAndAnElseCounts() {
        String session = open();
        assertThat(applied(run(UPDATE, session, 1))).isZero();
        assertThat(applied(run(
                        "BEGIN TRANSACTION LET r = (SELECT v FROM t WHERE k = 1); IF r IS NOT NULL THEN DELETE FROM t"
                                + " WHERE k = 1; ELSE INSERT INTO t (k, v) VALUES (1, 1); END IF COMMIT TRANSACTION",
                        session,
                        2)))
                .isEqualTo(1);
    }

    @Test
    void aCallRunsOnceUnderItsNumberAndIsToldAgainAndAnotherVersionIsAnotherTransaction() {
        DatabaseDescriptor.setAuthorizer(new AllowAllAuthorizer());
        Map<ProcedureId, String> texts = Map.of(
                new ProcedureId(shop.keyspace(), "add", 1),
                "BEGIN TRANSACTION LET r = (SELECT v FROM t WHERE k = :k); SELECT r.v; UPDATE t SET v += 1 WHERE k = :k;"
                        + " COMMIT TRANSACTION",
                new ProcedureId(shop.keyspace(), "add", 2),
                "BEGIN TRANSACTION UPDATE t SET v += 2 WHERE k = :k; COMMIT TRANSACTION");
        Procedures procedures = new Procedures(
                new ProcedureStore() {
                    @Override
                    public String text(ProcedureId id) {
                        return texts.get(id);
                    }

                    @Override
                    public Registered register(ProcedureId id, String text, String role) {
                        return Registered.BEFORE;
                    }

                    @Override
                    public boolean drop(ProcedureId id) {
                        return false;
                    }
                },
                table -> true,
                Runnable::run,
                System::nanoTime);
        String session = open();
        run("BEGIN TRANSACTION INSERT INTO t (k, v) VALUES (1, 5); COMMIT TRANSACTION", session, 1);
        TransactionStatement call = procedures.call("CALL add VERSION 1 (1)", shop.client());
        for (int i = 0; i < 3; i++) {
            ResultMessage told = run(call, session, 2);
            assertThat(((ResultMessage.Rows) told).result.rows.get(0).get(0)).isEqualTo(ByteBufferUtil.bytes(5));
            assertThat(applied(told)).isEqualTo(1);
        }
        assertThatThrownBy(() -> run(procedures.call("CALL add VERSION 2 (1)", shop.client()), session, 2))
                .hasMessageContaining("used for another one");
    }

    @Test
    void aNumberThatWasUsedForAnotherTransactionIsRefused() {
        String session = open();
        run(UPDATE, session, 1);
        assertThatThrownBy(
                        () -> run("BEGIN TRANSACTION UPDATE t SET v = 9 WHERE k = 1; COMMIT TRANSACTION", session, 1))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("number 1")
                .hasMessageContaining("another");
    }

    @Test
    void aResultThatWasNotKeptIsToldAsThat() {
        String session = open();
        data.outcomes.put("s1.20.3 1", new Outcome.Committed(List.of()));
        assertThatThrownBy(() -> run(UPDATE, session, 1))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("was carried out (RESULT_LOST)");
    }

    @Test
    void resolvingTellsWhatCameOfANumberOrSeesToItThatItNeverRuns() {
        String session = open();
        run(UPDATE, session, 1);

        assertThat(row(say("RESOLVE TRANSACTION 1 OF SESSION '" + session + "'", null)))
                .startsWith("committed");
        assertThat(row(say("resolve transaction 2 of session '" + session + "';", null)))
                .startsWith("aborted", "DEAD");
        assertThatThrownBy(() -> run(UPDATE, session, 2)).hasMessageContaining("(DEAD)");
        assertThat(row(say("RESOLVE TRANSACTION 3 OF SESSION '" + session + "'", null))
                        .get(1))
                .isEqualTo("DEAD");
    }

    @Test
    void whatIsForgottenIsToldAsUnknown() {
        String session = open();
        data.instead = new Answer.Done(new Outcome.Aborted(Outcome.Reason.NUMBER_FORGOTTEN, "long ago"), 4);
        assertThat(row(say("RESOLVE TRANSACTION 1 OF SESSION '" + session + "'", null)))
                .containsExactly("unknown", "NUMBER_FORGOTTEN", "long ago");
    }

    @Test
    void resolvingInVainMayBeRepeated() {
        String session = open();
        data.instead = new Answer.Unknown("nobody answers");
        assertThatThrownBy(() -> say("RESOLVE TRANSACTION 1 OF SESSION '" + session + "'", null))
                .isInstanceOf(ReadTimeoutException.class);
    }

    @Test
    void whoKeepsTokensIsGivenOneThatSeesWhatWasResolved() throws Exception {
        ResultMessage opened =
                say("OPEN TRANSACTION SESSION", Map.of("meteorshower.token", ByteBufferUtil.EMPTY_BYTE_BUFFER));
        assertThat(tokens.decode(Objects.requireNonNull(
                        Objects.requireNonNull(opened.getCustomPayload()).get(Payload.TOKEN))))
                .isEqualTo(9);
    }

    @Test
    void aNameThatNoNodeHasGivenIsRefusedSayingWhereToGetOne() {
        for (String name : List.of("1.20.3", "x", "1.20.3.0." + "0".repeat(32))) {
            assertThatThrownBy(() -> run(UPDATE, name, 1))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("no session of yours")
                    .hasMessageContaining("OPEN TRANSACTION SESSION");
            assertThatThrownBy(() -> say("RESOLVE TRANSACTION 1 OF SESSION '" + name + "'", null))
                    .isInstanceOf(InvalidRequestException.class);
        }
    }

    @Test
    void statementsAboutSessionsAreTakenForWhatTheyAre() {
        assertThat(SessionStatement.isOne(" open transaction session")).isTrue();
        assertThat(SessionStatement.isOne("RESOLVE TRANSACTION 1")).isTrue();
        assertThat(SessionStatement.isOne("BEGIN TRANSACTION")).isFalse();
        for (String text : List.of(
                "OPEN TRANSACTION",
                "RESOLVE TRANSACTION x OF SESSION 'a'",
                "RESOLVE TRANSACTION 0 OF SESSION 'a'",
                "RESOLVE TRANSACTION ? OF SESSION ?",
                "OPEN TRANSACTION SESSION; DROP TABLE t")) {
            assertThatThrownBy(() -> SessionStatement.parse(text)).isInstanceOf(SyntaxException.class);
        }
    }

    @Test
    void onlySoManySessionsAreOpenedInAShortTime() {
        SessionAllowance allowance = new SessionAllowance(0);
        for (int i = 0; i < SessionAllowance.MOST_AT_ONCE; i++) {
            assertThat(allowance.take(0)).isTrue();
        }
        assertThat(allowance.take(0)).isFalse();
        long second = 1_000_000_000L;
        for (int i = 0; i < SessionAllowance.MOST_PER_SECOND; i++) {
            assertThat(allowance.take(second)).isTrue();
        }
        assertThat(allowance.take(second)).isFalse();
        assertThatThrownBy(() -> {
                    for (int i = 0; i <= 2 * SessionAllowance.MOST_AT_ONCE; i++) {
                        open();
                    }
                })
                .isInstanceOf(OverloadedException.class);
    }
}
