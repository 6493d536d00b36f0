/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Mutation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.ChangedRow;
import org.meteorshower.transactions.port.Changes;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;

/** What a process keeps on a real node, and what the next one finds of it. Each test has a data centre of its own. */
final class StoreIT {
    private static final int DCS = 3;
    private static final long EVERYTHING = 1L << 40;
    private static final long LIFE = 9;

    /** Some hundred of the changes below. */
    private static final long CHANGE_BYTES = 100_000;

    private static int made;

    private LogKeyspace keyspace;
    private FakeTables tables;
    private CassandraStore store;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    /** Users' rows, in memory. */
    private final class FakeTables implements TablesWithoutOrder {
        final Map<RowKey, Found> before = new HashMap<>();
        final Map<RowKey, StoredRow> seen = new ConcurrentHashMap<>();

        /** Versions that users were shown before transactions had them to go by. */
        final List<StoredRow> tooEarly = new ArrayList<>();

        @Override
        public Found read(RowKey key) {
            return before.getOrDefault(key, Found.NOTHING);
        }

        @Override
        public boolean hasNothing(RowKey key) {
            return !before.containsKey(key);
        }

        @Override
        public Object partition(RowKey key) {
            return key.table();
        }

        @Override
        public @Nullable Shown shown(RowKey key, Row row) {
            return key.key().equals("of no table")
                    ? null
                    : new Shown("ks." + key.table(), key.key(), row.exists() ? row.toString() : null);
        }

        @Override
        public List<Mutation> mutations(RowKey key, StoredRow row) {
            StoredRow written = new RowVersions(keyspace).read(1, EVERYTHING, key);
            if (written == null || written.version() < row.version()) {
                tooEarly.add(row);
            }
            seen.put(key, row);
            return List.of();
        }
    }

    @BeforeAll
    static void start() throws Exception {
        EmbeddedNode.start();
    }

    @BeforeEach
    void create() {
        keyspace = new LogKeyspace(0, made++, "datacenter1", 1);
        keyspace.create();
        setFence(LIFE);
        tables = new FakeTables();
        store = store(new LogExtent(DCS), List.of(0L, 0L, 0L));
    }

    private CassandraStore store(LogExtent extent, List<Long> trimmed) {
        return new CassandraStore(keyspace, extent, trimmed, LIFE, new Fence(keyspace), tables, CHANGE_BYTES);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static RowKey key(int number) {
        return new RowKey("t" + number % 3, "k" + number);
    }

    private static Row content(String text) {
        return Row.ABSENT.with("a", new Value.Text(text));
    }

    private static StoredRow row(long version) {
        return new StoredRow(version, content("of " + version));
    }

    private Event next() throws InterruptedException {
        Event event = events.poll(30, TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        return event;
    }

    private void write(int edition, RowWrite... rows) throws InterruptedException {
        store.writeRows(new Effect.WriteRows(7, edition, List.of(rows)), events::add);
        assertThat(next()).isEqualTo(new Event.RowsWritten(7));
    }

    private StoredRow read(int edition, long below, RowKey key) throws InterruptedException {
        store.readRows(new Effect.ReadRows(edition, below, new TreeSet<>(List.of(key))), events::add);
        return ((Event.RowsRead) next()).rows().get(key);
    }

    private Map<RowKey, StoredRow> readAll(int edition, long below, RowKey... keys) throws InterruptedException {
        store.readRows(new Effect.ReadRows(edition, below, new TreeSet<>(List.of(keys))), events::add);
        Map<RowKey, StoredRow> rows = new HashMap<>();
        while (rows.size() < keys.length) {
            rows.putAll(((Event.RowsRead) next()).rows());
        }
        return rows;
    }

    private void persist(Durable... records) throws InterruptedException {
        store.persist(new Effect.Persist(3, List.of(records)), events::add);
        assertThat(next()).isEqualTo(new Event.Persisted(3, LIFE));
    }

    private Recovery recovery() {
        StoredState.Found found = new StoredState(keyspace, DCS).read(LIFE);
        assertThat(found).isNotNull();
        return found.recovery();
    }

    @Test
    void aRowIsReadAsOfALimit() throws Exception {
        RowKey key = key(1);
        write(1, new RowWrite(key, row(100), 0, content("before"), 0));
        write(1, new RowWrite(key, row(200), 100, null, 0));

        assertThat(read(1, 201, key)).isEqualTo(row(200));
        assertThat(read(1, 200, key)).isEqualTo(row(100));
        assertThat(read(1, 100, key)).isEqualTo(new StoredRow(0, content("before")));
        assertThat(read(2, 201, key))
                .as("another edition has none of it, but what was before any is kept beyond editions")
                .isEqualTo(new StoredRow(0, content("before")));
        assertThat(tables.seen).containsEntry(key, row(200));
        assertThat(tables.tooEarly).isEmpty();
    }

    @Test
    void whatNoTransactionHadWrittenWasAbsentUnlessItIsKept() throws Exception {
        write(1, new RowWrite(key(1), row(100), 0, null, 0));
        assertThat(read(1, 100, key(1))).isEqualTo(StoredRow.NEVER_WRITTEN);

        tables.before.put(key(2), new UserTables.Found(content("as of the enabling"), false));
        assertThat(read(1, 100, key(2))).isEqualTo(new StoredRow(0, content("as of the enabling")));
    }

    @Test
    void newRowsAreReadBesideOthersAndNotTakenForNewOnceTheyAreNot() throws Exception {
        write(1, new RowWrite(key(1), row(100), 0, null, 0));
        write(1, new RowWrite(key(5), row(100), 0, content("before"), 0));
        tables.before.put(key(2), new UserTables.Found(content("as of the enabling"), false));
        Map<RowKey, StoredRow> rows = readAll(1, EVERYTHING, key(1), key(2), key(3), key(4), key(5));
        assertThat(rows)
                .containsEntry(key(1), row(100))
                .containsEntry(key(2), new StoredRow(0, content("as of the enabling")))
                .containsEntry(key(3), StoredRow.NEVER_WRITTEN)
                .containsEntry(key(4), StoredRow.NEVER_WRITTEN)
                .containsEntry(key(5), row(100));
        assertThat(readAll(2, EVERYTHING, key(1), key(5)))
                .as("another edition has none of them, but what was before any is kept")
                .containsEntry(key(1), StoredRow.NEVER_WRITTEN)
                .containsEntry(key(5), new StoredRow(0, content("before")));

        write(1, new RowWrite(key(3), row(200), 0, null, 0));
        setFence(LIFE + 1);
        rows = readAll(1, EVERYTHING, key(3), key(4));
        assertThat(rows).containsEntry(key(3), row(200));
        assertThat(rows.get(key(4)).version()).isEqualTo(StoredRow.PAST_GONE);
    }

    @Test
    void aPastThatIsForgottenIsGoneWhateverComesLate() throws Exception {
        RowWrite first = new RowWrite(key(1), row(100), 0, content("before"), 0);
        RowWrite second = new RowWrite(key(1), row(200), 100, null, 0);
        write(1, first);
        write(1, second);
        write(1, new RowWrite(key(1), row(300), 200, null, 200));
        assertThat(read(1, 300, key(1))).isEqualTo(row(200));
        assertThat(read(1, 200, key(1)).version()).isEqualTo(StoredRow.PAST_GONE);

        write(1, first);
        write(1, second);
        assertThat(read(1, 200, key(1)).version()).isEqualTo(StoredRow.PAST_GONE);
        assertThat(read(1, 1, key(1)).version()).isEqualTo(StoredRow.PAST_GONE);
        assertThat(read(1, 301, key(1))).isEqualTo(row(300));
    }

    /** Only a process that was replaced, and goes on for a moment, reads so far back. */
    @Test
    void whatUsersHadIsToldAlsoWhenTheEditionHasForgottenIt() throws Exception {
        write(1, new RowWrite(key(1), row(100), 0, content("before"), 0));
        write(1, new RowWrite(key(2), row(100), 0, null, 0));
        for (int k = 1; k <= 2; k++) {
            write(1, new RowWrite(key(k), row(200), 100, null, 100));
        }

        assertThat(read(1, 100, key(1))).isEqualTo(new StoredRow(0, content("before")));
        assertThat(read(1, 100, key(2))).isEqualTo(StoredRow.NEVER_WRITTEN);
    }

    @Test
    void aPurgedRowLeavesNothingAndMayBeWrittenAgain() throws Exception {
        StoredRow absent = new StoredRow(200, Row.ABSENT);
        write(1, new RowWrite(key(1), row(100), 0, null, 0));
        write(1, new RowWrite(key(1), absent, 100, null, 0));
        tables.seen.clear();
        write(1, new RowWrite(key(1), absent, 100, null, 201));

        assertThat(tables.seen).as("users have seen it").isEmpty();
        assertThat(new RowVersions(keyspace).read(1, EVERYTHING, key(1))).isNull();
        write(1, new RowWrite(key(1), row(300), 0, null, 0));
        assertThat(read(1, 301, key(1))).isEqualTo(row(300));
        assertThat(read(1, 300, key(1))).isEqualTo(StoredRow.NEVER_WRITTEN);
    }

    @Test
    void whatUsersHadBeforeGoesOnBeingAbsentWhenItWasDeleted() throws Exception {
        StoredRow absent = new StoredRow(200, Row.ABSENT);
        tables.before.put(key(1), new UserTables.Found(content("left"), false));
        write(1, new RowWrite(key(1), row(100), 0, content("before"), 0));
        write(1, new RowWrite(key(1), absent, 100, null, 100));
        write(1, new RowWrite(key(1), absent, 0, null, 201));

        assertThat(read(1, EVERYTHING, key(1))).isEqualTo(absent);
    }

    @Test
    void whoWasReplacedIsToldThatThePastIsGoneWhereTheEditionHasNothing() throws Exception {
        tables.before.put(key(1), new UserTables.Found(content("left"), true));
        write(1, new RowWrite(key(2), row(100), 0, null, 0));
        assertThat(read(1, 100, key(1))).isEqualTo(new StoredRow(0, content("left")));

        setFence(LIFE + 1);
        assertThat(read(1, 100, key(1)).version()).isEqualTo(StoredRow.PAST_GONE);
        assertThat(read(1, 101, key(7)).version()).isEqualTo(StoredRow.PAST_GONE);
        assertThat(read(1, 101, key(2))).isEqualTo(row(100));
    }

    @Test
    void whoWasReplacedGivesNoPage() throws Exception {
        write(1, new RowWrite(key(2), row(100), 0, null, 0));
        setFence(LIFE + 1);
        store.readPage(new Effect.ReadPage(5, 1, 1_000, "", 100_000, false), events::add);
        assertThat(events.poll(2, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void theFenceIsReadAgainOnlyWhenItWasWritten() {
        Fence fence = new Fence(keyspace);
        ColumnFamilyStore table = ColumnFamilyStore.getIfExists(keyspace.metadata("fence"));
        assertThat(fence.life()).isEqualTo(LIFE);
        long reads = table.metric.readLatency.latency.getCount();
        for (int i = 0; i < 100; i++) {
            assertThat(fence.life()).isEqualTo(LIFE);
        }
        assertThat(table.metric.readLatency.latency.getCount()).isEqualTo(reads);

        // Each of them is seen at once, whatever is flushed meanwhile.
        for (int i = 1; i <= 200; i++) {
            if (i % 10 == 0) {
                var unused = table.forceFlush(ColumnFamilyStore.FlushReason.UNIT_TESTS);
            }
            setFence(LIFE + i);
            assertThat(fence.life()).isEqualTo(LIFE + i);
        }
        table.forceBlockingFlush(ColumnFamilyStore.FlushReason.UNIT_TESTS);
        assertThat(fence.life()).isEqualTo(LIFE + 200);
    }

    private void setFence(long life) {
        var unused = QueryProcessor.executeInternal(
                "INSERT INTO " + keyspace.table("fence") + " (part, life) VALUES (0, ?)", life);
    }

    @Test
    void pagesHoldAllRowsOfAnEditionOnceAndAreBounded() throws Exception {
        List<RowWrite> rows = new ArrayList<>();
        Map<RowKey, StoredRow> wanted = new TreeMap<>();
        for (int i = 0; i < 1_500; i++) {
            StoredRow row = new StoredRow(100 + i, content("x".repeat(i % 400)));
            rows.add(new RowWrite(key(i), row, 0, null, 0));
            if (i % 3 == 0) {
                rows.add(new RowWrite(key(i), new StoredRow(10_000 + i, content("late")), row.version(), null, 0));
            }
            if (i >= 100) {
                wanted.put(key(i), row);
            }
        }
        for (int i = 0; i < 100; i++) {
            rows.set(i, new RowWrite(key(5_000 + i), new StoredRow(20_000, content("beyond")), 0, null, 0));
        }
        wanted.clear();
        rows.stream().filter(each -> each.row().version() < 10_000).forEach(each -> wanted.put(each.key(), each.row()));
        write(1, rows.toArray(RowWrite[]::new));
        write(2, rows.subList(0, 700).toArray(RowWrite[]::new));

        Map<RowKey, StoredRow> found = new TreeMap<>();
        String place = "";
        int pages = 0;
        do {
            store.readPage(new Effect.ReadPage(5, 1, 10_000, place, 10_000, false), events::add);
            Event.PageRead page = (Event.PageRead) next();
            assertThat(page.rows().keySet()).noneMatch(found::containsKey);
            assertThat(page.rows().values().stream()
                            .mapToInt(row -> row.row().toString().length())
                            .sum())
                    .isLessThan(12_000);
            found.putAll(page.rows());
            place = page.next();
            pages++;
        } while (!place.isEmpty());
        assertThat(found).isEqualTo(wanted);
        assertThat(pages).isGreaterThan(20);
    }

    @Test
    void aPageOfASnapshotIsWrittenAndReadAgain() throws Exception {
        Map<RowKey, StoredRow> rows = Map.of(key(1), row(100), key(2), new StoredRow(0, content("kept")));
        // Who takes it knows then what there was before, and goes on giving it to others.
        Map<RowKey, Row> bases = Map.of(key(1), content("before"));
        store.writePage(new Effect.WritePage(4, 2, rows, bases, 0), events::add);
        assertThat(next()).isEqualTo(new Event.PageWritten(4));
        store.readPage(new Effect.ReadPage(5, 2, 1_000, "", 100_000, true), events::add);
        assertThat(next()).isEqualTo(new Event.PageRead(5, rows, bases, ""));
    }

    @Test
    void forgottenEditionsGoAndOthersStay() throws Exception {
        for (int i = 0; i < 300; i++) {
            write(1, new RowWrite(key(i), row(100), 0, null, 0));
            write(2, new RowWrite(key(i), row(200), 0, null, 0));
        }
        store.forgetEditions(new Effect.ForgetEditions(2, 1_000), done -> {});
        EditionCleanup cleanup = new EditionCleanup(keyspace, tables);
        for (int i = 0; i < 300 && cleanup.isNeeded(2); i++) {
            Thread.sleep(100);
        }
        assertThat(cleanup.isNeeded(2)).isFalse();
        assertThat(cleanup.isNeeded(3)).isTrue();
        write(1, new RowWrite(key(1), row(100), 0, null, 0)); // comes late
        assertThat(count(LogKeyspace.VERSIONS)).isEqualTo(300);
        assertThat(read(2, 201, key(7))).isEqualTo(row(200));
    }

    /** Deleted by who gave the edition in use, and forgotten there. */
    @Test
    void whatOnlyAForgottenEditionHasGoesFromTheUsersTable() throws Exception {
        write(1, new RowWrite(key(1), row(100), 0, null, 0)); // lost
        write(1, new RowWrite(key(2), row(100), 0, null, 0)); // kept
        write(1, new RowWrite(key(3), row(Version.endOf(5)), 0, null, 0)); // to be written again
        write(2, new RowWrite(key(2), row(200), 0, null, 0));
        tables.seen.clear();

        store.forgetEditions(new Effect.ForgetEditions(2, 5), done -> {});
        EditionCleanup cleanup = new EditionCleanup(keyspace, tables);
        for (int i = 0; i < 300 && cleanup.isNeeded(2); i++) {
            Thread.sleep(100);
        }
        assertThat(tables.seen).containsExactly(Map.entry(key(1), new StoredRow(100, Row.ABSENT)));
        assertThat(count(LogKeyspace.VERSIONS)).isEqualTo(1);
    }

    private long count(String table) {
        return QueryProcessor.executeInternal("SELECT count(*) AS n FROM " + keyspace.table(table))
                .one()
                .getLong("n");
    }

    private static Entry entry(long epoch, int bytes) {
        Request read = new Request.Read(
                new Transaction(List.of(new Expression.Constant(new Value.Text("x".repeat(bytes)))), List.of()));
        return new Entry(epoch, 77, List.of(new Submission(1, read)));
    }

    private List<Entry> readLog(int lane, long from, long below, int bytes) throws InterruptedException {
        store.readLog(new Effect.ReadLog(5, lane, from, below, bytes), events::add);
        return ((Event.LogRead) next()).entries();
    }

    @Test
    void theLogIsReadAcrossBucketsWithoutAGapAndInBytes() throws Exception {
        List<Durable> batch = new ArrayList<>();
        for (long position = 4_000; position < 8_300; position++) {
            if (position != 8_250) {
                batch.add(new Durable.Accept(1, position, 50, entry(position, 100)));
            }
        }
        persist(batch.toArray(Durable[]::new));

        List<Entry> all = readLog(1, 4_000, 9_000, 1 << 24);
        assertThat(all).hasSize(4_250).startsWith(entry(4_000, 100)).endsWith(entry(8_249, 100));
        assertThat(readLog(1, 8_251, 8_260, 1 << 24)).hasSize(9);
        assertThat(readLog(1, 4_090, 9_000, 1_500)).hasSizeBetween(2, 8).startsWith(entry(4_090, 100));
        assertThat(readLog(1, 4_090, 9_000, 1)).hasSize(1);
        assertThat(readLog(1, 4_090, 9_000, 100_000).stream()
                        .mapToInt(Entry::weight)
                        .sum())
                .as("bytes of heap, since that is what a page takes where it arrives")
                .isBetween(99_000, 102_000);
        assertThat(readLog(1, 8_250, 9_000, 1_000)).isEmpty();
        assertThat(readLog(0, 4_000, 9_000, 1_000)).isEmpty();
    }

    @Test
    void whatWasLearnedStaysWhateverIsAcceptedLater() throws Exception {
        persist(new Durable.Generation(keyspace.dc(), 1, 1), new Durable.Accept(0, 5, 900, entry(1, 1)));
        persist(new Durable.Learned(0, 5, entry(2, 1)));
        persist(new Durable.Accept(0, 5, 1L << 50, entry(3, 1)));
        assertThat(readLog(0, 5, 6, 100)).containsExactly(entry(2, 1));
        own();
        Recovery recovery = recovery();
        assertThat(recovery.acceptors().get(0).accepted()).isEmpty();
        assertThat(recovery.learned().get(0)).containsExactly(new AcceptedEntry(5, 1L << 50, entry(2, 1)));
    }

    @Test
    void theBallotOfAVoteStaysBesideWhatIsLearnedInWhicheverOrder() throws Exception {
        own();
        persist(new Durable.Learned(0, 5, entry(2, 1)), new Durable.Learned(0, 6, entry(6, 1)));
        persist(new Durable.Accept(0, 5, 900, entry(2, 1)), new Durable.Accept(0, 7, 900, entry(7, 1)));
        persist(new Durable.Learned(0, 7, entry(7, 1)));
        Recovery recovery = recovery();
        assertThat(recovery.acceptors().get(0).accepted()).isEmpty();
        assertThat(recovery.learned().get(0))
                .containsExactly(
                        new AcceptedEntry(5, 900, entry(2, 1)),
                        new AcceptedEntry(6, 0, entry(6, 1)),
                        new AcceptedEntry(7, 900, entry(7, 1)));
    }

    /** The generation that says that this data centre was founded. */
    private void own() throws InterruptedException {
        persist(new Durable.Generation(keyspace.dc(), 1, 1));
    }

    private static Checkpoint checkpoint(long count, long position) {
        return new Checkpoint(count, List.of(position, position, position), List.of(1L, 1L, 1L), count);
    }

    @Test
    void theNextProcessFindsWhatTheLastOneHasLeft() throws Exception {
        own();
        persist(new Durable.Promise(0, 500), new Durable.Done(checkpoint(10, 4), 2));
        for (long position = 0; position < 9_000; position += 500) {
            persist(new Durable.Accept(0, position, 600, entry(position, 50)));
            persist(new Durable.Accept(1, position + 1, 600, entry(position, 50)));
        }
        persist(new Durable.Settled(0, 8_001), new Durable.Barred(1, 3_000), new Durable.Truncate(2, 40));
        Recovery recovery = recovery();

        assertThat(recovery.checkpoint()).isEqualTo(checkpoint(10, 4));
        assertThat(recovery.edition()).isEqualTo(2);
        assertThat(recovery.installing()).isNull();
        assertThat(recovery.settled()).containsExactly(8_001L, 4L, 4L);
        assertThat(recovery.acceptors().get(0).accepted())
                .containsExactly(new AcceptedEntry(8_500, 600, entry(8_500, 50)));
        assertThat(recovery.acceptors().get(0).promised()).isEqualTo(600);
        assertThat(recovery.acceptors().get(1).accepted()).hasSize(17);
        assertThat(recovery.acceptors().get(1).floor()).isEqualTo(3_000);
        assertThat(recovery.acceptors().get(2).floor()).isEqualTo(40);
        long written = 36L * LogCodec.bytes(entry(5_000, 50)).length;
        assertThat(recovery.logBytes()).isBetween(written / 2, written * 2);
    }

    @Test
    void aLateOlderRecordNeverWins() throws Exception {
        own();
        persist(new Durable.Installing(checkpoint(900, 7), 3, 5, "there"));
        persist(new Durable.Installing(checkpoint(900, 7), 3, 4, "here"), new Durable.Done(checkpoint(5_000, 8), 2));
        assertThat(recovery().installing()).isEqualTo(new Durable.Installing(checkpoint(900, 7), 3, 5, "there"));
        assertThat(recovery().edition()).isEqualTo(2);

        persist(new Durable.Done(checkpoint(900, 7), 3));
        persist(
                new Durable.Done(checkpoint(6_000, 8), 2),
                new Durable.Installing(checkpoint(900, 7), 3, 6, "end"),
                new Durable.Settled(0, 12));
        persist(new Durable.Settled(0, 11), new Durable.Promise(0, 9));
        persist(new Durable.Promise(0, 8));
        Recovery recovery = recovery();
        assertThat(recovery.installing()).isNull();
        assertThat(recovery.checkpoint()).isEqualTo(checkpoint(900, 7));
        assertThat(recovery.edition()).isEqualTo(3);
        assertThat(recovery.settled().get(0)).isEqualTo(12);
        assertThat(recovery.acceptors().get(0).promised()).isEqualTo(9);
    }

    @Test
    void whatIsBelowTheFloorsIsDeletedAndARestartGoesOnWithThat() throws Exception {
        own();
        List<Durable> batch = new ArrayList<>();
        for (long position = 0; position < 9_000; position++) {
            batch.add(new Durable.Accept(0, position, 50, entry(position, 10)));
            batch.add(new Durable.Accept(1, position, 50, entry(position, 10)));
        }
        persist(batch.toArray(Durable[]::new));
        long before = recovery().logBytes();
        persist(new Durable.Truncate(0, 5_000));
        awaitCount(LogKeyspace.ENTRIES, 18_000 - LogPlaces.trimmed(5_000));
        persist(new Durable.Accept(0, 17, 50, entry(17, 10))); // comes late
        assertThat(count(LogKeyspace.ENTRIES)).isEqualTo(18_000 - LogPlaces.trimmed(5_000));
        assertThat(recovery().logBytes()).isBetween(before / 2, before - before / 8);

        store.close();
        StoredState.Found found = new StoredState(keyspace, DCS).read(LIFE);
        store = store(found.extent(), found.trimmed());
        assertThat(found.trimmed().get(0)).isEqualTo(LogPlaces.trimmed(5_000));
        persist(new Durable.Truncate(0, 8_999), new Durable.Truncate(1, 9_000));
        awaitCount(LogKeyspace.ENTRIES, 18_000 - LogPlaces.trimmed(8_999) - LogPlaces.trimmed(9_000));
        assertThat(readLog(0, 8_999, 9_000, 100)).hasSize(1);
    }

    private void awaitCount(String table, long wanted) throws InterruptedException {
        for (int i = 0; i < 300 && count(table) != wanted; i++) {
            Thread.sleep(100);
        }
        assertThat(count(table)).isEqualTo(wanted);
    }

    @Test
    void aBatchIsOneMutationWhereItFallsIntoOneBucket() {
        List<Durable> records = List.of(
                new Durable.Accept(0, 9_000, 5, entry(1, 1)),
                new Durable.Accept(1, 9_100, 5, entry(1, 1)),
                new Durable.Accept(2, 8_300, 5, entry(1, 1)));
        LogExtent extent = new LogExtent(DCS);
        assertThat(DurableMutations.of(records, keyspace, extent))
                .as("the bucket is noted, too")
                .hasSize(2);
        for (int lane = 0; lane < DCS; lane++) {
            extent.written(lane, 2);
        }
        assertThat(DurableMutations.of(records, keyspace, extent)).hasSize(1);
    }

    private void write(Changes changes) throws InterruptedException {
        store.writeChanges(new Effect.WriteChanges(changes), events::add);
        assertThat(next()).isEqualTo(new Event.ChangesWritten());
    }

    private static Changes changes(long from, long below, long... places) {
        List<ChangedRow> rows = new ArrayList<>();
        for (long place : places) {
            rows.add(new ChangedRow(place, 0, key((int) place), content("at " + place)));
        }
        return new Changes(from, below, rows);
    }

    private long limit(String name) {
        return select("SELECT " + name + " FROM " + keyspace.table(LogKeyspace.CHANGE_LIMITS))
                .one()
                .getLong(name);
    }

    private UntypedResultSet select(String query) {
        return QueryProcessor.executeInternal(query);
    }

    private List<Long> stored() {
        List<Long> places = new ArrayList<>();
        for (UntypedResultSet.Row bucket :
                select("SELECT bucket FROM " + keyspace.table(LogKeyspace.CHANGE_BUCKETS) + " WHERE part = 0")) {
            for (UntypedResultSet.Row row : select("SELECT place FROM " + keyspace.table(LogKeyspace.CHANGES)
                    + " WHERE bucket = " + bucket.getLong("bucket"))) {
                places.add(row.getLong("place"));
            }
        }
        return places;
    }

    @Test
    void theChangeStreamGoesOnWhereItWasAlsoInABucketThatWasEmptySoFar() throws Exception {
        write(changes(0, 300, 3, 255));
        assertThat(limit("below")).isEqualTo(300);
        store.close();
        store = store(new LogExtent(DCS), List.of(0L, 0L, 0L));

        write(changes(250, 310, 255, 305));

        assertThat(stored()).containsExactly(3L, 255L, 305L);
        assertThat(limit("oldest")).isZero();
        assertThat(limit("below")).isEqualTo(310);
        write(new Changes(310, 1_000, List.of()));
        assertThat(limit("below")).as("nothing until then").isEqualTo(1_000);
    }

    @Test
    void theChangeStreamTellsWhatARowIsAndThatItIsNoMore() throws Exception {
        write(new Changes(
                0,
                9,
                List.of(
                        new ChangedRow(5, 2, key(1), content("x")),
                        new ChangedRow(5, 3, key(1), Row.ABSENT),
                        new ChangedRow(6, 0, new RowKey("t", "of no table"), content("y")))));

        UntypedResultSet rows = select("SELECT idx, tbl, key, row FROM " + keyspace.table(LogKeyspace.CHANGES));
        List<String> told = new ArrayList<>();
        rows.forEach(row -> told.add(row.getInt("idx") + " " + row.getString("tbl") + " " + row.getString("key") + " "
                + (row.has("row") ? "set" : "gone")));
        assertThat(told).containsExactly("2 ks.t1 k1 set", "3 ks.t1 k1 gone");
    }

    @Test
    void whereAPieceOfTheChangeStreamIsMissingItBeginsAnew() throws Exception {
        write(changes(0, 300, 3, 255));

        write(changes(5_000, 5_100, 5_001));

        assertThat(limit("oldest")).isEqualTo(5_000);
        assertThat(limit("below")).isEqualTo(5_100);
        write(changes(290, 295, 291));
        assertThat(limit("oldest")).as("a replaced process, late").isEqualTo(5_000);
        assertThat(limit("below")).isEqualTo(5_100);
        assertThat(select("SELECT place FROM " + keyspace.table(LogKeyspace.CHANGES)))
                .as("nor has it left something in a bucket that nobody would delete")
                .hasSize(3);
    }

    @Test
    void theOldestOfTheChangeStreamGoesAndThatIsTold() throws Exception {
        for (long from = 0; from < 256 * 500; from += 25_600) {
            long[] places = new long[100];
            for (int i = 0; i < places.length; i++) {
                places[i] = from + 256L * i;
            }
            write(changes(from, from + 25_600, places));
        }

        List<Long> left = stored();
        assertThat(left).hasSizeBetween(50, 200).contains(256L * 499);
        assertThat(limit("oldest")).isEqualTo(left.get(0));
        assertThat(limit("below")).isEqualTo(256 * 500);
        assertThat(select("SELECT place FROM " + keyspace.table(LogKeyspace.CHANGES)))
                .as("the rest is deleted")
                .hasSize(left.size());
    }

    @Test
    void aPieceOfTheChangeStreamThatFailedIsWrittenAnewAsAWhole() {
        AtomicInteger writes = new AtomicInteger();
        ChangeWriting writing = new ChangeWriting(keyspace, tables, CHANGE_BYTES, mutations -> {
            if (writes.incrementAndGet() == 2) { // its rows are there, and nobody is told of them
                throw new IllegalStateException("down");
            }
            LocalWrites.write(mutations, true);
        });
        assertThatThrownBy(() -> writing.write(changes(0, 300, 3))).hasMessage("down");

        writing.write(changes(0, 300, 3));

        assertThat(stored()).containsExactly(3L);
        assertThat(limit("below")).isEqualTo(300);
    }
}
