/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The statements on the tables of some modes, prepared in one CqlSession. Immutable. */
final class TableStatements {
    private record Statements(PreparedStatement select, PreparedStatement insert) {}

    private final Map<Mode, Statements> byMode = new EnumMap<>(Mode.class);

    TableStatements(CqlSession session, List<Mode> modes) {
        for (Mode mode : modes) {
            String table = Schema.KEYSPACE + "." + mode.table();
            byMode.put(
                    mode,
                    new Statements(
                            session.prepare("SELECT value FROM " + table + " WHERE id = ?"),
                            session.prepare("INSERT INTO " + table + " (id, value) VALUES (?, ?)")));
        }
    }

    BoundStatement select(Mode mode, int row) {
        return of(mode).select().bind(row);
    }

    BoundStatement insert(Mode mode, int row, String value) {
        return of(mode).insert().bind(row, value);
    }

    private Statements of(Mode mode) {
        Statements statements = byMode.get(mode);
        if (statements == null) {
            throw new IllegalArgumentException(mode.word() + " is not part of this run");
        }
        return statements;
    }
}
