/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With each kind of memtable that Cassandra has. */
class LocalStampIT {
    private static final int WRITES = 2_000;

    @BeforeAll
    static void start() throws Exception {
        EmbeddedNode.start();
        execute("CREATE KEYSPACE stamps WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
    }

    private static void execute(String statement) {
        var unused = QueryProcessor.process(statement, ConsistencyLevel.ONE);
    }

    private static TableMetadata table(String memtable) {
        execute("CREATE TABLE stamps." + memtable + " (k int PRIMARY KEY, v int) WITH memtable = '" + memtable + "'");
        return Schema.instance.getTableMetadata("stamps", memtable);
    }

    private static void write(TableMetadata table, int value) {
        var unused = QueryProcessor.executeInternal("INSERT INTO " + table + " (k, v) VALUES (0, ?)", value);
    }

    private static int read(TableMetadata table) {
        return QueryProcessor.executeInternal("SELECT v FROM " + table + " WHERE k = 0")
                .one()
                .getInt("v");
    }

    private static void flush(TableMetadata table) {
        ColumnFamilyStore.getIfExists(table).forceBlockingFlush(ColumnFamilyStore.FlushReason.UNIT_TESTS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"skiplist", "sharded", "trie"})
    void itIsTheSameUntilSomethingIsWrittenOrFlushed(String memtable) {
        TableMetadata table = table(memtable);
        Optional<LocalStamp> empty = LocalStamp.of(table);
        assertThat(LocalStamp.of(table)).isPresent().isEqualTo(empty);
        write(table, 1);
        Optional<LocalStamp> written = LocalStamp.of(table);
        assertThat(written).isNotEqualTo(empty).isEqualTo(LocalStamp.of(table));
        flush(table);
        assertThat(LocalStamp.of(table)).isNotEqualTo(written);
        execute("DROP TABLE stamps." + memtable);
        assertThat(LocalStamp.of(table)).isEmpty();
    }

    /** As the fence does: what was written before one looks is never missed, whatever is flushed meanwhile. */
    @ParameterizedTest
    @ValueSource(strings = {"skiplist", "sharded", "trie"})
    void whatIsRememberedUnderAStampIsNeverOlderThanWhatWasWritten(String memtable) throws Exception {
        TableMetadata table = table(memtable);
        write(table, 0);
        AtomicInteger told = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<?> writer = threads.submit(() -> {
                for (int value = 1; value <= WRITES; value++) {
                    write(table, value);
                    told.set(value);
                }
            });
            Future<?> flusher = threads.submit(() -> {
                while (!writer.isDone()) {
                    flush(table);
                }
            });
            Optional<LocalStamp> stamp = Optional.empty();
            int remembered = 0;
            while (!writer.isDone()) {
                int least = told.get();
                Optional<LocalStamp> now = LocalStamp.of(table);
                if (!now.equals(stamp)) {
                    stamp = now;
                    remembered = read(table);
                }
                assertThat(remembered).isGreaterThanOrEqualTo(least);
            }
            writer.get();
            flusher.get(60, TimeUnit.SECONDS);
        } finally {
            threads.shutdownNow();
        }
        execute("DROP TABLE stamps." + memtable);
    }
}
