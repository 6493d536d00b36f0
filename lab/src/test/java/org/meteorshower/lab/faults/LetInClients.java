/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Clients that write to an ordinary table, one in each data centre, with statements prepared before, while it is let
 * into transactions. Each has rows of its own, and writes one number after the other.
 */
final class LetInClients implements AutoCloseable {
    static final String TABLE = "ledger";
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final int ROWS = 20;

    private final TestCluster cluster;
    private final List<Thread> clients = new ArrayList<>();
    private final AtomicIntegerArray acknowledged;
    private final AtomicIntegerArray tried;
    private final Map<String, Integer> errors = new ConcurrentSkipListMap<>();
    private volatile long longestNanos;
    private volatile boolean ended;

    LetInClients(TestCluster cluster) throws InterruptedException {
        this.cluster = cluster;
        acknowledged = new AtomicIntegerArray(cluster.dcs().size() * ROWS);
        tried = new AtomicIntegerArray(acknowledged.length());
        cluster.create(TABLE, "id int PRIMARY KEY, v int");
        for (String dc : cluster.dcs()) {
            CqlSession session = cluster.cql(dc);
            PreparedStatement put =
                    session.prepare(SimpleStatement.newInstance("UPDATE faults." + TABLE + " SET v = ? WHERE id = ?")
                            .setConsistencyLevel(ConsistencyLevel.QUORUM));
            int first = clients.size() * ROWS;
            clients.add(new Thread(() -> write(session, put, first), "let-in-" + dc));
        }
        clients.forEach(Thread::start);
    }

    private void write(CqlSession session, PreparedStatement put, int first) {
        for (int n = 1; !ended; n++) {
            int id = first + n % ROWS;
            tried.set(id, n);
            long begunNanos = System.nanoTime();
            try {
                session.execute(put.bind(n, id));
                acknowledged.set(id, n);
                if (n > ROWS) {
                    note(System.nanoTime() - begunNanos);
                }
            } catch (DriverException e) {
                errors.merge(e.getClass().getSimpleName() + ": " + e.getMessage(), 1, Integer::sum);
            }
        }
    }

    private synchronized void note(long nanos) {
        longestNanos = Math.max(longestNanos, nanos);
    }

    /** Until the rows of one data centre have fallen behind: what hints bring later. */
    void leaveBehind(String node) throws InterruptedException {
        Thread.sleep(2_000);
        cluster.nodes().pause(node);
        Thread.sleep(4_000); // what was sent meanwhile is too old to be taken then
        cluster.nodes().resume(node);
    }

    void letIn(String dc) throws InterruptedException {
        Waiting.until(SOON, () -> cluster.letIn(dc, TABLE));
        cluster.awaitLetIn(TABLE);
        Thread.sleep(1_000);
    }

    /** What was acknowledged is there, in every data centre the same. */
    void check() throws InterruptedException {
        close();
        int all = 0;
        for (int id = 0; id < tried.length(); id++) {
            all += tried.get(id) / ROWS;
        }
        System.out.printf(
                "let in under load: some %d writes, the longest took %.0f ms, failed: %s%n",
                all, longestNanos / 1e6, errors);
        for (int id = 0; id < tried.length(); id++) {
            int row = id;
            int value = cluster.cql("us")
                    .execute("BEGIN TRANSACTION SELECT v FROM faults." + TABLE + " WHERE id = " + id
                            + "; COMMIT TRANSACTION")
                    .one()
                    .getInt(0);
            assertThat(value).as("row " + id).isBetween(acknowledged.get(id), tried.get(id));
            for (String dc : cluster.dcs()) {
                Waiting.until(SOON, () -> assertThat(cluster.cql(dc)
                                .execute(SimpleStatement.newInstance(
                                                "SELECT v FROM faults." + TABLE + " WHERE id = " + row)
                                        .setConsistencyLevel(ConsistencyLevel.LOCAL_ONE))
                                .one()
                                .getInt(0))
                        .as("row %d in %s", row, dc)
                        .isEqualTo(value));
            }
        }
        assertThat(errors.keySet()).as("nothing is refused for good").noneMatch(text -> text.contains("InvalidQuery"));
    }

    @Override
    public void close() throws InterruptedException {
        ended = true;
        for (Thread client : clients) {
            client.join();
        }
    }
}
