/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.MeteorShowerSessionBuilder;
import org.meteorshower.client.ReadMode;
import org.meteorshower.client.UnknownOutcomeException;

/** A MeteorShower session: the thread's operations are in one order, also where it moves between data centres. */
final class MeteorShowerStore implements RowStore {
    private final SharedSessions shared;
    private final MeteorShowerSettings settings;
    private final MeteorShowerSession session;

    /** Operations until the next move. */
    private int untilMove;

    MeteorShowerStore(SharedSessions shared, MeteorShowerSettings settings) {
        this.shared = shared;
        this.settings = settings;
        untilMove = settings.roaming();
        String home = shared.nextHome();
        MeteorShowerSessionBuilder builder = MeteorShowerSession.builder()
                .failover(settings.failover())
                .requireServed(settings.requireServed())
                .dataCentre(home, shared.dataCentres().session(home));
        for (String other : shared.dataCentres().names()) {
            if (settings.isMoving() && !other.equals(home)) {
                builder.dataCentre(other, shared.dataCentres().session(other));
            }
        }
        session = builder.build();
    }

    @Override
    public ResultSet read(String query, Object... values) {
        move();
        ResultSet rows = session.execute(bound(query, values), settings.mode());
        shared.served().count(rows.getExecutionInfo());
        return rows;
    }

    /** Not by the session: scans are Cassandra's own reads, or refused, and outside of its order. */
    @Override
    public ResultSet scan(String query, Object... values) {
        move();
        return shared.dataCentres()
                .session(session.dataCentre())
                .execute(bound(query, values).setConsistencyLevel(settings.scan()));
    }

    @Override
    public void write(String query, Object... values) {
        move();
        // How fresh reads must be is no matter for a write, but for strict, which orders writes in real time too.
        ReadMode mode = settings.mode().equals(ReadMode.STRICT) ? ReadMode.STRICT : ReadMode.SEQUENTIAL;
        session.execute(bound(query, values), mode);
    }

    private BoundStatement bound(String query, Object... values) {
        return shared.dataCentres().prepared(query, session.dataCentre()).bind(values);
    }

    private void move() {
        if (settings.roaming() > 0 && untilMove-- == 0) {
            untilMove = settings.roaming() - 1;
            var names = shared.dataCentres().names();
            session.moveTo(names.get((names.indexOf(session.dataCentre()) + 1) % names.size()));
        }
    }

    @Override
    public boolean mayHaveTakenEffect(RuntimeException failure) {
        return failure instanceof UnknownOutcomeException;
    }

    @Override
    public String table(String name) {
        return shared.dataCentres().table(name);
    }

    @Override
    public void close() {
        session.close();
        shared.close();
    }
}
