/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ResultSet;

/** The plain driver, with its own retries and routing. */
final class CassandraStore implements RowStore {
    private final SharedSessions shared;
    private final CassandraSettings settings;
    private final String home;

    CassandraStore(SharedSessions shared, CassandraSettings settings) {
        this.shared = shared;
        this.settings = settings;
        home = shared.nextHome();
    }

    @Override
    public ResultSet read(String query, Object... values) {
        return execute(query, settings.read(), values);
    }

    @Override
    public ResultSet scan(String query, Object... values) {
        return execute(query, settings.scan(), values);
    }

    @Override
    public void write(String query, Object... values) {
        execute(query, settings.write(), values);
    }

    private ResultSet execute(String query, ConsistencyLevel level, Object... values) {
        DataCentreSessions dataCentres = shared.dataCentres();
        return dataCentres
                .session(home)
                .execute(dataCentres.prepared(query, home).bind(values).setConsistencyLevel(level));
    }

    @Override
    public boolean mayHaveTakenEffect(RuntimeException failure) {
        return !Outcomes.isWithoutEffect(failure);
    }

    @Override
    public String table(String name) {
        return shared.dataCentres().table(name);
    }

    @Override
    public void close() {
        shared.close();
    }
}
