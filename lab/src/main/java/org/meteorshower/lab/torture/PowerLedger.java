/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.meteorshower.lab.load.DataCentres;

/**
 * Stock clients that write one new row after the other at QUORUM, and a note of each that was acknowledged: so each is
 * looked for by itself. Thread-safe.
 */
final class PowerLedger implements AutoCloseable {
    static final String NAME = "ledger";

    private static final String TABLE = RowsTable.KEYSPACE + "." + NAME;
    private static final int WRITERS_PER_DC = 3;
    private static final int AT_A_TIME = 48;
    private static final long PAUSE_MILLIS = 8;
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 100;
    private static final Duration READ_LIMIT = Duration.ofMinutes(5);
    private static final Duration SEEN_LIMIT = Duration.ofSeconds(20);

    private final DataCentres dataCentres;
    private final RunClock clock;
    private final AtomicInteger next = new AtomicInteger();
    /** When each row was acknowledged. */
    private final NavigableMap<Integer, Long> acknowledged = Collections.synchronizedNavigableMap(new TreeMap<>());

    private final List<Thread> writers = new ArrayList<>();
    private volatile boolean on = true;

    /** They begin. */
    PowerLedger(DataCentres dataCentres, RunClock clock) {
        this.dataCentres = dataCentres;
        this.clock = clock;
        for (String dc : dataCentres.names()) {
            for (int i = 0; i < WRITERS_PER_DC; i++) {
                Thread writer = new Thread(() -> write(dc), "ledger-" + dc + "-" + i);
                writer.setDaemon(true);
                writers.add(writer);
            }
        }
        writers.forEach(Thread::start);
    }

    private void write(String dc) {
        CqlSession session = dataCentres.session(dc);
        try {
            while (on) {
                int id = next.getAndIncrement();
                try {
                    session.execute(SimpleStatement.newInstance(
                                    "INSERT INTO " + TABLE + " (id, value) VALUES (?, ?)", id, value(id))
                            .setConsistencyLevel(ConsistencyLevel.QUORUM));
                    acknowledged.put(id, clock.nanos());
                    Thread.sleep(PAUSE_MILLIS);
                } catch (DriverException e) {
                    Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static String value(int id) {
        return "row " + id;
    }

    int count() {
        return acknowledged.size();
    }

    /** The rows acknowledged until now, and when that was. */
    Map<Integer, Long> acknowledged() {
        synchronized (acknowledged) {
            return new LinkedHashMap<>(acknowledged);
        }
    }

    /**
     * Looks for these rows; for one that is not there again and again for a while, since a coordinator need not have
     * heard of what another one acknowledged.
     *
     * @return those that are lost
     * @throws DriverException where they cannot be read
     */
    List<Integer> lost(String dc, Collection<Integer> rows) throws InterruptedException {
        long deadline = System.nanoTime() + SEEN_LIMIT.toNanos();
        List<Integer> missing = missing(dc, new ArrayList<>(rows));
        while (!missing.isEmpty() && System.nanoTime() - deadline < 0) {
            Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
            missing = missing(dc, missing);
        }
        return missing;
    }

    private List<Integer> missing(String dc, List<Integer> rows) throws InterruptedException {
        long deadline = System.nanoTime() + READ_LIMIT.toNanos();
        List<Integer> missing = new ArrayList<>();
        List<Integer> left = rows;
        while (!left.isEmpty()) {
            List<Integer> again = new ArrayList<>();
            for (int from = 0; from < left.size(); from += AT_A_TIME) {
                look(dc, left.subList(from, Math.min(left.size(), from + AT_A_TIME)), missing, again, deadline);
            }
            left = again;
        }
        return missing;
    }

    private void look(String dc, List<Integer> rows, List<Integer> missing, List<Integer> again, long deadline)
            throws InterruptedException {
        Map<Integer, CompletionStage<AsyncResultSet>> asked = new LinkedHashMap<>();
        CqlSession session = dataCentres.session(dc);
        for (int id : rows) {
            asked.put(
                    id,
                    session.executeAsync(SimpleStatement.newInstance("SELECT value FROM " + TABLE + " WHERE id = ?", id)
                            .setConsistencyLevel(ConsistencyLevel.QUORUM)));
        }
        boolean failed = false;
        for (Map.Entry<Integer, CompletionStage<AsyncResultSet>> each : asked.entrySet()) {
            int id = each.getKey();
            try {
                var row = each.getValue().toCompletableFuture().join().one();
                if (row == null || !value(id).equals(row.getString(0))) {
                    missing.add(id);
                }
            } catch (CompletionException e) {
                if (System.nanoTime() - deadline >= 0 && e.getCause() instanceof DriverException cause) {
                    throw cause;
                }
                again.add(id);
                failed = true;
            }
        }
        if (failed) {
            Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
        }
    }

    void stop() throws InterruptedException {
        on = false;
        for (Thread writer : writers) {
            writer.join();
        }
    }

    @Override
    public void close() {
        on = false;
        writers.forEach(Thread::interrupt);
    }
}
