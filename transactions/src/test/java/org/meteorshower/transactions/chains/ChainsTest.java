/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.merge.Merged;
import org.meteorshower.transactions.port.Answer;
import org.meteorshower.transactions.port.Changes;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.port.Turn;

class ChainsTest {
    private static final SessionId SESSION = new SessionId(0, 0, 0);
    private static final RowKey A = new RowKey("t", "a");
    private static final RowKey B = new RowKey("t", "b");
    private static final RowKey C = new RowKey("t", "c");

    private static final long MOST_BYTES = 1L << 30;

    private final Turn turn = new Turn(new Members(0, 1));
    private final RowMemory memory = new RowMemory(turn::emit, 100, MOST_BYTES, 1, 0);
    private final List<String> executed = new ArrayList<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private final ChangeStream changes = new ChangeStream(MOST_BYTES, 0);
    private final ChainServer chains = new ChainServer(
            turn,
            memory,
            Checkpoint.first(1),
            (merged, index, submission, outcome) -> {
                executed.add(merged.number() + "." + index);
                outcomes.add(outcome);
            },
            changes,
            null);
    private long number;

    @BeforeEach
    void openSession() {
        turn.begin(new Now(0, 0));
        merge(new Request.Open());
        loaded(SESSION.row());
    }

    private void merge(Request... requests) {
        List<Submission> submissions =
                List.of(requests).stream().map(r -> new Submission(1, r)).toList();
        Entry entry = new Entry(number + 1, 1, submissions);
        chains.execute(new Merged(number, 0, number, number + 1, entry));
        number++;
    }

    private void loaded(RowKey... keys) {
        Map<RowKey, StoredRow> rows = new TreeMap<>();
        for (RowKey key : keys) {
            rows.put(key, StoredRow.NEVER_WRITTEN);
        }
        chains.loaded(1, rows);
    }

    private static Request add(long sequence, RowKey row, long value) {
        return run(sequence, List.of(), append(row, value), new Statement.Return(column(row)));
    }

    private static Request run(long sequence, List<Expression> asserts, Statement... body) {
        return new Request.Run(SESSION, sequence, new Transaction(asserts, List.of(body)));
    }

    private static Statement append(RowKey row, long value) {
        return new Statement.Put(
                row, "v", new Expression.Appended(column(row), new Expression.Constant(Value.of(value))));
    }

    private static Expression column(RowKey row) {
        return new Expression.Column(row, "v");
    }

    private static Request read(RowKey... rows) {
        return new Request.Read(new Transaction(
                List.of(),
                List.of(rows).stream()
                        .map(row -> (Statement) new Statement.Return(column(row)))
                        .toList()));
    }

    private static Outcome committed(Value... values) {
        return new Outcome.Committed(List.of(values));
    }

    private static Value list(long... values) {
        List<Value> items = new ArrayList<>();
        for (long value : values) {
            items.add(Value.of(value));
        }
        return new Value.Items(items);
    }

    private long count() {
        boolean advanced = true;
        while (advanced) {
            advanced = chains.advance().isPresent();
        }
        return chains.count();
    }

    @Test
    void transactionsOnOneRowRunInMergedOrderWhateverComesFirstFromTheStore() {
        merge(add(1, A, 1), add(2, A, 2));
        merge(add(3, A, 3));
        assertThat(executed).containsExactly("0.0");

        loaded(A);

        assertThat(executed).containsExactly("0.0", "1.0", "1.1", "2.0");
        assertThat(outcomes.get(3)).isEqualTo(committed(list(1, 2, 3)));
    }

    @Test
    void transactionsWithoutCommonRowsDoNotWaitForEachOther() {
        merge(read(A));
        merge(read(B));

        loaded(B);
        assertThat(executed).containsExactly("0.0", "2.0");
        assertThat(count()).isEqualTo(1);
        loaded(A);
        assertThat(count()).isEqualTo(3);
    }

    @Test
    void anAssertThatFailsOnTheWayDoesNotVisitTheRowsBehind() {
        merge(run(1, List.of(new Expression.Exists(A)), append(B, 1)));
        loaded(A);

        assertThat(outcomes.get(1))
                .isInstanceOfSatisfying(Outcome.Aborted.class, aborted -> assertThat(aborted.reason())
                        .isEqualTo(Outcome.Reason.ASSERT));
        merge(read(B));
        loaded(B);
        assertThat(outcomes.get(2)).isEqualTo(committed(Value.NOTHING));
    }

    @Test
    void whatHasEndedIsTakenAwayAndWhatWasSetAnewIsNot() {
        merge(run(1, List.of(), ending(A, 1, 100), ending(B, 2, 100)));
        merge(run(2, List.of(), ending(B, 3, 200)));
        merge(new Request.ExpireRows(List.of(B, A), 150));
        merge(read(A, B));
        loaded(A, B);

        assertThat(outcomes.subList(3, 5))
                .containsExactly(committed(Value.of(1)), committed(Value.NOTHING, Value.of(3)));
    }

    private static Statement ending(RowKey row, long value, long untilMillis) {
        return new Statement.Put(
                row, "v", new Expression.Ending(new Expression.Constant(Value.of(value)), untilMillis));
    }

    @Test
    void aNumberRunsOnceAndIsAnsweredTheSameAgain() {
        merge(add(1, A, 1));
        merge(add(1, A, 1));
        merge(read(A));
        loaded(A);

        assertThat(outcomes.subList(1, 4)).containsExactly(committed(list(1)), committed(list(1)), committed(list(1)));
    }

    @Test
    void aResultTooLargeToBeKeptIsToldOnceAndIsCommittedEverAfter() {
        Value large = Value.of("x".repeat(SessionRecord.MOST_KEPT_BYTES));
        Request put = run(
                1,
                List.of(),
                new Statement.Put(A, "v", new Expression.Constant(large)),
                new Statement.Return(column(A)));
        merge(put);
        merge(put);
        merge(new Request.Resolve(SESSION, 1));
        loaded(A);

        assertThat(outcomes.subList(1, 4)).containsExactly(committed(large), committed(), committed());
    }

    @Test
    void aResolvedNumberThatHadNotRunNeverRuns() {
        merge(new Request.Resolve(SESSION, 1));
        merge(add(1, A, 1));
        merge(read(A));
        loaded(A);

        assertThat(outcomes.subList(1, 3)).allSatisfy(outcome -> assertThat(((Outcome.Aborted) outcome).reason())
                .isEqualTo(Outcome.Reason.DEAD));
        assertThat(outcomes.get(3)).isEqualTo(committed(Value.NOTHING));
    }

    @Test
    void aResolvedNumberThatHadRunGivesItsOutcome() {
        merge(add(1, A, 1));
        loaded(A);
        merge(new Request.Resolve(SESSION, 1));

        assertThat(outcomes.get(2)).isEqualTo(committed(list(1)));
    }

    @Test
    void numbersThatAreTooOldAreRefusedAndNotRunAgain() {
        for (int sequence = 1; sequence <= SessionRecord.WINDOW + 1; sequence++) {
            merge(add(sequence, A, sequence));
        }
        merge(add(1, A, 1));
        loaded(A);

        assertThat(((Outcome.Aborted) outcomes.get(outcomes.size() - 1)).reason())
                .isEqualTo(Outcome.Reason.NUMBER_FORGOTTEN);
    }

    @Test
    void anExpiredSessionIsRefusedAndOneThatWasUsedMeanwhileDoesNotExpire() {
        long opened = Version.of(0, 0);
        merge(add(1, A, 1));
        loaded(A);
        merge(new Request.Expire(SESSION, opened));
        assertThat(outcomes.get(2)).isEqualTo(committed(Value.FALSE));
        merge(new Request.Expire(SESSION, Version.of(1, 0)));
        assertThat(outcomes.get(3)).isEqualTo(committed(Value.TRUE));
        merge(add(2, A, 2));

        assertThat(((Outcome.Aborted) outcomes.get(4)).reason()).isEqualTo(Outcome.Reason.SESSION_EXPIRED);
    }

    @Test
    void aSnapshotReadWaitsForItsTokenAndSeesOneMoment() {
        SnapshotReads reads = new SnapshotReads(turn, memory, MOST_BYTES);
        Transaction both =
                new Transaction(List.of(), List.of(new Statement.Return(column(A)), new Statement.Return(column(B))));
        reads.submit(7, both, 2, Long.MAX_VALUE);
        reads.advance(count(), 0);
        merge(run(1, List.of(), append(A, 1), append(B, 1)));
        loaded(A, B);
        reads.advance(count(), 5);

        assertThat(turn.end()).contains(new Effect.Reply(7, new Answer.Snapshot(List.of(list(1), list(1)), 2, 5)));
    }

    @Test
    void aSnapshotReadUnderWayDoesNotSeeWhatRunsWhileItsRowsAreRead() {
        SnapshotReads reads = new SnapshotReads(turn, memory, MOST_BYTES);
        Transaction both =
                new Transaction(List.of(), List.of(new Statement.Return(column(A)), new Statement.Return(column(C))));
        merge(add(1, A, 1));
        loaded(A);
        reads.submit(7, both, 0, Long.MAX_VALUE);
        reads.advance(count(), 0);
        chains.keepFrom(reads.oldest(chains.count()));
        merge(add(2, A, 2));
        reads.advance(count(), 0);
        loaded(C);
        reads.advance(count(), 0);

        assertThat(turn.end())
                .contains(new Effect.Reply(7, new Answer.Snapshot(List.of(list(1), Value.NOTHING), 2, 0)));
    }

    @Test
    void rowsAreWrittenBehindAsOfTheCountAndNotAnEntryLater() {
        merge(add(1, A, 1));
        loaded(A);
        long count = count();
        merge(add(2, A, 2));

        assertThat(memory.unwritten(count, 0, 0))
                .filteredOn(row -> row.key().equals(A))
                .singleElement()
                .extracting(RowWrite::row)
                .isEqualTo(new StoredRow(Version.of(1, 0), Row.ABSENT.with("v", list(1))));
    }

    @Test
    void theChangeStreamHasEachVersionInTheMergedOrderAndNothingOfSessions() {
        merge(add(1, B, 1));
        merge(add(2, A, 2), add(3, B, 3));
        loaded(A, B);
        assertThat(changes.take().rows())
                .as("nothing before it is the frontier's")
                .isEmpty();

        assertThat(count()).isEqualTo(3);
        Changes piece = changes.take();

        assertThat(piece.from()).isZero();
        assertThat(piece.below()).isEqualTo(3);
        assertThat(piece.rows().stream().map(row -> row.place() + "." + row.index() + " " + row.key()))
                .containsExactly("1.0 " + B, "2.0 " + A, "2.1 " + B);
        assertThat(piece.rows().get(2).row().get("v")).isEqualTo(list(1, 3));
        assertThat(changes.take()).isEqualTo(new Changes(3, 3, List.of()));
    }

    @Test
    void theChangeStreamHoldsExecutionUpUntilItIsStored() {
        ChangeStream small = new ChangeStream(1_000, 0);
        List<Evaluation> evaluations = List.of(new Evaluation(
                committed(), new TreeMap<>(Map.of(A, new Row(new TreeMap<>(Map.of("v", list(1, 2, 3))))))));
        Merged merged = new Merged(0, 0, 0, 1, new Entry(1, 1, List.of()));
        for (int i = 0; i < 100; i++) {
            small.executed(merged, evaluations);
        }
        assertThat(small.isFull(0)).isTrue();
        assertThat(small.isDue()).isTrue();

        assertThat(small.take().rows()).hasSize(100);
        assertThat(small.isFull(0)).as("it is still on its way").isTrue();
        assertThat(small.isDue()).isFalse();

        small.stored();
        assertThat(small.isFull(0)).isFalse();
        assertThat(small.bytes()).isZero();
    }

    /** What is executed first makes room in the end; nothing else does while the tables have all that is executed. */
    @Test
    void whereMemoryIsFullTheFirstTransactionsRowsAreReadAllTheSame() {
        RowMemory small = new RowMemory(turn::emit, 100, 4_000, 1, 0);
        ChainServer server = new ChainServer(
                turn,
                small,
                Checkpoint.first(1),
                (merged, index, submission, outcome) -> executed.add("small " + merged.number()),
                new ChangeStream(0, 0),
                null);
        for (int i = 0; i < 100; i++) {
            RowKey earlier = new RowKey("t", "earlier" + i);
            small.state(earlier);
            server.loaded(1, Map.of(earlier, large()));
            reads(small, server);
        }
        Request first = new Request.Once(new Transaction(List.of(), List.of(touch(B), touch(C))));
        Request second = new Request.Once(new Transaction(List.of(), List.of(touch(A))));
        server.execute(new Merged(0, 0, 0, 1, new Entry(1, 1, List.of(new Submission(1, first)))));
        server.execute(new Merged(1, 0, 1, 2, new Entry(2, 1, List.of(new Submission(2, second)))));

        List<RowKey> read = new ArrayList<>();
        for (List<RowKey> next = reads(small, server); !next.isEmpty(); next = reads(small, server)) {
            read.addAll(next);
            for (RowKey key : next) {
                server.loaded(1, Map.of(key, large()));
            }
            while (server.advance().isPresent()) {}
        }
        assertThat(read).containsExactly(B, C);
        assertThat(executed).contains("small 0").doesNotContain("small 1");
        assertThat(server.isFull()).isTrue();

        small.durable(small.unwritten(server.count(), 0, 0), server.count());
        assertThat(reads(small, server)).containsExactly(A);
    }

    private static Statement touch(RowKey row) {
        return new Statement.Put(row, "n", new Expression.Constant(Value.of(1)));
    }

    private static StoredRow large() {
        return new StoredRow(1, Row.ABSENT.with("v", Value.of("x".repeat(3_000))));
    }

    private List<RowKey> reads(RowMemory of, ChainServer server) {
        turn.end();
        turn.begin(new Now(0, 0));
        of.flush(server.count(), server::firstRows);
        return turn.end().stream()
                .flatMap(effect -> ((Effect.ReadRows) effect).rows().stream())
                .toList();
    }
}
