/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A client of plain Cassandra. It chooses write timestamps as drivers do, and remembers them for the history. */
final class CassandraClient implements RowClient {
    /** One for all clients, so that timestamps are unique. */
    private static final AtomicLong LAST_TIMESTAMP_MICROS = new AtomicLong();

    private final Connections connections;
    private String dc;

    CassandraClient(Connections connections, String home) {
        this.connections = connections;
        dc = home;
    }

    @Override
    public Answer read(Mode mode, int row) {
        BoundStatement read = connections.tables(dc).select(mode, row).setConsistencyLevel(mode.consistency());
        @Nullable Row found = connections.session(dc).execute(read).one();
        return new Answer(found == null ? null : found.getString(0), null);
    }

    @Override
    public long write(Mode mode, int row, String value) {
        return write(mode, row, value, mode.consistency());
    }

    long write(Mode mode, int row, String value, ConsistencyLevel level) {
        long timestamp = nextTimestampMicros();
        BoundStatement write = connections
                .tables(dc)
                .insert(mode, row, value)
                .setConsistencyLevel(level)
                .setQueryTimestamp(timestamp);
        connections.session(dc).execute(write);
        return timestamp;
    }

    /** Which errors rule out an effect is not needed here. */
    @Override
    public boolean mayHaveTakenEffect(RuntimeException failure) {
        return true;
    }

    @Override
    public String dataCentre() {
        return dc;
    }

    @Override
    public void moveTo(String target) {
        dc = target;
    }

    private static long nextTimestampMicros() {
        long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
        return LAST_TIMESTAMP_MICROS.updateAndGet(last -> Math.max(last + 1, now));
    }
}
