/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaTransformations;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.transactions.RowForm;
import org.meteorshower.cassandra.transactions.TransactionOptions;
import org.meteorshower.cassandra.transactions.ValueForm;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.RowOrder;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;

/** Which keys a process is told of a range, on a real node with users' tables. Each test has its own of both. */
final class RowKeysIT {
    private static final long LIFE = 9;
    private static final long BASE_MICROS = 1_000_000_000_000_000L;
    private static final long EVERYTHING = 1L << 40;
    private static final int MANY = 2_000;
    private static final ByteBuffer PARTITION = ByteBufferUtil.bytes("p");
    private static final RowOrder ORDER = new RowOrder(List.of(
            new RowOrder.Column(ValueForm.kindOf(UTF8Type.instance), RowOrder.Column.VARIABLE, false),
            new RowOrder.Column(ValueForm.kindOf(Int32Type.instance), Integer.BYTES, true)));

    private static int made = 200;

    private LogKeyspace keyspace;
    private TableMetadata table;
    private TableMetadata unordered;
    private CassandraStore store;
    private final CassandraTables tables = new CassandraTables();
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    @BeforeAll
    static void start() throws Exception {
        EmbeddedNode.start();
    }

    /** Rows of the ordered one are in the order of {@code c}, and those with the same from the highest {@code d} on. */
    @BeforeEach
    void create() {
        keyspace = new LogKeyspace(0, made++, "datacenter1", 1);
        keyspace.create();
        setFence(LIFE);
        String users = "users_" + made;
        table = table(
                users,
                "CREATE TABLE ordered (k text, c text, d int, v text, s text static, PRIMARY KEY (k, c, d))"
                        + " WITH CLUSTERING ORDER BY (c ASC, d DESC)");
        unordered = table(users, "CREATE TABLE unordered (k text PRIMARY KEY, v text)");
        var unused = Schema.instance.transform(SchemaTransformations.addKeyspace(
                KeyspaceMetadata.create(users, KeyspaceParams.nts("datacenter1", 1), Tables.of(table, unordered)),
                true));
        store = store(tables);
    }

    private static TableMetadata table(String users, String statement) {
        return CreateTableStatement.parse(statement, users)
                .id(TableId.generate())
                .extensions(Map.of(
                        TransactionOptions.EXTENSION,
                        TransactionOptions.open(BASE_MICROS, 0).toExtension()))
                .build();
    }

    private CassandraStore store(UserTables of) {
        return new CassandraStore(
                keyspace, new LogExtent(3), List.of(0L, 0L, 0L), LIFE, new Fence(keyspace), of, 100_000);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void setFence(long life) {
        var unused = QueryProcessor.executeInternal(
                "INSERT INTO " + keyspace.table("fence") + " (part, life) VALUES (0, ?)", life);
    }

    private RowKey key(String c, int d) {
        return RowForm.keyOf(
                table, PARTITION, Clustering.make(ByteBufferUtil.bytes(c), Int32Type.instance.decompose(d)));
    }

    private static Row content(String text) {
        Value.Typed value = ValueForm.typed(UTF8Type.instance, ByteBufferUtil.bytes(text));
        return Row.ABSENT.with(RowForm.MARKER, Value.TRUE).with("v", value);
    }

    private static StoredRow row(long version) {
        return new StoredRow(version, content("of " + version));
    }

    private static RowWrite first(RowKey key, long version) {
        return new RowWrite(key, row(version), 0, null, 0);
    }

    private static RowWrite absent(RowKey key, long version, long previous) {
        return new RowWrite(key, new StoredRow(version, Row.ABSENT), previous, null, 0);
    }

    private static RowWrite purge(RowKey key, long version) {
        return new RowWrite(key, new StoredRow(version, Row.ABSENT), 0, null, version + 1);
    }

    private void write(int edition, RowWrite... rows) throws InterruptedException {
        store.writeRows(new Effect.WriteRows(7, edition, List.of(rows)), events::add);
        assertThat(next()).isEqualTo(new Event.RowsWritten(7));
    }

    private Event next() throws InterruptedException {
        Event event = events.poll(30, TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        return event;
    }

    private static Range.Edge edge(boolean included, Object... values) {
        List<Value.Typed> typed = new ArrayList<>();
        for (Object value : values) {
            typed.add(
                    value instanceof Integer number
                            ? ValueForm.typed(Int32Type.instance, Int32Type.instance.decompose(number))
                            : ValueForm.typed(UTF8Type.instance, ByteBufferUtil.bytes((String) value)));
        }
        return new Range.Edge(typed, included);
    }

    private Range range(Range.Edge from, Range.Edge to, boolean backward) {
        String part = RowOrder.partition(key("", 0));
        assertThat(part).isNotNull();
        return new Range(new Partition(table.id.toString(), part), ORDER, from, to, backward, Range.ALL);
    }

    private Range all(boolean backward) {
        return range(Range.Edge.OPEN, Range.Edge.OPEN, backward);
    }

    private Event.KeysRead read(int edition, Range range, @Nullable RowKey after, int most)
            throws InterruptedException {
        store.readKeys(new Effect.ReadKeys(5, edition, range, after, most), events::add);
        Event.KeysRead read = (Event.KeysRead) next();
        assertThat(read.request()).isEqualTo(5);
        return read;
    }

    private List<RowKey> told(int edition, Range range) throws InterruptedException {
        Event.KeysRead read = read(edition, range, null, MANY);
        assertThat(read.more()).isFalse();
        return read.keys();
    }

    private List<RowKey> inPages(Range range, int most) throws InterruptedException {
        List<RowKey> keys = new ArrayList<>();
        Event.KeysRead read;
        do {
            read = read(1, range, keys.isEmpty() ? null : keys.get(keys.size() - 1), most);
            assertThat(read.keys()).hasSizeLessThanOrEqualTo(most);
            keys.addAll(read.keys());
        } while (read.more());
        return keys;
    }

    private void insert(String c, int d) {
        execute("INSERT INTO %s (k, c, d, v) VALUES ('p', ?, ?, 'before') USING TIMESTAMP 5", c, d);
    }

    private void delete(String c, int d) {
        execute("DELETE FROM %s USING TIMESTAMP " + (BASE_MICROS + 5) + " WHERE k = 'p' AND c = ? AND d = ?", c, d);
    }

    private void execute(String statement, Object... values) {
        var unused = QueryProcessor.executeInternal(String.format(statement, table), values);
    }

    private long count(String of) {
        return QueryProcessor.executeInternal("SELECT count(*) AS n FROM " + of)
                .one()
                .getLong("n");
    }

    private long keys() {
        return count(keyspace.table(LogKeyspace.KEYS));
    }

    @Test
    void whatWasWrittenIsToldInTheOrderOfTheTable() throws Exception {
        write(
                1,
                first(key("b", 1), 100),
                first(key("a", 7), 101),
                first(key("b", -2), 102),
                first(key("b", 3), 103),
                first(key("", 5), 104),
                first(key("c", 1), 105));
        // Only the transactions' own tables tell:
        execute("TRUNCATE %s");
        List<RowKey> all = List.of(key("", 5), key("a", 7), key("b", 3), key("b", 1), key("b", -2), key("c", 1));

        assertThat(told(1, all(false))).isEqualTo(all);
        assertThat(told(1, range(edge(true, "b"), edge(true, "b"), false))).isEqualTo(all.subList(2, 5));
        assertThat(told(1, range(edge(false, "a"), Range.Edge.OPEN, false))).isEqualTo(all.subList(2, 6));
        assertThat(told(1, range(Range.Edge.OPEN, edge(false, "b"), false))).isEqualTo(all.subList(0, 2));
        assertThat(told(1, range(edge(true, "b", 3), edge(false, "b", -2), false)))
                .isEqualTo(all.subList(2, 4));
        assertThat(told(1, range(edge(false, "b", 3), edge(true, "b", -2), false)))
                .isEqualTo(all.subList(3, 5));
        assertThat(told(1, range(edge(true, "c"), edge(true, "b"), false))).isEmpty();
        List<RowKey> reversed = new ArrayList<>(all);
        Collections.reverse(reversed);
        assertThat(told(1, all(true))).isEqualTo(reversed);
        assertThat(told(1, range(edge(true, "a"), edge(false, "b", 1), true))).isEqualTo(reversed.subList(3, 5));
        for (int most = 1; most < 8; most++) {
            assertThat(inPages(all(false), most)).isEqualTo(all);
            assertThat(inPages(all(true), most)).isEqualTo(reversed);
        }
        assertThat(told(2, all(false))).as("another edition has none").isEmpty();
    }

    @Test
    void whatUsersHadBeforeIsToldAmongTheRest() throws Exception {
        execute("INSERT INTO %s (k, s) VALUES ('p', 'static') USING TIMESTAMP 5");
        List<RowKey> all = new ArrayList<>();
        for (int i = 10; i < 40; i++) {
            all.add(key("c" + i, i));
            if (i % 3 == 0) {
                write(1, first(key("c" + i, i), 100 + i));
            } else {
                insert("c" + i, i);
            }
        }
        execute("INSERT INTO %s (k, c, d) VALUES ('q', 'c20', 20) USING TIMESTAMP 5");
        execute("UPDATE %s USING TIMESTAMP 5 SET v = 'without a marker' WHERE k = 'p' AND c = 'd' AND d = 0");
        all.add(key("d", 0));

        assertThat(told(1, all(false))).isEqualTo(all);
        for (int most : List.of(1, 2, 5, 29, 31)) {
            assertThat(inPages(all(false), most)).isEqualTo(all);
        }
        Collections.reverse(all);
        assertThat(inPages(all(true), 4)).isEqualTo(all);
        assertThat(told(1, range(edge(true, "c39", 39), edge(true, "c39", 39), true)))
                .containsExactly(key("c39", 39));
    }

    @Test
    void whatIsDeletedIsToldUntilItIsPurgedAndAgainWhenItIsWritten() throws Exception {
        write(1, first(key("a", 1), 100), first(key("b", 1), 100));
        write(1, absent(key("a", 1), 200, 100));
        assertThat(told(1, all(false))).containsExactly(key("a", 1), key("b", 1));

        write(1, purge(key("a", 1), 200));
        assertThat(told(1, all(false))).containsExactly(key("b", 1));
        write(1, first(key("a", 1), 100)); // comes late
        assertThat(told(1, all(false))).doesNotContain(key("a", 1));

        write(1, first(key("a", 1), 300));
        execute("TRUNCATE %s");
        assertThat(told(1, all(false))).containsExactly(key("a", 1), key("b", 1));
        write(1, purge(key("a", 1), 200)); // comes late
        assertThat(told(1, all(false))).containsExactly(key("a", 1), key("b", 1));
    }

    /** A snapshot is from before the deletion. */
    @Test
    void whatTheUsersTableHasLostIsToldInEveryEdition() throws Exception {
        insert("a", 1);
        write(1, new RowWrite(key("a", 1), new StoredRow(200, Row.ABSENT), 0, content("before"), 0));
        assertThat(count(table.toString())).isZero();
        write(1, purge(key("a", 1), 200));

        assertThat(new RowVersions(keyspace).read(1, EVERYTHING, key("a", 1)))
                .as("not purged")
                .isEqualTo(new StoredRow(200, Row.ABSENT));
        for (int edition = 1; edition <= 3; edition++) {
            assertThat(told(edition, all(false))).containsExactly(key("a", 1));
        }
        forget(2, 0);
        assertThat(told(2, all(false))).containsExactly(key("a", 1));
    }

    /** It is written behind while the range is read. */
    @Test
    void whatGoesFromTheUsersTableWhileItIsReadIsTold() throws Exception {
        insert("a", 1);
        insert("b", 1);
        store.close();
        store = store(new Delegate(tables) {
            @Override
            public List<PlacedKey> keys(Range range, @Nullable RowKey after, int most) {
                RowKeys keys = new RowKeys(keyspace, tables);
                LocalWrites.write(keys.ofNew(1, List.of(first(key("a", 1), 100))), true);
                delete("a", 1);
                return super.keys(range, after, most);
            }
        });
        assertThat(told(1, all(false))).containsExactly(key("a", 1), key("b", 1));
    }

    @Test
    void aPageOfASnapshotIsTold() throws Exception {
        Map<RowKey, StoredRow> rows = Map.of(
                key("a", 1),
                row(100),
                key("b", 1),
                new StoredRow(0, content("kept")),
                key("c", 1),
                new StoredRow(300, Row.ABSENT));
        store.writePage(new Effect.WritePage(6, 2, rows, Map.of(), 0), events::add);
        assertThat(next()).isEqualTo(new Event.PageWritten(6));
        execute("TRUNCATE %s");

        assertThat(told(2, all(false))).containsExactly(key("a", 1), key("b", 1));
        assertThat(told(1, all(false))).isEmpty();
    }

    private void forget(int below, long count) throws InterruptedException {
        store.forgetEditions(new Effect.ForgetEditions(below, count), done -> {});
        EditionCleanup cleanup = new EditionCleanup(keyspace, tables);
        for (int i = 0; i < 300 && cleanup.isNeeded(below); i++) {
            Thread.sleep(100);
        }
        assertThat(cleanup.isNeeded(below)).isFalse();
    }

    @Test
    void whatOnlyAForgottenEditionHadIsNotToldNorKept() throws Exception {
        for (int i = 0; i < 10; i++) {
            write(1, first(key("a", i), 100));
        }
        write(2, first(key("a", 3), 200));
        assertThat(keys()).isEqualTo(11);

        forget(2, 0);

        assertThat(keys()).isEqualTo(1);
        execute("TRUNCATE %s");
        assertThat(told(1, all(false))).isEmpty();
        assertThat(told(2, all(false))).containsExactly(key("a", 3));
    }

    /** It came by a repair, was deleted elsewhere and forgotten, and the edition in use does not have it. */
    @Test
    void whatNoEditionHasGoesFromTheUsersTable() throws Exception {
        for (int i = 0; i < 600; i++) {
            writtenByEntry("gone", i, 100);
            writtenByEntry("to be written", i, 1_001);
        }
        insert("of before", 1);
        write(2, first(key("kept", 1), Version.ofEntry(50)));
        execute("INSERT INTO %s (k, s) VALUES ('only static', 'gone') USING TIMESTAMP " + (BASE_MICROS + 100));

        forget(2, 1_000);

        assertThat(shown("gone")).isZero();
        assertThat(shown("to be written")).isEqualTo(600);
        assertThat(shown("of before")).isEqualTo(1);
        assertThat(shown("kept")).isEqualTo(1);
        assertThat(QueryProcessor.executeInternal(
                        "SELECT s FROM " + table.keyspace + ".ordered WHERE k = 'only static'"))
                .isEmpty();
    }

    private void writtenByEntry(String c, int d, int entry) {
        execute("INSERT INTO %s (k, c, d, v) VALUES ('p', ?, ?, 'v') USING TIMESTAMP " + (BASE_MICROS + entry), c, d);
    }

    private long shown(String c) {
        return QueryProcessor.executeInternal(
                        "SELECT count(*) AS n FROM " + table.keyspace + ".ordered WHERE k = 'p' AND c = ?", c)
                .one()
                .getLong("n");
    }

    @Test
    void aPartitionOfStaticColumnsHasNoRows() throws Exception {
        execute("INSERT INTO %s (k, s) VALUES ('p', 'static') USING TIMESTAMP 5");
        assertThat(told(1, all(false))).isEmpty();
    }

    /** Then nobody looks into the users' table any more. */
    @Test
    void whatUsersHadBeforeIsCopiedOnce() throws Exception {
        List<RowKey> all = new ArrayList<>();
        for (int i = 1_000; i < 3_100; i++) {
            insert("c" + i, i);
            all.add(key("c" + i, i));
        }
        for (int i = 0; i < 600; i++) {
            execute("INSERT INTO %s (k, c, d) VALUES (?, 'c', 1) USING TIMESTAMP 5", "other" + i);
        }
        RowKeys keys = new RowKeys(keyspace, tables);
        assertThat(read(1, all(false), null, 3_000).keys()).isEqualTo(all);
        for (int i = 0; i < 300 && !keys.isCopied(table.id.toString()); i++) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        assertThat(keys()).isEqualTo(2_100 + 600 + 1);
        execute("TRUNCATE %s");
        assertThat(read(1, all(false), null, 3_000).keys()).isEqualTo(all);
        assertThat(read(7, all(false), null, 3_000).keys()).as("of any edition").isEqualTo(all);
        store.close();
        store = store(tables);
        assertThat(read(1, all(false), null, 3_000).keys()).isEqualTo(all);
    }

    /** Cassandra refuses to read over so many; here that would hold up all that touches the partition. */
    @Test
    void keysAreFoundBehindMoreDeletedOnesThanCassandraReadsOver() throws Exception {
        int threshold = DatabaseDescriptor.getTombstoneFailureThreshold();
        List<RowWrite> rows = new ArrayList<>();
        List<RowWrite> purges = new ArrayList<>();
        for (int i = 100; i < 500; i++) {
            rows.add(first(key("c" + i, i), 100 + i));
            if (i != 137 && i < 497) {
                rows.add(absent(key("c" + i, i), 1_000 + i, 100 + i));
                purges.add(purge(key("c" + i, i), 1_000 + i));
            }
        }
        write(1, rows.toArray(RowWrite[]::new));
        write(1, purges.toArray(RowWrite[]::new));
        execute("TRUNCATE %s");
        List<RowKey> left = List.of(key("c137", 137), key("c497", 497), key("c498", 498), key("c499", 499));
        DatabaseDescriptor.setTombstoneFailureThreshold(40);
        try {
            assertThat(told(1, all(false))).isEqualTo(left);
            assertThat(read(1, all(false), key("c137", 137), 1).keys()).containsExactly(key("c497", 497));
            assertThat(inPages(all(false), 2)).isEqualTo(left);
            List<RowKey> reversed = new ArrayList<>(left);
            Collections.reverse(reversed);
            assertThat(inPages(all(true), 3)).isEqualTo(reversed);
        } finally {
            DatabaseDescriptor.setTombstoneFailureThreshold(threshold);
        }
    }

    /** They may have been purged meanwhile, or come again: that prevails. */
    @Test
    void keysThatAnEarlierPluginHasNotToldAreToldOnceTheyAreAskedFor() throws Exception {
        List<RowKey> all = new ArrayList<>();
        for (int i = 1_000; i < 2_200; i++) {
            RowKey key = key("c" + i, i);
            write(1, new RowWrite(key, row(i), 0, null, 0, false));
            all.add(key);
        }
        write(1, new RowWrite(key("d", 1), row(4_000), 0, null, 0, false), absent(key("d", 1), 4_001, 4_000));
        write(1, purge(key("d", 1), 4_001));
        execute("TRUNCATE %s");
        assertThat(told(1, all(false))).isEmpty();

        while (!store.hasAllKeys(List.of(table.id.toString()))) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertThat(told(1, all(false))).isEqualTo(all);
        write(1, absent(key("c1000", 1_000), 5_000, 1_000));
        write(1, purge(key("c1000", 1_000), 5_000));
        assertThat(told(1, all(false))).isEqualTo(all.subList(1, all.size()));
    }

    /** The row was absent in the tables when the write began that takes the last trace of that away. */
    @Test
    void aRowThatComesAgainWhileItIsPurgedIsTold() throws Exception {
        write(1, first(key("a", 1), 100), absent(key("a", 1), 101, 100));
        write(1, new RowWrite(key("a", 1), row(200), 101, null, 0, true));
        write(1, purge(key("a", 1), 101));
        execute("TRUNCATE %s");
        assertThat(told(1, all(false))).containsExactly(key("a", 1));
    }

    @Test
    void whoWasReplacedIsToldNothing() throws Exception {
        write(1, first(key("a", 1), 100));
        setFence(LIFE + 1);
        store.readKeys(new Effect.ReadKeys(5, 1, all(false), null, MANY), events::add);
        assertThat(events.poll(2, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void keysAreKeptOfNewRowsThatHaveAnOrderAndOfNoOthers() throws Exception {
        RowKey ofStatic = RowForm.keyOf(table, PARTITION, Clustering.STATIC_CLUSTERING);
        RowKey alone = RowForm.keyOf(unordered, PARTITION, Clustering.EMPTY);
        String unknown = TableId.generate().toString();
        write(
                1,
                first(ofStatic, 100),
                first(alone, 100),
                first(new RowKey("sessions", "17"), 100),
                first(new RowKey(unknown, key("a", 1).key()), 100),
                first(new RowKey(table.id.toString(), "70.00"), 100),
                new RowWrite(key("a", 1), row(200), 100, null, 0));
        assertThat(keys()).isZero();
        write(1, purge(ofStatic, 100), purge(alone, 100), purge(new RowKey("sessions", "17"), 100));
        assertThat(QueryProcessor.executeInternal(
                        "SELECT DISTINCT edition, tbl, part FROM " + keyspace.table(LogKeyspace.KEYS)))
                .isEmpty();

        write(2, first(ofStatic, 100), first(alone, 100), first(key("b", 1), 100));
        assertThat(keys()).isEqualTo(1);
        assertThat(told(2, all(false))).containsExactly(key("a", 1), key("b", 1));
        Range ofUnordered = new Range(
                new Partition(unordered.id.toString(), "70"),
                ORDER,
                Range.Edge.OPEN,
                Range.Edge.OPEN,
                false,
                Range.ALL);
        assertThat(told(2, ofUnordered)).isEmpty();
    }

    /** The table was dropped: transactions before that are still to be executed, in each data centre alike. */
    @Test
    void whatATableHadIsToldWhenItIsNotKnownAnyMore() throws Exception {
        List<RowKey> all = new ArrayList<>();
        for (int i = 20; i > 0; i--) {
            all.add(key("a", i));
            write(1, first(key("a", i), 100));
        }
        store.close();
        store = store(new Delegate(tables) {
            @Override
            public Stretch stretch(Range range, @Nullable RowKey after) {
                return Stretch.EVERYTHING;
            }

            @Override
            public List<PlacedKey> keys(Range range, @Nullable RowKey after, int most) {
                return List.of();
            }
        });
        assertThat(told(1, all(false))).isEqualTo(all);
        assertThat(inPages(all(false), 3)).isEqualTo(all);
        assertThat(told(1, range(edge(true, "a", 5), edge(false, "a", 3), true)))
                .containsExactly(key("a", 4), key("a", 5));
    }

    @Test
    void keysOfAPartitionAreWrittenTogetherButNotTooMany() {
        RowKeys keys = new RowKeys(keyspace, tables);
        List<RowWrite> rows = IntStream.range(0, 64)
                .mapToObj(i -> first(key("a", i), 100 + i))
                .toList();
        assertThat(keys.ofNew(1, rows)).hasSize(1);
        assertThat(keys.ofPurged(1, rows)).hasSize(1);

        String large = "x".repeat(20_000);
        List<Mutation> mutations = keys.ofNew(
                1,
                IntStream.range(0, 64)
                        .mapToObj(i -> new RowWrite(key(large, i), row(100), 0, content("before"), 0))
                        .toList());
        assertThat(mutations).hasSizeBetween(20, 40);
        assertThat(mutations)
                .allMatch(each -> Mutation.serializer.serializedSize(each, MessagingService.VERSION_50) < 400_000);
    }

    @Test
    void aKeyspaceOfAnEarlierReleaseGetsTheTable() throws Exception {
        var unused = QueryProcessor.executeInternal("DROP TABLE " + keyspace.table(LogKeyspace.KEYS));
        keyspace.create();
        write(1, first(key("a", 1), 100));
        assertThat(keys()).isEqualTo(1);
    }

    /** Users' tables as they are, but for what a test makes of them. */
    private static class Delegate implements UserTables {
        private final UserTables to;

        Delegate(UserTables to) {
            this.to = to;
        }

        @Override
        public long walk(String walked, long place, Consumer<List<RowKey>> told) {
            return to.walk(walked, place, told);
        }

        @Override
        public Found read(RowKey key) {
            return to.read(key);
        }

        @Override
        public Object partition(RowKey key) {
            return to.partition(key);
        }

        @Override
        public @Nullable ByteBuffer place(RowKey key) {
            return to.place(key);
        }

        @Override
        public Stretch stretch(Range range, @Nullable RowKey after) {
            return to.stretch(range, after);
        }

        @Override
        public List<PlacedKey> keys(Range range, @Nullable RowKey after, int most) {
            return to.keys(range, after, most);
        }

        @Override
        public @Nullable Shown shown(RowKey key, Row row) {
            return to.shown(key, row);
        }

        @Override
        public List<Mutation> mutations(RowKey key, StoredRow row) {
            return to.mutations(key, row);
        }
    }
}
