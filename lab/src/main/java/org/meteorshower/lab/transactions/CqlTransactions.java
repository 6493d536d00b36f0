/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The requests in the CQL of Cassandra 6, prepared in one data centre. Thread-safe. */
final class CqlTransactions {
    private final PreparedStatement transfer;
    private final PreparedStatement increment;
    private final PreparedStatement read;
    private final PreparedStatement order;
    private final PreparedStatement look;
    private final Map<Integer, PreparedStatement> loads = new HashMap<>();
    private final CqlSession session;
    private final String table;

    CqlTransactions(CqlSession session, String table, int rowsALoad) {
        this.session = session;
        this.table = table;
        transfer = prepare(let("a") + let("b") + "SELECT a.balance, a.version, a.last, b.version, b.last; "
                + "IF a.balance >= ? THEN " + update("balance -= ?, ") + update("balance += ?, ") + "END IF ");
        increment = prepare(let("a") + "SELECT a.balance, a.version, a.last; " + update(""));
        read = prepare(let("a") + let("b") + "SELECT a.balance, a.version, a.last, b.version, b.last; ");
        order = prepare(order(Request.ROWS_OF_AN_ORDER));
        look = prepare(let("a") + "SELECT a.balance, a.version, a.last; ");
        load(rowsALoad);
    }

    private PreparedStatement prepare(String body) {
        return session.prepare("BEGIN TRANSACTION " + body + "COMMIT TRANSACTION");
    }

    private String let(String name) {
        return "LET " + name + " = (SELECT balance, version, last FROM " + table + " WHERE id = ?); ";
    }

    private String update(String balance) {
        return "UPDATE " + table + " SET " + balance + "version += 1, last = ? WHERE id = ?; ";
    }

    private String order(int rows) {
        StringBuilder lets = new StringBuilder();
        StringBuilder seen = new StringBuilder("SELECT r0.balance");
        for (int row = 0; row < rows; row++) {
            lets.append(let("r" + row));
            seen.append(", r").append(row).append(".version, r").append(row).append(".last");
        }
        return lets.append(seen).append("; ").append(update("").repeat(rows)).toString();
    }

    /** The rows to read, then of each what is written. */
    private static Object[] orderOf(Request request) {
        List<Object> values = new ArrayList<>(request.rows());
        request.rows().forEach(row -> values.addAll(List.of(request.id(), row)));
        return values.toArray();
    }

    /** Answers with the first row's balance, then version and last writer of each row. */
    BoundStatement statement(Request request) {
        int first = request.rows().get(0);
        BoundStatement bound =
                switch (request.kind()) {
                    case TRANSFER -> {
                        int second = request.rows().get(1);
                        long amount = request.amount();
                        yield transfer.bind(
                                first, second, amount, amount, request.id(), first, amount, request.id(), second);
                    }
                    case INCREMENT -> increment.bind(first, request.id(), first);
                    case ORDER -> order.bind(orderOf(request));
                    case READ -> read.bind(first, request.rows().get(1));
                };
        return bound.setConsistencyLevel(ConsistencyLevel.QUORUM);
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
        return loads.computeIfAbsent(
                rows,
                count -> prepare(("INSERT INTO " + table + " (id, balance, version, last) VALUES (?, ?, 0, ?); ")
                        .repeat(count)));
    }
}
