/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.Row;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.meteorshower.lab.LongTest;

/** Scans of ranges that no node holds alone: two copies of each partition at three nodes. */
@LongTest
@ExtendWith(ThreeNodes.class)
final class SharedScansIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int KEYS = 40;
    private static final int SCANS = 45;

    private static TestCluster cluster;

    @BeforeAll
    static void tables() throws InterruptedException {
        cluster = ThreeNodes.cluster();
        cluster.changeSchema(
                "CREATE KEYSPACE spread WITH replication =" + " {'class': 'SimpleStrategy', 'replication_factor': 2}");
        cluster.changeSchema("CREATE TABLE spread.t (id int PRIMARY KEY, v int, g int)");
        cluster.changeSchema("CREATE INDEX t_g ON spread.t (g) USING 'sai'");
        cluster.cql("eu")
                .execute("INSERT INTO meteorshower.tables (keyspace_name, table_name, options)"
                        + " VALUES ('spread', 't', 'ranges=served')");
        for (String dc : cluster.dcs()) {
            Waiting.until(
                    SOON, () -> assertThat(rows(dc, "SELECT * FROM spread.t")).isEmpty());
        }
        for (int key = 0; key < KEYS; key++) {
            write(key, 0);
        }
    }

    private static List<Row> rows(String dc, String text) {
        return cluster.cql(dc).execute(ThreeNodes.quorum(text)).all();
    }

    private static void write(int key, int round) throws InterruptedException {
        Waiting.until(SOON, () -> cluster.cql("us")
                .execute(ThreeNodes.quorum(
                        "INSERT INTO spread.t (id, v, g) VALUES (" + key + ", " + round + ", " + round % 2 + ")")));
    }

    private static void whileWriting(Runnable scans) throws InterruptedException {
        int first = rows("us", "SELECT v FROM spread.t WHERE id = 0").get(0).getInt(0) + 1;
        WrittenRounds.beside(KEYS, n -> write(n % KEYS, first + n / KEYS), scans);
    }

    @Test
    void allNodesReadAtOneMomentOfTheOrder() throws Exception {
        whileWriting(() -> {
            for (int scan = 0; scan < SCANS; scan++) {
                String dc = cluster.dcs().get(scan % 3);
                TreeMap<Integer, Integer> seen = new TreeMap<>();
                rows(dc, "SELECT id, v FROM spread.t").forEach(row -> seen.put(row.getInt(0), row.getInt(1)));
                WrittenRounds.assertOneMoment(KEYS, seen);
            }
        });
    }

    @Test
    void whatAnIndexSaysAtSeveralNodesIsOfOneMoment() throws Exception {
        whileWriting(() -> {
            for (int scan = 0; scan < SCANS; scan++) {
                String dc = cluster.dcs().get(scan % 3);
                Set<Integer> marked = new HashSet<>();
                rows(dc, "SELECT id FROM spread.t WHERE g = 1").forEach(row -> marked.add(row.getInt(0)));
                for (int key = 1; key < KEYS; key++) { // a prefix of the keys, or what is left without one
                    boolean changes = marked.contains(key) != marked.contains(key - 1);
                    assertThat(changes && marked.contains(0) != marked.contains(key - 1))
                            .as("%s", marked)
                            .isFalse();
                }
                assertThat(rows(dc, "SELECT COUNT(*) FROM spread.t").get(0).getLong(0))
                        .isEqualTo(KEYS);
            }
        });
    }

    @Test
    void pagesAndLimitsGoOverTheEndsOfParts() {
        for (int fetch : List.of(1, 7, 1_000)) {
            Set<Integer> keys = new HashSet<>();
            for (Row row : cluster.cql("asia")
                    .execute(ThreeNodes.quorum("SELECT id FROM spread.t").setPageSize(fetch))) {
                assertThat(keys.add(row.getInt(0))).as("once each").isTrue();
            }
            assertThat(keys).hasSize(KEYS);
        }
        assertThat(rows("eu", "SELECT id FROM spread.t LIMIT 13")).hasSize(13);
    }
}
