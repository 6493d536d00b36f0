/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** SELECTs without a key, by token range and by index, of tables with ranges=served, while others write. */
@ExtendWith(ThreeNodes.class)
final class ScansIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int KEYS = 40;
    private static final int SCANS = 60;

    private static TestCluster cluster;

    @BeforeAll
    static void cluster() {
        cluster = ThreeNodes.cluster();
    }

    private static void served(String table) throws InterruptedException {
        cluster.enable(table);
        cluster.cql("eu")
                .execute("UPDATE meteorshower.tables SET options = 'ranges=served' WHERE keyspace_name = 'faults' AND"
                        + " table_name = '" + table + "'");
        for (String dc : cluster.dcs()) {
            Waiting.until(SOON, () -> assertThat(rows(dc, "SELECT * FROM faults." + table))
                    .isNotNull());
        }
    }

    private static List<Row> rows(String dc, String text) {
        return cluster.cql(dc).execute(ThreeNodes.quorum(text)).all();
    }

    private static void write(String text) throws InterruptedException {
        Waiting.until(SOON, () -> cluster.cql("eu").execute(ThreeNodes.quorum(text)));
    }

    @Test
    void aScanIsOneMomentOfTheOrderAtEachDataCentre() throws Exception {
        cluster.create("scanned", "id int PRIMARY KEY, v int");
        served("scanned");
        for (int key = 0; key < KEYS; key++) {
            write("INSERT INTO faults.scanned (id, v) VALUES (" + key + ", 0)");
        }
        WrittenRounds.beside(
                1,
                n -> write("INSERT INTO faults.scanned (id, v) VALUES (" + n % KEYS + ", " + (n / KEYS + 1) + ")"),
                () -> {
                    for (int scan = 0; scan < SCANS; scan++) {
                        String dc = cluster.dcs().get(scan % 3);
                        TreeMap<Integer, Integer> seen = new TreeMap<>();
                        rows(dc, "SELECT id, v FROM faults.scanned")
                                .forEach(row -> seen.put(row.getInt(0), row.getInt(1)));
                        WrittenRounds.assertOneMoment(KEYS, seen);
                        assertNoPageIsOlder(dc, cluster.dcs().get((scan + 1) % 3));
                    }
                });
        assertThat(rows("asia", "SELECT COUNT(*) FROM faults.scanned").get(0).getLong(0))
                .isEqualTo(KEYS);
    }

    /** Half of it from one coordinator, and the rest from another one, which has only the paging state to go by. */
    private static void assertNoPageIsOlder(String dc, String next) {
        SimpleStatement half =
                ThreeNodes.quorum("SELECT id, v FROM faults.scanned").setPageSize(KEYS / 2);
        ResultSet first = cluster.cql(dc).execute(half);
        int newest = 0;
        for (int left = first.getAvailableWithoutFetching(); left > 0; left--) {
            newest = Math.max(newest, first.one().getInt(1));
        }
        ByteBuffer state = first.getExecutionInfo().getPagingState();
        for (Row row : cluster.cql(next).execute(half.setPagingState(state))) {
            assertThat(row.getInt(1)).isGreaterThanOrEqualTo(newest - 1);
        }
    }

    @Test
    void whatAnIndexMissesIsThere() throws Exception {
        cluster.create("indexed", "id int PRIMARY KEY, g int");
        cluster.cql("eu").execute("CREATE INDEX indexed_g ON faults.indexed (g) USING 'sai'");
        served("indexed");
        for (int key = 0; key < KEYS; key++) {
            write("INSERT INTO faults.indexed (id, g) VALUES (" + key + ", " + (key == 0 ? 1 : 0) + ")");
        }
        // One more is marked before the last one is not any more: one or two are at each moment.
        WrittenRounds.beside(
                1,
                n -> {
                    int key = n / 2 % KEYS;
                    int marked = n % 2 == 0 ? (key + 1) % KEYS : key;
                    write("UPDATE faults.indexed SET g = " + (n % 2 == 0 ? 1 : 0) + " WHERE id = " + marked);
                },
                () -> {
                    for (int scan = 0; scan < SCANS; scan++) {
                        String dc = cluster.dcs().get(scan % 3);
                        assertThat(rows(dc, "SELECT id FROM faults.indexed WHERE g = 1"))
                                .hasSizeBetween(1, 2);
                    }
                });
        assertThat(rows("us", "SELECT id FROM faults.indexed WHERE g = 0 AND id = 7"))
                .hasSizeBetween(0, 1);
    }

    @Test
    void aScanIsReadInPagesAndByTokenRange() throws Exception {
        cluster.create("scanned_in_pages", "id int, c int, v int, PRIMARY KEY (id, c)");
        served("scanned_in_pages");
        for (int key = 0; key < KEYS; key++) {
            write("BEGIN UNLOGGED BATCH INSERT INTO faults.scanned_in_pages (id, c, v) VALUES (" + key + ", 0, 1);"
                    + " INSERT INTO faults.scanned_in_pages (id, c, v) VALUES (" + key + ", 1, 2); APPLY BATCH");
        }
        WrittenRounds.beside(
                1,
                n -> write("UPDATE faults.scanned_in_pages SET v = " + n + " WHERE id = " + n % KEYS + " AND c = 0"),
                () -> {
                    for (int fetch : List.of(1, 7, 1_000)) {
                        assertThat(keysOf("SELECT id, c, v FROM faults.scanned_in_pages", fetch))
                                .hasSize(2 * KEYS);
                    }
                    Set<String> halves = keysOf("SELECT id, c FROM faults.scanned_in_pages WHERE token(id) <= 0", 9);
                    halves.addAll(keysOf("SELECT id, c FROM faults.scanned_in_pages WHERE token(id) > 0", 9));
                    assertThat(halves).hasSize(2 * KEYS);
                    assertThat(rows("us", "SELECT id FROM faults.scanned_in_pages LIMIT 5"))
                            .hasSize(5);
                    assertThat(rows("us", "SELECT id FROM faults.scanned_in_pages WHERE v = 2 ALLOW FILTERING"))
                            .hasSizeGreaterThanOrEqualTo(KEYS);
                });
    }

    private static Set<String> keysOf(String text, int fetch) {
        ResultSet found = cluster.cql("us").execute(ThreeNodes.quorum(text).setPageSize(fetch));
        Set<String> keys = new HashSet<>();
        for (Row row : found) {
            assertThat(keys.add(row.getInt(0) + "/" + row.getInt(1)))
                    .as("once each")
                    .isTrue();
        }
        return keys;
    }

    @Test
    void whatHasNoOneCutIsRefusedByName() throws Exception {
        cluster.create("partly", "id int, c int, v int, PRIMARY KEY (id, c)");
        served("partly");
        assertRefused("SELECT DISTINCT id FROM faults.partly", "DISTINCT");
        assertRefused("SELECT id, COUNT(*) FROM faults.partly GROUP BY id", "GROUP BY");
        assertRefused("SELECT id FROM faults.partly PER PARTITION LIMIT 1", "PER PARTITION LIMIT");
    }

    private static void assertRefused(String text, String naming) {
        SimpleStatement statement = ThreeNodes.quorum(text);
        assertThatThrownBy(() -> cluster.cql("eu").execute(statement))
                .isInstanceOf(InvalidQueryException.class)
                .isInstanceOf(DriverException.class)
                .hasMessageContaining(naming);
    }
}
