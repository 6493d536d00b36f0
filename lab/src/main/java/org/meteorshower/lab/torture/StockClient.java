/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.meteorshower.client.ReadMode;
import org.meteorshower.client.WriteInfo;

/**
 * An application that knows nothing of MeteorShower: a plain driver in one data centre, QUORUM reads and writes, no
 * token. It writes one row in each table again and again, and reads those of all. Runs on one thread.
 *
 * <p>One in two names the mode that it would get anyhow: only who sends a payload is told who served it. One that
 * compares does the same with an ordinary table.
 */
final class StockClient implements Runnable {
    private static final long PAUSE_MILLIS = 50;

    private final StockClients clients;
    private final CqlSession session;
    private final String dc;
    private final int number;
    private final Random random;
    private final boolean isTold;
    private final boolean compares;
    private final List<StockRequest> requests = new ArrayList<>();
    private long newestMicros;

    StockClient(StockClients clients, CqlSession session, String dc, int number, boolean compares) {
        this.clients = clients;
        this.session = session;
        this.dc = dc;
        this.number = number;
        random = new Random(number);
        isTold = number % 2 == 1;
        this.compares = compares;
    }

    @Override
    public void run() {
        try {
            while (clients.isOn()) {
                once();
                Thread.sleep(PAUSE_MILLIS / 2 + random.nextInt((int) PAUSE_MILLIS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void once() {
        String table = compares ? RowsTable.ORDINARY : clients.anyTable(random);
        boolean isRead = random.nextBoolean();
        // As drivers do by themselves; of an ordinary table's writes it is the only trace.
        long micros = Math.max(newestMicros + 1, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));
        newestMicros = micros;
        long start = clients.nanos();
        long endNanos;
        StockRequest.Answer answer;
        String error = "";
        String reason = "";
        Instant begun = Instant.now();
        try {
            SimpleStatement statement = isRead
                    ? StockRows.select(table, random.nextInt(clients.count()))
                    : StockRows.insert(table, number, micros).setQueryTimestamp(micros);
            ExecutionInfo info = session.execute((isTold ? ReadMode.SEQUENTIAL.on(statement) : statement)
                            .setConsistencyLevel(ConsistencyLevel.QUORUM))
                    .getExecutionInfo();
            endNanos = clients.nanos();
            answer = isTold ? StockAnswers.of(info, isRead) : StockRequest.Answer.UNTOLD;
            if (!isRead && !compares) { // what Cassandra loses is not the matter here
                clients.acknowledged(
                        table,
                        number,
                        WriteInfo.of(info).map(WriteInfo::timestampMicros).orElse(micros));
            }
        } catch (DriverException e) {
            answer = StockAnswers.of(e);
            error = StockAnswers.name(e);
            endNanos = clients.nanos();
            reason = NodesReasons.of(session, RowsTable.KEYSPACE + "." + table, isRead, begun, e);
        }
        StockRequest request = new StockRequest(start, endNanos, dc, subject(table), isRead, answer, error, reason);
        requests.add(request);
        clients.count(request);
    }

    private static StockRequest.Subject subject(String table) {
        return switch (table) {
            case RowsTable.NAME -> StockRequest.Subject.SEQUENTIAL;
            case RowsTable.ORDINARY -> StockRequest.Subject.ORDINARY;
            default -> StockRequest.Subject.LIVE;
        };
    }

    /** To be read when it has ended. */
    List<StockRequest> requests() {
        return requests;
    }
}
