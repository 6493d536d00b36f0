/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.meteorshower.checker.Operation;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.SessionToken;

/** Fills the tables before the first phase, and writes that down: a history begins with empty rows. */
final class Loader {
    /** A write takes a round trip, so many are under way at a time; each thread is a session of its own. */
    static final int THREADS = 96;

    private static final int ATTEMPTS = 5;

    private final Connections connections;
    private final RowKeys keys;
    private final long epochNanos;

    Loader(Connections connections, RowKeys keys, long epochNanos) {
        this.connections = connections;
        this.keys = keys;
        this.epochNanos = epochNanos;
    }

    /**
     * Writes every row of every table and returns what was done, by mode; modes that share a table get it once.
     *
     * @param pool at least {@link #THREADS} threads
     * @param clients made to see the rows
     */
    Map<Mode, List<SessionLog>> load(List<Mode> modes, ExecutorService pool, List<Participant> clients) {
        Map<String, Mode> firstOfTable = new LinkedHashMap<>();
        modes.forEach(mode -> firstOfTable.putIfAbsent(mode.table(), mode));
        Map<Mode, List<SessionLog>> logs = new LinkedHashMap<>();
        for (Mode mode : firstOfTable.values()) {
            logs.put(mode, mode.isServed() ? served(mode, pool, clients) : plain(mode, pool));
        }
        return logs;
    }

    private List<SessionLog> served(Mode mode, ExecutorService pool, List<Participant> clients) {
        List<MeteorShowerSession> sessions = new ArrayList<>();
        List<Callable<SessionLog>> parts = new ArrayList<>();
        for (int part = 0; part < THREADS; part++) {
            MeteorShowerSession session = connections.newSession(home(part));
            sessions.add(session);
            MeteorShowerClient client = new MeteorShowerClient(connections, session);
            parts.add(part(mode, part, client, (row, value) -> client.write(mode, row, value)));
        }
        List<SessionLog> logs = await(mode, pool, parts);
        for (MeteorShowerSession session : sessions) {
            SessionToken token = session.token();
            clients.forEach(client -> client.served().session().observe(token));
        }
        return logs;
    }

    /** At ALL: the comparison shall not find rows missing that merely have not arrived yet. */
    private List<SessionLog> plain(Mode mode, ExecutorService pool) {
        List<Callable<SessionLog>> parts = new ArrayList<>();
        for (int part = 0; part < THREADS; part++) {
            CassandraClient client = new CassandraClient(connections, home(part));
            parts.add(part(
                    mode, part, client, (row, value) -> client.write(mode, row, value, DefaultConsistencyLevel.ALL)));
        }
        return await(mode, pool, parts);
    }

    private interface Write {
        long write(int row, String value);
    }

    private Callable<SessionLog> part(Mode mode, int part, RowClient client, Write write) {
        return () -> {
            SessionLog log = new SessionLog("load-" + mode.table() + "-" + part);
            for (int row = part; row < keys.rows(); row += THREADS) {
                write(keys.of(mode, row), row, client, write, log);
            }
            return log;
        };
    }

    /** Nodes that have just started, on a machine that does other things too, may be late: it is written again then. */
    private void write(String key, int row, RowClient client, Write write, SessionLog log) {
        for (int attempt = 1; ; attempt++) {
            String value = attempt == 1 ? "load-" + row : "load-" + row + "-" + attempt;
            long start = System.nanoTime();
            try {
                long version = write.write(row, value);
                log.written(key, value, start - epochNanos, System.nanoTime() - epochNanos, version);
                return;
            } catch (RuntimeException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                } else if (client.mayHaveTakenEffect(e)) {
                    log.unknownWrite(key, value, start - epochNanos, Operation.NO_VERSION);
                } else {
                    log.failedWrite(key, value, start - epochNanos, System.nanoTime() - epochNanos);
                }
            }
        }
    }

    private String home(int part) {
        List<String> dcs = connections.dcs();
        return dcs.get(part % dcs.size());
    }

    private static List<SessionLog> await(Mode mode, ExecutorService pool, List<Callable<SessionLog>> parts) {
        List<SessionLog> logs = new ArrayList<>();
        try {
            for (Future<SessionLog> part : pool.invokeAll(parts)) {
                logs.add(part.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DemoException("interrupted while the rows were written", e);
        } catch (ExecutionException e) {
            throw new DemoException("the rows of " + mode.table() + " could not be written: " + e.getCause(), e);
        }
        return logs;
    }
}
