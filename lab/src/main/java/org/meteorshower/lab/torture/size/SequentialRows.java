/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;

/**
 * Writes of an enabled table at QUORUM, one row each, mostly new ones; and some reads of rows that were acknowledged.
 * Never ends.
 */
final class SequentialRows implements Work {
    private static final int ONE_READ_IN = 10;
    private static final int ONE_AGAIN_IN = 10;
    private static final ConsistencyLevel LEVEL = ConsistencyLevel.QUORUM;

    private final List<CqlSession> sessions;
    private final List<PreparedStatement> writes;
    private final List<PreparedStatement> reads;
    private final Ledger ledger;
    private final Random random = new Random(1);

    /** Rows with a write under way: one after the other, or it is unknown which came last. */
    private final BitSet busy = new BitSet();

    private final RateLimit pace;
    private final int hot;
    private int next;
    private int turn;

    /**
     * Nothing is sent yet.
     *
     * @param sessions that take turns
     * @param hot the first so many rows are written again whenever nobody else does just now; 0: none are
     * @param rate requests a second at most; 0: as many as go
     */
    SequentialRows(List<CqlSession> sessions, String table, Ledger ledger, int hot, int rate) {
        this.hot = hot;
        this.pace = new RateLimit(rate);
        this.sessions = List.copyOf(sessions);
        this.ledger = ledger;
        String insert = "INSERT INTO " + table + " (id, value) VALUES (?, ?)";
        String select = "SELECT value FROM " + table + " WHERE id = ?";
        writes = sessions.stream().map(session -> session.prepare(insert)).toList();
        reads = sessions.stream().map(session -> session.prepare(select)).toList();
    }

    @Override
    public Job next() {
        pace.await();
        turn = (turn + 1) % sessions.size();
        if (next > 0 && random.nextInt(ONE_READ_IN) == 0) {
            return new Request(turn, random.nextInt(next), 0);
        }
        int key = choose();
        next = Math.max(next, key + 1);
        setBusy(key, true);
        return new Request(turn, key, ledger.send(key));
    }

    private int choose() {
        int key = next;
        if (next > 0 && hot > 0) {
            key = random.nextInt(Math.min(next, hot));
        } else if (next > 0 && random.nextInt(ONE_AGAIN_IN) == 0) {
            key = random.nextInt(next);
        }
        return isBusy(key) ? next : key;
    }

    private synchronized boolean isBusy(int key) {
        return busy.get(key);
    }

    private synchronized void setBusy(int key, boolean value) {
        busy.set(key, value);
    }

    /** Of version 0: a read. */
    private final class Request implements Job {
        private final int session;
        private final int key;
        private final int version;

        Request(int session, int key, int version) {
            this.session = session;
            this.key = key;
            this.version = version;
        }

        @Override
        public CompletionStage<AsyncResultSet> send() {
            Statement<?> statement = writes()
                    ? writes.get(session).bind(key, ledger.text().of(key, version))
                    : reads.get(session).bind(key);
            return sessions.get(session).executeAsync(statement.setConsistencyLevel(LEVEL));
        }

        @Override
        public void acknowledged() {
            if (writes()) {
                ledger.acknowledge(key, version);
                setBusy(key, false);
            }
        }

        @Override
        public int rows() {
            return 1;
        }

        @Override
        public boolean writes() {
            return version > 0;
        }
    }
}
