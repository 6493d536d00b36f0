/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.MeteorShowerSessionBuilder;
import org.meteorshower.lab.cluster.Waiting;
import org.meteorshower.lab.load.DataCentres;

/**
 * Ordinary tables that hold data, to be enabled while stock clients write and read them, and sessions read what those
 * write: none of these may go back, whoever serves them. One table after the other. For one thread.
 */
final class LiveTables implements AutoCloseable {
    private static final int ROWS = 200;
    private static final Duration SCHEMA_LIMIT = Duration.ofSeconds(30);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration USED_BEFORE = Duration.ofSeconds(2);
    private static final long READ_EACH_MILLIS = 50;

    private final DataCentres dataCentres;
    private final StockClients clients;
    private final Queue<String> wentBack = new ConcurrentLinkedQueue<>();
    private final List<Thread> readers = new ArrayList<>();
    private int made;
    private volatile String reading = "";
    private volatile boolean on = true;

    LiveTables(DataCentres dataCentres, StockClients clients) {
        this.dataCentres = dataCentres;
        this.clients = clients;
    }

    /** Makes one more, fills it, and lets all use it for a while. Returns its name. */
    String next() {
        String table = "live_" + ++made;
        String name = RowsTable.KEYSPACE + "." + table;
        CqlSession session = dataCentres.session(dataCentres.names().get(0));
        session.execute(SimpleStatement.newInstance("CREATE TABLE " + name + " (id int PRIMARY KEY, value text)")
                .setTimeout(SCHEMA_LIMIT));
        for (int row = 0; row < ROWS; row++) {
            fill(name, row);
        }
        clients.use(table);
        reading = table;
        if (made == 1) {
            dataCentres.names().forEach(this::beginReader);
        }
        Waiting.pause(USED_BEFORE);
        return table;
    }

    private void fill(String name, int row) {
        SimpleStatement insert = SimpleStatement.newInstance(
                        "INSERT INTO " + name + " (id, value) VALUES (?, ?)", row, "before")
                .setConsistencyLevel(ConsistencyLevel.QUORUM);
        // Other nodes learn of the table a moment later.
        Waiting.untilClear(LIMIT, PAUSE, () -> {
            try {
                dataCentres
                        .session(dataCentres
                                .names()
                                .get(row % dataCentres.names().size()))
                        .execute(insert);
                return "";
            } catch (DriverException e) {
                return name + " cannot be filled: " + e.getMessage();
            }
        });
    }

    private void beginReader(String home) {
        Thread thread = new Thread(() -> read(home), "live-reader-" + home);
        thread.setDaemon(true);
        readers.add(thread);
        thread.start();
    }

    private void read(String home) {
        try {
            String table = "";
            MeteorShowerSession session = session(home);
            long[] newest = new long[clients.count()];
            for (int turn = 0; on; turn++) {
                if (!table.equals(reading)) {
                    table = reading;
                    newest = new long[clients.count()];
                }
                session.moveTo(
                        dataCentres.names().get(turn % dataCentres.names().size()));
                read(session, table, turn % clients.count(), newest);
                Thread.sleep(READ_EACH_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(MeteorShowerSession session, String table, int client, long[] newest) {
        long start = clients.nanos();
        String dc = session.dataCentre();
        StockRequest.Answer answer;
        String error = "";
        try {
            var rows = session.execute(StockRows.select(table, client));
            long found = StockRows.timestampOf(rows.one());
            if (found < newest[client]) {
                wentBack.add(table + ", row of stock client " + client + ": a session read what was written at " + found
                        + " after what was written at " + newest[client]);
            }
            newest[client] = Math.max(newest[client], found);
            answer = StockAnswers.of(rows.getExecutionInfo(), true);
        } catch (DriverException e) {
            answer = StockAnswers.of(e);
            error = StockAnswers.name(e);
        }
        clients.note(new StockRequest(start, clients.nanos(), dc, StockRequest.Subject.LIVE, true, answer, error, ""));
    }

    /** Served or not: a table is used before, while and after it is enabled. */
    private MeteorShowerSession session(String home) {
        MeteorShowerSessionBuilder builder = MeteorShowerSession.builder().failover(true);
        builder.dataCentre(home, dataCentres.session(home));
        dataCentres.names().stream()
                .filter(dc -> !dc.equals(home))
                .forEach(dc -> builder.dataCentre(dc, dataCentres.session(dc)));
        return builder.build();
    }

    /** Reads of a session that were older than one before; must be none. */
    List<String> wentBack() {
        return List.copyOf(wentBack);
    }

    @Override
    public void close() {
        on = false;
        readers.forEach(Thread::interrupt);
        for (Thread reader : readers) {
            try {
                reader.join(TimeUnit.SECONDS.toMillis(10));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
