/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.cassandra.auth.AllowAllAuthorizer;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.ReadTimeoutException;
import org.apache.cassandra.exceptions.UnavailableException;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.service.pager.PagingState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.metrics.MetricSet;
import org.meteorshower.cassandra.metrics.Refusals;
import org.meteorshower.cassandra.metrics.TransactionMetrics;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.token.TokenSecrets;
import org.meteorshower.cassandra.transactions.TransactionGroups;
import org.meteorshower.cassandra.transactions.TransactionOptions;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Formats;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.port.Answer;

/** Single statements: ranges are strict transactions, scans wait for the tables; both where some copy is not enough. */
class PlainRangesTest {
    private final Shop shop = new Shop("CREATE TABLE t (k int, c int, v int, PRIMARY KEY (k, c))");
    private final Runner runner = new Runner();
    private final MetricSet metrics = new MetricSet(MetricSet.SILENT);
    private final Transactions transactions = new Transactions(
            TransactionGroups.only(runner),
            table -> true,
            new TokenFormat(new TokenSecrets(Map.of(0, new byte[16]), null)),
            false,
            new TransactionMetrics(metrics, new Refusals(metrics)));
    private final PlainTexts texts = new PlainTexts();
    private final List<ConsistencyLevel> others = new ArrayList<>();
    private final PlainStatements plain = new PlainStatements(texts, transactions, request -> {
        others.add(request.level());
        return new ResultMessage.Void();
    });

    /** Finds no rows. */
    private static final class Runner implements TransactionRunner {
        private final List<Kind> kinds = new ArrayList<>();
        private final List<Transaction> transactions = new ArrayList<>();
        private final List<Long> awaited = new ArrayList<>();
        private Answer placed = new Answer.Done(new Outcome.Committed(List.of()), 7);
        private Answer held = new Answer.Snapshot(List.of(), 9, 0);
        private String whyNot;

        /** Of formats that came later. */
        private String later;

        /** The format that is used. */
        private int format = Formats.PROPOSES_RANGES;

        /** So many rows there are to delete. */
        private int deleted;

        /** More are too large together. */
        private int mostTogether = Integer.MAX_VALUE;

        @Override
        public CompletableFuture<Answer> run(Transaction transaction, Terms terms) {
            kinds.add(terms.kind());
            transactions.add(transaction);
            if (transaction.body().stream()
                    .anyMatch(each ->
                            (each instanceof Statement.Find find && find.range().most() > mostTogether)
                                    || (each instanceof Statement.DeleteRange delete
                                            && delete.range().claim().rows() - 1 < deleted))) {
                return CompletableFuture.completedFuture(
                        new Answer.Done(new Outcome.Aborted(Outcome.Reason.ERROR, Range.TOO_LARGE), 3));
            }
            if (transaction.body().isEmpty()) {
                return CompletableFuture.completedFuture(placed);
            }
            List<Value> none = !transaction.isReadOnly()
                    ? List.of()
                    : transaction.claims().isEmpty() ? List.of(Value.FALSE, Value.NOTHING) : List.of(Value.NOTHING);
            return CompletableFuture.completedFuture(new Answer.Done(new Outcome.Committed(none), 3));
        }

        @Override
        public String whyNot(int asked) {
            String why = asked > Formats.PROPOSES_COMPUTED && later != null ? later : whyNot;
            format = why == null ? Math.max(format, asked) : format;
            return why;
        }

        @Override
        public boolean uses(int asked) {
            return asked <= format;
        }

        @Override
        public CompletableFuture<Answer> awaitTables(long token, long deadlineNanos) {
            awaited.add(token);
            return CompletableFuture.completedFuture(held);
        }

        @Override
        public CompletableFuture<Answer> submit(Request request, long deadlineNanos) {
            throw new UnsupportedOperationException();
        }
    }

    @BeforeEach
    void theTableTakesPart() {
        TableMetadata table = Objects.requireNonNull(Schema.instance.getTableMetadata(shop.keyspace(), "t"));
        Tables changed = Tables.of(table.unbuild()
                .extensions(Map.of(
                        TransactionOptions.EXTENSION,
                        TransactionOptions.open(1, 0).toExtension()))
                .build());
        Schema.instance.transform(schema ->
                schema.withAddedOrUpdated(schema.getNullable(shop.keyspace()).withSwapped(changed)));
    }

    private ResultMessage run(String text, ConsistencyLevel level, PagingState page, Map<String, ByteBuffer> payload) {
        return run(text, level, 2, page, payload);
    }

    private ResultMessage run(
            String text, ConsistencyLevel level, int size, PagingState page, Map<String, ByteBuffer> payload) {
        CQLStatement statement = QueryProcessor.getStatement(text, shop.client());
        texts.remember(statement, text, shop.keyspace());
        QueryOptions options = QueryOptions.create(
                level, List.of(), false, size, page, ConsistencyLevel.SERIAL, ProtocolVersion.CURRENT, null);
        long now = System.nanoTime();
        ClientRequest request = ClientRequest.text(
                statement, QueryState.forInternalCalls(), options, payload, new Dispatcher.RequestTime(now, now));
        return Objects.requireNonNull(plain.take(request)).run();
    }

    private ResultMessage run(String text, ConsistencyLevel level) {
        return run(text, level, null, null);
    }

    @Test
    void aRangeIsReadStrictlyUnlessSomeCopyIsEnough() {
        for (ConsistencyLevel level : List.of(ConsistencyLevel.QUORUM, ConsistencyLevel.TWO, ConsistencyLevel.ALL)) {
            assertThat(run("SELECT v FROM t WHERE k = 1 AND c > 2", level)).isInstanceOf(ResultMessage.Rows.class);
        }
        assertThat(runner.kinds).hasSize(3).containsOnly(TransactionRunner.Kind.STRICT);
        assertThat(runner.transactions.get(0).claims()).hasSize(1);
        assertThat(others).isEmpty();
        for (ConsistencyLevel level :
                List.of(ConsistencyLevel.ONE, ConsistencyLevel.LOCAL_ONE, ConsistencyLevel.NODE_LOCAL)) {
            run("SELECT v FROM t WHERE k = 1 AND c > 2", level);
        }
        assertThat(others).as("no snapshot has ranges").hasSize(3);
        assertThat(runner.kinds).hasSize(3);
        run("SELECT v FROM t WHERE k = 1 AND c = 2", ConsistencyLevel.ONE);
        assertThat(runner.kinds).last().isEqualTo(TransactionRunner.Kind.SNAPSHOT);
    }

    private static final List<String> SCANS = List.of(
            "SELECT * FROM t",
            "SELECT * FROM t WHERE token(k) > 4",
            "SELECT k FROM t WHERE v = 3 ALLOW FILTERING",
            "SELECT count(*) FROM t WHERE k = 1",
            "SELECT DISTINCT k FROM t",
            "SELECT k, max(v) FROM t GROUP BY k",
            "SELECT * FROM t WHERE k IN (1, 2)",
            "SELECT * FROM t WHERE k IN (1, 2) AND c > 3");

    @Test
    void aScanIsCassandrasOnceTheTablesHoldWhatWasAcknowledgedBeforeIt() {
        DatabaseDescriptor.setAuthorizer(new AllowAllAuthorizer());
        for (String scan : SCANS) {
            run(scan, ConsistencyLevel.QUORUM);
            run(scan, ConsistencyLevel.ONE);
        }
        assertThat(runner.kinds).hasSize(SCANS.size()).containsOnly(TransactionRunner.Kind.STRICT);
        assertThat(runner.transactions)
                .allSatisfy(each -> assertThat(each.rows()).isEmpty());
        assertThat(runner.awaited).hasSize(SCANS.size()).containsOnly(7L);
        assertThat(others).hasSize(2 * SCANS.size());
        for (int i = 0; i < SCANS.size(); i++) {
            assertThat(others.subList(2 * i, 2 * i + 2))
                    .containsExactly(ConsistencyLevel.LOCAL_QUORUM, ConsistencyLevel.ONE);
        }
        Map<String, ByteBuffer> strict = Map.of(Payload.MODE, ByteBufferUtil.bytes("strict"));
        assertThat(run(SCANS.get(0), ConsistencyLevel.QUORUM, null, strict).getCustomPayload())
                .containsOnlyKeys(Payload.TOKEN);
    }

    @Test
    void aScanThatHasNoPlaceOrNoTablesIsNotRead() {
        runner.held = new Answer.Refused(Answer.Refusal.BEHIND, "the tables here hold 5, asked for: 7");
        assertThatThrownBy(() -> run(SCANS.get(0), ConsistencyLevel.QUORUM))
                .isInstanceOf(ReadTimeoutException.class)
                .hasMessageContaining("hold 5, asked for: 7");
        runner.placed = new Answer.Refused(Answer.Refusal.NOT_PROPOSED, "no majority");
        assertThatThrownBy(() -> run(SCANS.get(0), ConsistencyLevel.QUORUM)).isInstanceOf(UnavailableException.class);
        runner.placed = new Answer.Unknown("lost");
        assertThatThrownBy(() -> run(SCANS.get(0), ConsistencyLevel.QUORUM)).isInstanceOf(ReadTimeoutException.class);
        assertThat(runner.awaited).hasSize(1);
        assertThat(others).isEmpty();
    }

    @Test
    void whatRowsAreWrittenByIsNotTold() {
        for (String text : List.of("SELECT writetime(v) FROM t", "SELECT ttl(v) FROM t WHERE k = 1 AND c = 2")) {
            assertThatThrownBy(() -> run(text, ConsistencyLevel.QUORUM))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("writetime() and ttl()");
        }
        assertThat(others).isEmpty();
    }

    @Test
    void aRangeIsStrictWhereASnapshotIsAskedFor() {
        Map<String, ByteBuffer> snapshot = Map.of(Payload.MODE, ByteBufferUtil.bytes("snapshot"));
        ResultMessage answer = run("SELECT v FROM t WHERE k = 1", ConsistencyLevel.QUORUM, null, snapshot);

        assertThat(runner.kinds).containsExactly(TransactionRunner.Kind.STRICT);
        assertThat(answer.getCustomPayload()).containsOnlyKeys(Payload.TOKEN);
        assertThatThrownBy(() -> run("DELETE FROM t WHERE k = 1", ConsistencyLevel.QUORUM, null, snapshot))
                .hasMessageContaining("cannot be a snapshot");
    }

    @Test
    void aDeleteOfARangeIsATransactionAtAnyLevel() {
        run("DELETE FROM t WHERE k = 1", ConsistencyLevel.ONE);
        run("BEGIN BATCH DELETE FROM t WHERE k = 1 AND c > 2; APPLY BATCH", ConsistencyLevel.ONE);

        assertThat(runner.kinds).hasSize(2).containsOnly(TransactionRunner.Kind.WRITE);
        assertThat(runner.transactions)
                .allSatisfy(each -> assertThat(each.claims()).hasSize(1));
    }

    @Test
    void noPageIsServedBehindOneOfAnotherStatement() {
        PagingState page = new PagingState(null, null, 5, 5);
        assertThatThrownBy(() -> run("SELECT v FROM t WHERE k = 1", ConsistencyLevel.QUORUM, page, null))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("begin again");
        run("SELECT v FROM t WHERE k = 1", ConsistencyLevel.ONE, page, null);
        assertThat(others).hasSize(1);
    }

    @Test
    void aPageOfRowsThatAreTooLargeTogetherHasFewer() {
        runner.mostTogether = 40;
        assertThat(run("SELECT v FROM t WHERE k = 1", ConsistencyLevel.QUORUM, 5_000, null, null))
                .isInstanceOf(ResultMessage.Rows.class);
        assertThat(runner.transactions).as("500, 250, 125, 62, 31").hasSize(5);

        runner.mostTogether = 0;
        assertThatThrownBy(() -> run("SELECT v FROM t WHERE k = 1", ConsistencyLevel.QUORUM, 2, null, null))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("take a part of it");
        assertThat(runner.transactions).hasSize(7);
    }

    @Test
    void whatCannotBeReadThatWayIsExplained() {
        assertThatThrownBy(() -> run("SELECT writetime(v) FROM t WHERE k = 1", ConsistencyLevel.QUORUM))
                .hasMessageContaining("writetime() and ttl()")
                .hasMessageContaining("Or read at ONE");
        run("SELECT writetime(v) FROM t WHERE k = 1", ConsistencyLevel.ONE);
        run("SELECT v FROM t WHERE k = 1 LIMIT 501", ConsistencyLevel.ONE);
        assertThat(others).hasSize(2);
        assertThatThrownBy(() -> run("DELETE FROM t WHERE k IN (1, 2)", ConsistencyLevel.QUORUM))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("this is of 2");
    }

    @Test
    void manyRowsAreDeletedOnceAllKnowHow() {
        runner.deleted = 3_000;
        run("DELETE FROM t WHERE k = 1 AND c > 2", ConsistencyLevel.QUORUM);
        assertThat(runner.transactions).hasSize(2);
        run("DELETE FROM t WHERE k = 1 AND c > 2", ConsistencyLevel.QUORUM);
        assertThat(runner.transactions).as("from then on at once").hasSize(3);
        runner.deleted = 6_000;
        assertThatThrownBy(() -> run("DELETE FROM t WHERE k = 1 AND c > 2", ConsistencyLevel.QUORUM))
                .isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void whereNotAllKnowHowManyRowsAreNotDeleted() {
        runner.deleted = 3_000;
        runner.format = Formats.PROPOSES_COMPUTED;
        runner.later = "node 7 of us does not know it";
        assertThatThrownBy(() -> run("DELETE FROM t WHERE k = 1 AND c > 2", ConsistencyLevel.QUORUM))
                .hasMessageContaining("more than 500 rows");
        assertThat(runner.transactions).hasSize(1);
    }

    @Test
    void rangesWaitUntilAllKnowThem() {
        runner.whyNot = "node 7 of us does not know them";
        for (String text : List.of("SELECT v FROM t WHERE k = 1", "DELETE FROM t WHERE k = 1 AND c > 2")) {
            assertThatThrownBy(() -> run(text, ConsistencyLevel.QUORUM))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("cannot be asked for yet: node 7 of us");
        }
        run("DELETE FROM t WHERE k = 1 AND c = 2", ConsistencyLevel.QUORUM);
        assertThat(runner.transactions).hasSize(1);
    }
}
