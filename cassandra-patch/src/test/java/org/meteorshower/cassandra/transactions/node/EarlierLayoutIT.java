/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Mutation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.codec.DataOut;
import org.meteorshower.transactions.codec.LanguageCodec;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.codec.StoreCodec;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.StoredRow;

/** What the earlier plugin has left on a real node is what a process of this one goes on with. */
final class EarlierLayoutIT {
    private static final int DCS = 2;
    private static int made = 100;

    private LogKeyspace keyspace;

    private static final class NoTables implements TablesWithoutOrder {
        @Override
        public Found read(RowKey key) {
            return Found.NOTHING;
        }

        @Override
        public Object partition(RowKey key) {
            return key;
        }

        @Override
        public @Nullable Shown shown(RowKey key, Row row) {
            return null;
        }

        @Override
        public List<Mutation> mutations(RowKey key, StoredRow row) {
            return List.of();
        }
    }

    @BeforeAll
    static void start() throws Exception {
        EmbeddedNode.start();
    }

    /** As the earlier plugin made it, as far as it is not the same. */
    @BeforeEach
    void create() {
        keyspace = new LogKeyspace(0, made++, "datacenter1", 1);
        keyspace.create();
        cql("CREATE TABLE %s (part int, lane int, floor bigint, PRIMARY KEY (part, lane))", "floors");
        cql(
                "CREATE TABLE %s (part int, lane int, position bigint, ballot bigint, entry blob,"
                        + " PRIMARY KEY (part, lane, position))",
                "accepts");
        cql(
                "CREATE TABLE %s (part int, count bigint, life bigint, chunk int, chunks int, content blob,"
                        + " PRIMARY KEY (part, count, life, chunk))",
                "redo");
        cql("CREATE TABLE %s (tbl text, key text, version bigint, content blob, PRIMARY KEY ((tbl, key)))", "rows");
        cql("INSERT INTO %s (part, dc, generation, life) VALUES (0, ?, 1, 5)", "generations", keyspace.dc());
        cql("INSERT INTO %s (part, lane, ballot) VALUES (0, 1, 300)", "promises");
    }

    private void cql(String statement, String table, Object... values) {
        var unused =
                QueryProcessor.execute(String.format(statement, keyspace.table(table)), ConsistencyLevel.ONE, values);
    }

    private static StoredRow row(long version) {
        return new StoredRow(version, Row.ABSENT.with("v", new Value.Whole(version)));
    }

    private void storeRow(String key, long version) {
        DataOut content = new DataOut();
        LanguageCodec.write(row(version).row(), content);
        cql(
                "INSERT INTO %s (tbl, key, version, content) VALUES ('t', ?, ?, ?)",
                "rows", key, version, ByteBuffer.wrap(content.toBytes()));
    }

    private void storeRedo(long count, int chunk, int chunks, Map<RowKey, StoredRow> rows) {
        DataOut content = new DataOut();
        StoreCodec.write(checkpoint(count), content);
        StoreCodec.write(rows, content);
        cql(
                "INSERT INTO %s (part, count, life, chunk, chunks, content) VALUES (0, ?, 5, ?, ?, ?)",
                "redo", count, chunk, chunks, ByteBuffer.wrap(content.toBytes()));
    }

    private void storeCheckpoint(String kind, long count) {
        cql(
                "INSERT INTO %s (part, kind, content) VALUES (0, ?, ?)",
                "checkpoints", kind, ByteBuffer.wrap(StoreCodec.bytes(checkpoint(count))));
    }

    private static Checkpoint checkpoint(long count) {
        return new Checkpoint(count, List.of(count, 10L), List.of(1L, 1L), count);
    }

    private static Entry entry(long position) {
        return new Entry(position + 1, 7, List.of());
    }

    private void storeEntries(int lane, long from, long below) {
        for (long position = from; position < below; position++) {
            cql(
                    "INSERT INTO %s (part, lane, position, ballot, entry) VALUES (0, ?, ?, 300, ?)",
                    "accepts", lane, position, ByteBuffer.wrap(LogCodec.bytes(entry(position))));
        }
    }

    private StoredState.Found broughtOver() {
        try (BringingOver target = new BringingOver(keyspace, DCS, new NoTables())) {
            new EarlierLayout(keyspace, DCS, target).bringOver();
        }
        StoredState.Found found = new StoredState(keyspace, DCS).read(9);
        assertThat(found).isNotNull();
        return found;
    }

    private StoredRow read(String key) {
        StoredRow row = new RowVersions(keyspace).read(Recovery.FIRST_EDITION, 1 << 20, new RowKey("t", key));
        assertThat(row).isNotNull();
        return row;
    }

    @Test
    void rowsAndWhatWasAboutToBeWrittenToThemAndTheLogAreBroughtOver() {
        for (int i = 0; i < 200; i++) {
            storeRow("k" + i, 100 + i);
        }
        storeCheckpoint("done", 20);
        storeRedo(30, 0, 2, Map.of(new RowKey("t", "k1"), row(5_000)));
        storeRedo(30, 1, 2, Map.of(new RowKey("t", "new"), row(5_001)));
        storeRedo(40, 0, 2, Map.of(new RowKey("t", "k2"), row(9_000))); // not whole: never acted on
        storeEntries(0, 15, 45);
        storeEntries(1, 5, 12);

        Recovery recovery = broughtOver().recovery();
        assertThat(recovery.checkpoint()).isEqualTo(checkpoint(30));
        assertThat(recovery.edition()).isEqualTo(Recovery.FIRST_EDITION);
        assertThat(recovery.settled()).containsExactly(30L, 10L);
        assertThat(recovery.acceptors().get(0).floor()).isEqualTo(30);
        assertThat(recovery.acceptors().get(0).accepted())
                .hasSize(15)
                .startsWith(new AcceptedEntry(30, 300, entry(30)));
        assertThat(recovery.acceptors().get(1).accepted()).hasSize(2);
        assertThat(recovery.acceptors().get(1).promised()).isEqualTo(300);
        assertThat(read("k0")).isEqualTo(row(100));
        assertThat(read("k1")).isEqualTo(row(5_000));
        assertThat(read("k2")).isEqualTo(row(102));
        assertThat(read("new")).isEqualTo(row(5_001));
        assertThat(read("k199")).isEqualTo(row(299));

        assertThat(broughtOver().recovery()).as("begun again").isEqualTo(recovery);
    }

    @Test
    void tablesThatWereBeingReplacedAreWorthNothing() {
        storeRow("k", 100);
        storeCheckpoint("done", 20);
        storeCheckpoint("installing", 30);
        Recovery recovery = broughtOver().recovery();
        assertThat(recovery.edition()).isZero();
        assertThat(new RowVersions(keyspace).read(Recovery.FIRST_EDITION, 1 << 20, new RowKey("t", "k")))
                .isNull();
    }

    @Test
    void theNewLayoutIsNotedSoThatEarlierPluginsDoNotBegin() {
        StoredFormat stored = new StoredFormat(keyspace);
        assertThat(StoredFormat.layout(stored.read(), false)).isEqualTo(1);
        stored.write(1);
        Integer number = stored.read();
        assertThat(number).isNotNull().isGreaterThan(1);
        assertThat(StoredFormat.layout(number, false)).isEqualTo(StoredFormat.LAYOUT);
    }
}
