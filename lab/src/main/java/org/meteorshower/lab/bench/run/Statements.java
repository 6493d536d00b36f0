/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import org.meteorshower.lab.bench.plan.SystemSpec;

/** The statements on one system's table, prepared in one CqlSession. Immutable. */
record Statements(CqlSession session, SystemSpec system, PreparedStatement select, PreparedStatement insert) {
    static Statements prepare(CqlSession session, String keyspace, SystemSpec system) {
        String table = keyspace + "." + system.table();
        return new Statements(
                session,
                system,
                session.prepare("SELECT value FROM " + table + " WHERE id = ?"),
                session.prepare("INSERT INTO " + table + " (id, value) VALUES (?, ?)"));
    }

    BoundStatement read(int row) {
        return select.bind(row).setConsistencyLevel(system.readLevel());
    }

    BoundStatement write(int row, String value) {
        return insert.bind(row, value).setConsistencyLevel(system.writeLevel());
    }
}
