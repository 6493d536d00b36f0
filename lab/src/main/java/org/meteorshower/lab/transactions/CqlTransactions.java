/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The requests in the CQL of Cassandra 6, prepared in one data centre. Thread-safe. */
final class CqlTransactions {
    private final Map<Request.Kind, PreparedStatement> requests = new EnumMap<>(Request.Kind.class);
    private final PreparedStatement look;
    private final Map<Integer, PreparedStatement> loads = new HashMap<>();
    private final CqlSession session;
    private final String table;

    CqlTransactions(CqlSession session, String table, int rowsALoad) {
        this.session = session;
        this.table = table;
        for (Request.Kind kind : Request.Kind.values()) {
            requests.put(kind, session.prepare(RequestText.of(kind, table)));
        }
        look = session.prepare(RequestText.look(table));
        load(rowsALoad);
    }

    /** Answers with the first row's balance, then version and last writer of each row. */
    BoundStatement statement(Request request) {
        PreparedStatement prepared = requests.get(request.kind());
        if (prepared == null) {
            throw new IllegalStateException("nothing is prepared for " + request.kind());
        }
        return prepared.bind(RequestText.values(request)).setConsistencyLevel(ConsistencyLevel.QUORUM);
    }

    /** Balance, version and last writer of one row. */
    BoundStatement look(int row) {
        return look.bind(row).setConsistencyLevel(ConsistencyLevel.QUORUM);
    }

    /** Writes new rows, few enough for one transaction. */
    BoundStatement load(int firstRow, int rows) {
        List<Object> values = new ArrayList<>();
        for (int row = firstRow; row < firstRow + rows; row++) {
            values.addAll(List.of(row, TransactionStore.BALANCE, TransactionStore.NOBODY));
        }
        return load(rows).bind(values.toArray()).setConsistencyLevel(ConsistencyLevel.QUORUM);
    }

    private synchronized PreparedStatement load(int rows) {
        return loads.computeIfAbsent(rows, count -> session.prepare(RequestText.load(table, count)));
    }
}
