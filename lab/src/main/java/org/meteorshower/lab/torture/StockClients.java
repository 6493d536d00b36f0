/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.Waiting;
import org.meteorshower.lab.load.DataCentres;

/**
 * Stock clients at work in all data centres, beside the checked sessions and on rows of their own, over connections of
 * their own. As many more use an ordinary table, to compare with. Thread-safe.
 */
final class StockClients implements AutoCloseable {
    private static final int IN_EACH = 2;
    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final long END_MILLIS = 60_000;

    private final DataCentres dataCentres;
    private final RunClock clock;
    private final List<StockClient> clients = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
    private final LongAdder done = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final Queue<StockRequest> noted = new ConcurrentLinkedQueue<>();
    private volatile boolean on = true;
    private volatile String live = "";

    /** Begins, at these nodes; more of the data centres are found as drivers find them. */
    StockClients(List<NodeSpec> nodes, RunClock clock) {
        this.clock = clock;
        dataCentres = new DataCentres(nodes, REQUEST_LIMIT);
        for (String dc : dataCentres.names()) {
            for (int i = 0; i < 2 * IN_EACH; i++) {
                StockClient client = new StockClient(this, dataCentres.session(dc), dc, clients.size(), i >= IN_EACH);
                clients.add(client);
                Thread thread = new Thread(client, "stock-client-" + clients.size());
                thread.setDaemon(true);
                threads.add(thread);
            }
        }
        threads.forEach(Thread::start);
    }

    // What a client asks.

    boolean isOn() {
        return on;
    }

    int count() {
        return clients.size();
    }

    long nanos() {
        return clock.nanos();
    }

    /** The sequential table mostly; one time in three the one that is being enabled, where there is one. */
    String anyTable(Random random) {
        String other = live;
        return !other.isEmpty() && random.nextInt(3) == 0 ? other : RowsTable.NAME;
    }

    void acknowledged(String table, int client, long timestampMicros) {
        acknowledged.merge(table + " " + client, timestampMicros, Math::max);
    }

    void count(StockRequest request) {
        if (request.about() != StockRequest.Subject.ORDINARY) {
            (request.answer().isFailure() ? failed : done).increment();
        }
    }

    /** A request of somebody else's, that is to be attributed like theirs. */
    void note(StockRequest request) {
        count(request);
        noted.add(request);
    }

    // What whoever began them asks.

    DataCentres dataCentres() {
        return dataCentres;
    }

    /** From now on they use this table as well. */
    void use(String table) {
        live = table;
    }

    String progress() {
        return String.format(Locale.ROOT, "; stock clients: %,d served, %,d failures", done.sum(), failed.sum());
    }

    /** Ends them, each after what it has under way, and returns what they asked for. */
    List<StockRequest> stop() throws InterruptedException {
        on = false;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_MILLIS);
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            if (thread.isAlive()) {
                throw new ClusterException(thread.getName() + " hangs beyond every time-out of the driver");
            }
        }
        List<StockRequest> all = new ArrayList<>(noted);
        clients.forEach(client -> all.addAll(client.requests()));
        return all;
    }

    /** When all is quiet: a line for each row and data centre where an acknowledged write is not found in a minute. */
    List<String> lost() {
        List<String> lost = new ArrayList<>();
        new TreeMap<>(acknowledged).forEach((row, micros) -> {
            String table = row.substring(0, row.indexOf(' '));
            int client = Integer.parseInt(row.substring(row.indexOf(' ') + 1));
            for (String dc : dataCentres.names()) {
                try {
                    Waiting.untilClear(SOON, PAUSE, () -> missing(dc, table, client, micros));
                } catch (ClusterException e) {
                    lost.add(String.valueOf(e.getMessage()));
                }
            }
        });
        return lost;
    }

    private String missing(String dc, String table, int client, long micros) {
        String row = table + ", row of stock client " + client + ", in " + dc;
        try {
            long found = StockRows.timestampOf(dataCentres
                    .session(dc)
                    .execute(StockRows.select(table, client).setConsistencyLevel(ConsistencyLevel.QUORUM))
                    .one());
            return found >= micros
                    ? ""
                    : row + ": the write of " + micros + " was acknowledged, and what is read is of " + found;
        } catch (DriverException e) {
            return row + " cannot be read: " + StockAnswers.name(e);
        }
    }

    @Override
    public void close() {
        on = false;
        threads.forEach(Thread::interrupt);
        dataCentres.close();
    }
}
