/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.WriteType;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.OverloadedException;
import org.apache.cassandra.exceptions.ReadTimeoutException;
import org.apache.cassandra.exceptions.UnavailableException;
import org.apache.cassandra.exceptions.WriteTimeoutException;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.MD5Digest;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.metrics.Metric;
import org.meteorshower.cassandra.metrics.MetricSet;
import org.meteorshower.cassandra.metrics.RefusalCause;
import org.meteorshower.cassandra.metrics.Refusals;
import org.meteorshower.cassandra.metrics.TransactionMetrics;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.token.TokenSecrets;
import org.meteorshower.cassandra.transactions.TransactionGroups;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.port.Answer;

/** What clients are told of what became of their transactions, and what is made of what they say beside the text. */
class AnswersTest {
    private static final String WRITE = "BEGIN TRANSACTION UPDATE t SET v = 1 WHERE k = 1; COMMIT TRANSACTION";
    private static final String READ = "BEGIN TRANSACTION SELECT v FROM t WHERE k = 1; COMMIT TRANSACTION";

    private final Shop shop = new Shop("CREATE TABLE t (k int PRIMARY KEY, v int)");
    private final TokenFormat tokens = new TokenFormat(new TokenSecrets(Map.of(0, new byte[16]), null));
    private final List<TransactionRunner.Terms> asked = new ArrayList<>();
    private Answer answer = new Answer.Unknown("nobody answers.");
    private final MetricSet metrics = new MetricSet(MetricSet.SILENT);
    private final Refusals refusals = new Refusals(metrics);

    private final Transactions transactions = new Transactions(
            TransactionGroups.only(new TransactionRunner() {
                @Override
                public CompletableFuture<Answer> run(Transaction transaction, Terms terms) {
                    asked.add(terms);
                    return CompletableFuture.completedFuture(answer);
                }

                @Override
                public CompletableFuture<Answer> submit(Request request, long deadlineNanos) {
                    throw new UnsupportedOperationException();
                }
            }),
            table -> !table.name.equals("not_there"),
            tokens,
            false,
            new TransactionMetrics(metrics, refusals));

    @Test
    void eachAnswerIsCountedAndRefusalsAreKept() {
        Answer done = new Answer.Done(new Outcome.Committed(List.of()), 1);
        run("BEGIN TRANSACTION UPDATE t SET v = 1 WHERE k = 1; COMMIT TRANSACTION", done, null);
        assertThatThrownBy(() -> run(READ, new Answer.Refused(Answer.Refusal.NOT_PROPOSED, "no majority"), null))
                .hasMessageContaining("no majority");
        assertThat(metrics.count(Metric.TRANSACTIONS, "write", "committed").value())
                .isEqualTo(1);
        assertThat(metrics.count(Metric.TRANSACTIONS, "strict", "refused").value())
                .isEqualTo(1);
        assertThat(metrics.distribution(Metric.TRANSACTION_LATENCY_MICROS, "write")
                        .count())
                .isEqualTo(1);
        assertThat(refusals.recent()).singleElement().satisfies(entry -> {
            assertThat(entry.cause()).isEqualTo(RefusalCause.NOT_PROPOSED);
            assertThat(entry.text()).isEqualTo("no majority");
        });
    }

    private ResultMessage run(String text, Answer answered, Map<String, ByteBuffer> payload) {
        answer = answered;
        return run(TransactionStatement.parse(text, shop.client()), payload);
    }

    private ResultMessage run(TransactionStatement statement, Map<String, ByteBuffer> payload) {
        long now = System.nanoTime();
        QueryOptions options = QueryOptions.forInternalCalls(ConsistencyLevel.QUORUM, List.of());
        return transactions.run(
                statement.plan(),
                options,
                false,
                ClientRequest.text(
                        statement,
                        QueryState.forInternalCalls(),
                        options,
                        payload,
                        new Dispatcher.RequestTime(now, now)));
    }

    /** It waited here, for a format, say: that is certain, and no time-out. */
    @Test
    void whatIsTooLateToBeProposedIsNotProposed() {
        answer = new Answer.Done(new Outcome.Committed(List.of()), 1);
        TransactionStatement statement = TransactionStatement.parse(WRITE, shop.client());
        long longAgo = System.nanoTime() - TimeUnit.MINUTES.toNanos(1);
        QueryOptions options = QueryOptions.forInternalCalls(ConsistencyLevel.QUORUM, List.of());
        ClientRequest late = ClientRequest.text(
                statement, QueryState.forInternalCalls(), options, null, new Dispatcher.RequestTime(longAgo, longAgo));
        assertThatThrownBy(() -> transactions.run(statement.plan(), options, false, late))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("was not carried out")
                .hasMessageContaining("time was over");
        assertThat(asked).isEmpty();
    }

    private Throwable failure(Answer answered) {
        return catchThrowable(() -> run(WRITE, answered, null));
    }

    private static Answer.Done aborted(Outcome.Reason reason) {
        return new Answer.Done(new Outcome.Aborted(reason, "because"), 7);
    }

    private static Answer.Refused refused(Answer.Refusal refusal) {
        return new Answer.Refused(refusal, "because");
    }

    @Test
    void whatIsNotKnownIsAWriteTimeoutThatNoDriverRepeatsOrIgnores() {
        assertThat(failure(new Answer.Unknown("because")))
                .isInstanceOfSatisfying(WriteTimeoutException.class, timeout -> {
                    assertThat(timeout.writeType).isEqualTo(WriteType.CAS);
                    assertThat(timeout.received).isZero();
                })
                .hasMessageContaining("is not known")
                .hasMessageContaining("because");
    }

    @Test
    void whatIsOnlyTrueOfThisAttemptIsSaidSo() {
        assertThat(failure(aborted(Outcome.Reason.SESSION_EXPIRED)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("(SESSION_EXPIRED)")
                .hasMessageContaining("If you have sent it before");
        assertThat(failure(aborted(Outcome.Reason.NUMBER_FORGOTTEN)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("(NUMBER_FORGOTTEN): because");
    }

    @Test
    void whatDidNotHappenIsSaidSo() {
        assertThat(failure(aborted(Outcome.Reason.ERROR)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("not carried out (ERROR): because");
        assertThat(failure(aborted(Outcome.Reason.DEAD))).isInstanceOf(InvalidRequestException.class);
        assertThat(failure(refused(Answer.Refusal.TOO_LARGE))).isInstanceOf(InvalidRequestException.class);
        assertThat(failure(refused(Answer.Refusal.OVERLOADED))).isInstanceOf(OverloadedException.class);
        assertThat(failure(refused(Answer.Refusal.NOT_PROPOSED))).isInstanceOf(UnavailableException.class);
        assertThat(failure(refused(Answer.Refusal.NOT_READY))).isInstanceOf(UnavailableException.class);
        assertThat(failure(refused(Answer.Refusal.BEHIND))).isInstanceOf(ReadTimeoutException.class);
        assertThat(failure(new Answer.ReadFailed("because"))).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void whatHappenedIsAnsweredAndSeenByLaterSnapshots() throws Exception {
        Answer.Done done = new Answer.Done(new Outcome.Committed(List.of()), 40);
        assertThat(run(WRITE, done, null)).isInstanceOf(ResultMessage.Void.class);
        ResultMessage snapshot = run(
                READ,
                new Answer.Snapshot(List.of(Value.FALSE, Value.NOTHING), 41, 5),
                Map.of(Payload.MODE, ByteBufferUtil.bytes("snapshot")));

        assertThat(asked.get(0).kind()).isEqualTo(TransactionRunner.Kind.WRITE);
        assertThat(asked.get(1).kind()).isEqualTo(TransactionRunner.Kind.SNAPSHOT);
        assertThat(asked.get(1).token()).isEqualTo(40);
        Map<String, ByteBuffer> told = Objects.requireNonNull(snapshot.getCustomPayload());
        assertThat(tokens.decode(Objects.requireNonNull(told.get(Payload.TOKEN))))
                .isEqualTo(41);
        assertThat(told.get(Payload.STALENESS)).isEqualTo(ByteBufferUtil.bytes(5L));
    }

    @Test
    void aTransactionThatOnlyReadsIsStrictUnlessItIsToBeASnapshot() {
        run(READ, new Answer.Done(new Outcome.Committed(List.of(Value.FALSE, Value.NOTHING)), 3), null);

        assertThat(asked.get(0).kind()).isEqualTo(TransactionRunner.Kind.STRICT);
        assertThatThrownBy(() -> run(WRITE, answer, Map.of(Payload.MODE, ByteBufferUtil.bytes("snapshot"))))
                .hasMessageContaining("cannot be a snapshot");
    }

    @Test
    void whatMakesNoSenseBesideTheTextIsRefused() {
        for (Map<String, ByteBuffer> payload : List.of(
                Map.of(Payload.MODE, ByteBufferUtil.bytes("fast")),
                Map.of(Payload.TOKEN, ByteBufferUtil.bytes("x")),
                Map.of(Payload.SESSION, ByteBufferUtil.bytes("0.1.2")),
                Map.of(Payload.SESSION, ByteBufferUtil.bytes("x"), Payload.SEQUENCE, ByteBufferUtil.bytes(1L)),
                Map.of(Payload.SESSION, ByteBufferUtil.bytes("0.1.2"), Payload.SEQUENCE, ByteBufferUtil.bytes(0L)))) {
            assertThatThrownBy(() -> run(WRITE, answer, payload)).isInstanceOf(InvalidRequestException.class);
        }
    }

    @Test
    void aTableThatTakesNoPartIsNamedWithTheStatementThatLetsIt() {
        Shop other = new Shop("CREATE TABLE not_there (k int PRIMARY KEY, v int)");
        TransactionStatement statement = TransactionStatement.parse(
                "BEGIN TRANSACTION DELETE FROM not_there WHERE k = 1; COMMIT TRANSACTION", other.client());

        assertThatThrownBy(() -> run(statement, null))
                .hasMessageContaining("UPDATE meteorshower.tables SET transactions = true WHERE keyspace_name = '"
                        + other.keyspace() + "' AND table_name = 'not_there'");
    }

    @Test
    void aPreparedTransactionIsKnownByItsTextUntilATableChanges() {
        PreparedTransactions prepared = new PreparedTransactions();
        String text = "BEGIN TRANSACTION LET r = (SELECT v FROM t WHERE k = ?); SELECT r.v; COMMIT TRANSACTION";
        ClientState client = shop.client();
        ResultMessage.Prepared made = prepared.prepare(text, client);

        assertThat(made.statementId).isEqualTo(MD5Digest.compute(shop.keyspace() + text));
        assertThat(made.metadata.names).hasSize(1);
        assertThat(made.resultMetadata.names.get(0).name.toString()).isEqualTo("r.v");
        QueryHandler.Prepared known = Objects.requireNonNull(prepared.get(made.statementId));
        assertThat(known.rawCQLStatement).isEqualTo(text);
        assertThat(prepared.get(MD5Digest.compute("another"))).isNull();
        assertThat(new PreparedTransactions().prepare(text, client).statementId).isEqualTo(made.statementId);

        TableMetadata table = Objects.requireNonNull(Schema.instance.getTableMetadata(shop.keyspace(), "t"));
        Tables changed = Tables.of(table.unbuild().comment("changed").build());
        Schema.instance.transform(schema ->
                schema.withAddedOrUpdated(schema.getNullable(shop.keyspace()).withSwapped(changed)));
        assertThat(prepared.get(made.statementId)).isNull();
    }

    @Test
    void whatWasPreparedLongestAgoIsForgottenWhereThereIsNoRoom() {
        PreparedTransactions prepared = new PreparedTransactions();
        prepared.limit(20_000);
        List<MD5Digest> ids = new ArrayList<>();
        for (int each = 0; each < 10; each++) {
            String text = "BEGIN TRANSACTION SELECT v FROM t WHERE k = " + each + "; COMMIT TRANSACTION";
            ids.add(prepared.prepare(text, shop.client()).statementId);
            assertThat(prepared.bytes()).isBetween(4_096L, 20_000L);
        }

        assertThat(prepared.get(ids.get(0))).isNull();
        assertThat(prepared.get(ids.get(9))).isNotNull();
        prepared.limit(1);
        assertThat(prepared.get(ids.get(8))).isNull();
        assertThat(prepared.get(ids.get(9))).as("one is kept, however large").isNotNull();
    }

    @Test
    void transactionsAreTakenForWhatTheyAreByTheirBeginning() {
        assertThat(TransactionStatement.isTransaction("begin /* now */ -- a\n transaction LET"))
                .isTrue();
        assertThat(TransactionStatement.isTransaction("  // x\nBEGIN TRANSACTION"))
                .isTrue();
        assertThat(TransactionStatement.isTransaction("BEGIN BATCH")).isFalse();
        assertThat(TransactionStatement.isTransaction("BEGIN TRANSACTIONS")).isFalse();
        assertThat(TransactionStatement.isTransaction("SELECT 'BEGIN TRANSACTION'"))
                .isFalse();
        assertThat(TransactionStatement.isTransaction("/* BEGIN TRANSACTION")).isFalse();
    }
}
