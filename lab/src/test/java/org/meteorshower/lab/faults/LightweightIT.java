/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.meteorshower.lab.transactions.EnabledTable;

/**
 * Lightweight transactions on a table that takes part in transactions are answered as Cassandra answers them on an
 * ordinary one, and so are pages: the same statements, drawn by chance, go to two tables that are alike.
 */
@ExtendWith(OneNode.class)
final class LightweightIT {
    private static final String OURS = "lightweight";
    private static final String CASSANDRAS = "lightweight_ordinary";
    private static final int STATEMENTS = 400;
    private static final int PARTITIONS = 2;
    private static final int ROWS = 4;

    private static CqlSession session;

    @BeforeAll
    static void tables() throws Exception {
        TestCluster cluster = OneNode.cluster();
        session = cluster.cql(OneNode.DC);
        for (String table : List.of(OURS, CASSANDRAS)) {
            cluster.create(table, "k int, c int, v int, w text, s int static, PRIMARY KEY (k, c)");
        }
        EnabledTable.enable(session, TestCluster.KEYSPACE, OURS);
        Waiting.until(
                Duration.ofSeconds(30),
                () -> session.execute("UPDATE faults." + OURS + " SET v = null WHERE k = 0 AND c = 0"));
    }

    @Test
    void conditionsAndBatchesOfThemAreAnsweredAsCassandraDoes() {
        Draw draw = new Draw(new Random(7));
        int refusals = 0;
        for (int i = 0; i < STATEMENTS; i++) {
            List<String> writes = draw.writes();
            boolean text = draw.random.nextBoolean();
            List<Map<String, Object>> ours = told(writes, answer(writes, OURS, text));
            List<Map<String, Object>> cassandras = told(writes, answer(writes, CASSANDRAS, text));
            assertThat(ours).as("%d: %s", i, writes).isEqualTo(cassandras);
            refusals += ours.isEmpty() || Boolean.TRUE.equals(ours.get(0).get("[applied]")) ? 0 : 1;
            if (i % 20 == 0) {
                assertThat(contents(OURS)).as("after %d", i).isEqualTo(contents(CASSANDRAS));
            }
        }
        assertThat(contents(OURS)).isEqualTo(contents(CASSANDRAS));
        assertThat(refusals).isBetween(STATEMENTS / 10, STATEMENTS * 9 / 10);
    }

    /** Which Cassandra refuses. */
    @Test
    void aBatchMayBeOfSeveralPartitions() {
        List<String> both = List.of(
                "INSERT INTO $ (k, c, v) VALUES (21, 1, 1) IF NOT EXISTS",
                "INSERT INTO $ (k, c, v) VALUES (22, 1, 1) IF NOT EXISTS");
        for (boolean text : new boolean[] {true, false}) {
            session.execute("DELETE FROM faults." + OURS + " WHERE k = 21");
            session.execute("DELETE FROM faults." + OURS + " WHERE k = 22");
            assertThat(answer(both, OURS, text)).containsExactly(Map.of("[applied]", true));
            assertThat(answer(both, OURS, text)).extracting(row -> row.get("k")).containsExactlyInAnyOrder(21, 22);
        }
    }

    @Test
    void pagesAreThoseOfCassandra() {
        for (String table : List.of(OURS, CASSANDRAS)) {
            BatchStatementBuilder batch = BatchStatement.builder(DefaultBatchType.UNLOGGED);
            for (int i = 0; i < 30; i++) {
                batch.addStatement(SimpleStatement.newInstance(
                        "INSERT INTO faults." + table + " (k, c, v) VALUES (9, ?, ?)", i, i * i));
            }
            session.execute(batch.setConsistencyLevel(ConsistencyLevel.QUORUM).build());
        }
        for (String what : List.of("k = 9", "k = 9 AND c > 4 ORDER BY c DESC", "k = 9 LIMIT 13", "k = 8")) {
            for (int size : new int[] {1, 7, 10, 30, 5_000}) {
                assertThat(pages(OURS, what, size)).as("%s by %d", what, size).isEqualTo(pages(CASSANDRAS, what, size));
            }
        }
    }

    private static List<List<Map<String, Object>>> pages(String table, String what, int size) {
        List<List<Map<String, Object>>> pages = new ArrayList<>();
        ByteBuffer state = null;
        do {
            ResultSet page =
                    session.execute(SimpleStatement.newInstance("SELECT c, v FROM faults." + table + " WHERE " + what)
                            .setConsistencyLevel(ConsistencyLevel.QUORUM)
                            .setPageSize(size)
                            .setPagingState(state));
            List<Map<String, Object>> rows = new ArrayList<>();
            while (page.getAvailableWithoutFetching() > 0) {
                rows.add(named(page.one()));
            }
            pages.add(rows);
            state = page.getExecutionInfo().getPagingState();
        } while (state != null);
        return pages;
    }

    /**
     * What both tell. Who asks for static columns alone is told of the partition's first row, too, by Cassandra; who
     * asks for rows, of static columns by us.
     */
    private static List<Map<String, Object>> told(List<String> writes, List<Map<String, Object>> answer) {
        boolean ofRows = writes.stream().anyMatch(write -> write.endsWith("EXISTS"));
        boolean ofPartition = writes.stream()
                .map(write -> write.replaceFirst("^.* IF ", ""))
                .allMatch(asked -> asked.startsWith("s ") || asked.startsWith("INSERT"));
        List<Map<String, Object>> told = new ArrayList<>();
        for (Map<String, Object> row : answer) {
            Map<String, Object> kept = new TreeMap<>(row);
            if (ofRows) {
                kept.remove("s");
            } else if (ofPartition) {
                kept.values().removeIf(Objects::isNull);
                kept.keySet().retainAll(Set.of("[applied]", "s"));
            }
            told.add(kept);
        }
        return told;
    }

    private static List<Map<String, Object>> answer(List<String> writes, String table, boolean text) {
        List<String> named = writes.stream()
                .map(write -> write.replace("$", "faults." + table))
                .toList();
        Statement<?> statement;
        if (named.size() == 1) {
            statement = SimpleStatement.newInstance(named.get(0));
        } else if (text) {
            statement = SimpleStatement.newInstance("BEGIN BATCH " + String.join("; ", named) + "; APPLY BATCH");
        } else {
            BatchStatementBuilder batch = BatchStatement.builder(DefaultBatchType.LOGGED);
            named.forEach(each -> batch.addStatement(SimpleStatement.newInstance(each)));
            statement = batch.build();
        }
        return rows(session.execute(statement.setConsistencyLevel(ConsistencyLevel.QUORUM)));
    }

    private static List<List<Map<String, Object>>> contents(String table) {
        List<List<Map<String, Object>>> contents = new ArrayList<>();
        for (int k = 0; k < PARTITIONS; k++) {
            contents.add(rows(session.execute(
                    SimpleStatement.newInstance("SELECT k, c, v, w, s FROM faults." + table + " WHERE k = ?", k)
                            .setConsistencyLevel(ConsistencyLevel.QUORUM))));
        }
        return contents;
    }

    private static List<Map<String, Object>> rows(ResultSet answer) {
        return answer.all().stream().map(LightweightIT::named).toList();
    }

    private static Map<String, Object> named(Row row) {
        Map<String, Object> named = new TreeMap<>();
        for (ColumnDefinition column : row.getColumnDefinitions()) {
            named.put(column.getName().asInternal(), row.getObject(column.getName()));
        }
        return named;
    }

    /** Statements by chance, with $ for the table. */
    private static final class Draw {
        private final Random random;

        Draw(Random random) {
            this.random = random;
        }

        /** One, or a batch of some on rows of one partition, each row once. */
        List<String> writes() {
            int k = random.nextInt(PARTITIONS);
            int most = random.nextInt(3) == 0 ? 1 : 2 + random.nextInt(3);
            // Cassandra reads static columns beside IF EXISTS only where it writes some.
            boolean withStatic = random.nextBoolean();
            Set<Integer> taken = new HashSet<>();
            List<String> writes = new ArrayList<>();
            while (writes.size() < most) {
                int c = withStatic ? random.nextInt(ROWS + 1) - 1 : random.nextInt(ROWS); // -1: the static column
                if (taken.add(c)) {
                    writes.add(c < 0 ? ofPartition(k) : ofRow(k, c, withStatic));
                }
            }
            // A batch without conditions of Cassandra's, beside lightweight transactions, has timestamps of its own.
            if (writes.stream().noneMatch(write -> write.contains(" IF "))) {
                writes.set(0, "UPDATE $ SET v = 1 WHERE k = " + k + " AND c = " + ROWS + " IF v = null");
            }
            return writes;
        }

        private String ofPartition(int k) {
            return "UPDATE $ SET s = " + value() + " WHERE k = " + k + " IF s " + sign() + " " + value();
        }

        private String ofRow(int k, int c, boolean withStatic) {
            String row = " WHERE k = " + k + " AND c = " + c;
            String insert =
                    "INSERT INTO $ (k, c, v, w) VALUES (" + k + ", " + c + ", " + value() + ", 'x" + value() + "')";
            String update = "UPDATE $ SET v = " + value() + row;
            return switch (random.nextInt(6)) {
                case 0 -> insert + (withStatic || random.nextInt(4) == 0 ? "" : " IF NOT EXISTS");
                case 1 -> withStatic ? update + " IF s = " + value() + " AND v != 2" : update + " IF EXISTS";
                case 2 -> update + " IF v IN (0, 1, null) AND w != 'x2'";
                case 3 -> "DELETE FROM $" + row + (withStatic || random.nextBoolean() ? " IF v > 0" : " IF EXISTS");
                case 4 ->
                    withStatic
                            ? "UPDATE $ SET w = null, v = " + value() + row + " IF s = " + value()
                            : insert + " IF NOT EXISTS";
                default -> update + " IF v " + sign() + " " + value();
            };
        }

        private String sign() {
            return List.of("=", "!=", "=").get(random.nextInt(3));
        }

        private String value() {
            int value = random.nextInt(4);
            return value == 3 ? "null" : Integer.toString(value);
        }
    }
}
