/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.Operation;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.client.ReadMode;
import org.meteorshower.client.UnknownOutcomeException;
import org.meteorshower.client.WriteInfo;

/** A session of MeteorShower, with its own token through all modes. */
final class MeteorShowerClient implements RowClient {
    private final Connections connections;
    private final MeteorShowerSession session;

    MeteorShowerClient(Connections connections, MeteorShowerSession session) {
        this.connections = connections;
        this.session = session;
    }

    @Override
    public Answer read(Mode mode, int row) {
        ResultSet rows = execute(connections.tables(dataCentre()).select(mode, row), mode.readMode());
        @Nullable Row found = rows.one();
        return new Answer(
                found == null ? null : found.getString(0),
                ReadInfo.of(rows.getExecutionInfo()).orElse(null));
    }

    @Override
    public long write(Mode mode, int row, String value) {
        // How fresh reads must be is no matter for a write, but for strict, which orders writes in real time too.
        ReadMode asked = mode.isStrict() ? ReadMode.STRICT : null;
        ResultSet written = execute(connections.tables(dataCentre()).insert(mode, row, value), asked);
        return WriteInfo.of(written.getExecutionInfo())
                .map(WriteInfo::timestampMicros)
                .orElse(Operation.NO_VERSION);
    }

    private ResultSet execute(Statement<?> statement, @Nullable ReadMode mode) {
        return mode == null ? session.execute(statement) : session.execute(statement, mode);
    }

    MeteorShowerSession session() {
        return session;
    }

    @Override
    public boolean mayHaveTakenEffect(RuntimeException failure) {
        return failure instanceof UnknownOutcomeException;
    }

    @Override
    public String dataCentre() {
        return session.dataCentre();
    }

    @Override
    public void moveTo(String dc) {
        session.moveTo(dc);
    }
}
