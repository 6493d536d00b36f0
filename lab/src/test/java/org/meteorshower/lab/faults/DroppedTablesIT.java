/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.meteorshower.lab.transactions.EnabledTable;

/** What transactions have written reaches its table half a second later: by then it may have been dropped. */
@ExtendWith(OneNode.class)
final class DroppedTablesIT {
    private static final Duration PATIENT = Duration.ofSeconds(30);
    private static final int TABLES = 5;
    private static final int ROWS = 20;
    private static final int ROUNDS = 3;

    private static CqlSession session;

    @BeforeAll
    static void connect() {
        session = OneNode.cluster().cql(OneNode.DC);
    }

    @Test
    void aKeyspaceIsDroppedWhileItsRowsAreStillBeingWritten() throws Exception {
        NodeLog log = NodeLog.fromNowOn(OneNode.cluster(), OneNode.DC + "-1");
        for (int round = 0; round < ROUNDS; round++) {
            String keyspace = "brief_" + round;
            schema("CREATE KEYSPACE " + keyspace + " WITH replication = {'class': 'NetworkTopologyStrategy', 'eu': 1}");
            for (int table = 0; table < TABLES; table++) {
                schema("CREATE TABLE " + keyspace + ".t" + table + " (id int PRIMARY KEY, v int)");
                EnabledTable.enable(session, keyspace, "t" + table);
            }
            String first = keyspace + ".t0";
            Waiting.until(PATIENT, () -> session.execute(insert(first, -1)));
            List<CompletableFuture<AsyncResultSet>> written = new ArrayList<>();
            for (int row = 0; row < ROWS; row++) {
                for (int table = 0; table < TABLES; table++) {
                    CompletionStage<AsyncResultSet> one = session.executeAsync(insert(keyspace + ".t" + table, row));
                    written.add(one.toCompletableFuture());
                }
            }
            written.forEach(CompletableFuture::join);
            schema("DROP KEYSPACE " + keyspace);
        }
        OneNode.cluster().createEnabled("after_drop", "id int PRIMARY KEY, v int");
        session.execute(insert("faults.after_drop", 1));
        assertThat(session.execute("SELECT keyspace_name FROM system_schema.keyspaces")
                        .all())
                .noneMatch(row -> row.getString(0).startsWith("brief_"));
        log.assertNoWarning("Attempting to mutate non-existant table");
    }

    private static SimpleStatement insert(String table, int row) {
        return SimpleStatement.newInstance("INSERT INTO " + table + " (id, v) VALUES (?, 1)", row)
                .setConsistencyLevel(ConsistencyLevel.QUORUM);
    }

    private static void schema(String statement) {
        session.execute(SimpleStatement.newInstance(statement).setTimeout(PATIENT));
    }
}
