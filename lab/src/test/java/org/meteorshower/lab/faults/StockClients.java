/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** A stock client in each data centre that reads and writes at QUORUM: what it was refused, and its longest wait. */
final class StockClients implements AutoCloseable {
    /** Rows that no other client of the table uses. */
    private static final int FIRST_ROW = 5_000;

    /** Above the nodes' own. */
    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(20);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final TestCluster cluster;
    private final String table;
    private final Busy busy = new Busy();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final AtomicReference<Slow> longest = new AtomicReference<>(new Slow(0, "none"));

    /** One that took long, and when it ended. */
    private record Slow(long nanos, String text) {}

    /** @param table with {@code id int} and {@code value text} */
    StockClients(TestCluster cluster, String table) {
        this.cluster = cluster;
        this.table = table;
    }

    void begin() {
        int row = FIRST_ROW;
        for (String dc : cluster.dcs()) {
            int own = row++;
            run(dc, "INSERT INTO faults." + table + " (id, value) VALUES (" + own + ", 'stock')");
            run(dc, "SELECT value FROM faults." + table + " WHERE id = " + own);
        }
    }

    private void run(String dc, String statement) {
        busy.begin(() -> {
            long beganNanos = System.nanoTime();
            try {
                cluster.cql(dc).execute(ThreeNodes.quorum(statement).setTimeout(REQUEST_LIMIT));
                done.incrementAndGet();
            } catch (DriverException e) {
                if (isOfNobody(e)) {
                    unanswered.incrementAndGet();
                } else {
                    failures.add(dc + ": " + statement + ": " + e.getMessage() + "; " + states());
                }
            }
            Slow one = new Slow(
                    System.nanoTime() - beganNanos,
                    dc + ": " + statement + ", until " + LocalTime.now(ZoneId.systemDefault()));
            longest.accumulateAndGet(one, (a, b) -> a.nanos >= b.nanos ? a : b);
            LockSupport.parkNanos(PAUSE_NANOS);
        });
    }

    /** Whether there was no node to answer, or it died before it could. */
    private static boolean isOfNobody(DriverException failure) {
        return failure instanceof ClosedConnectionException
                || (failure instanceof AllNodesFailedException all
                        && all.getAllErrors().values().stream()
                                .flatMap(List::stream)
                                .noneMatch(CoordinatorException.class::isInstance));
    }

    /** Why the table is not served, as each data centre's node says. */
    private Map<String, String> states() {
        Map<String, String> states = new TreeMap<>();
        cluster.dcs().forEach(dc -> states.put(dc, stateOf(dc)));
        return states;
    }

    private String stateOf(String dc) {
        try {
            return cluster.stateOf(dc, table);
        } catch (DriverException e) {
            return e.toString();
        }
    }

    /** What nodes did not do. */
    Queue<String> failures() {
        return failures;
    }

    /** Requests that found no node in their data centre, or one that died. */
    int unanswered() {
        return unanswered.get();
    }

    @Override
    public void close() throws Exception {
        busy.close();
    }

    @Override
    public String toString() {
        return done + " done, " + failures.size() + " failed, " + unanswered + " found no node, longest "
                + TimeUnit.NANOSECONDS.toMillis(longest.get().nanos) + " ms (" + longest.get().text + ")";
    }
}
