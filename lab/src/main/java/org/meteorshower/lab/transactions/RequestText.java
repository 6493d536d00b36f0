/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Requests in the CQL of Cassandra 6, and what their answers say. Stateless. */
public final class RequestText {
    private RequestText() {}

    /** With a marker for each value. Answers with the first row's balance, then version and last writer of each row. */
    public static String of(Request.Kind kind, String table) {
        return switch (kind) {
            case TRANSFER ->
                transaction(
                        let(table, "a") + let(table, "b") + "SELECT a.balance, a.version, a.last, b.version, b.last; "
                                + "IF a.balance >= ? THEN " + update(table, "balance -= ?, ")
                                + update(table, "balance += ?, ") + "END IF ");
            case INCREMENT ->
                transaction(let(table, "a") + "SELECT a.balance, a.version, a.last; " + update(table, ""));
            case READ ->
                transaction(
                        let(table, "a") + let(table, "b") + "SELECT a.balance, a.version, a.last, b.version, b.last; ");
            case ORDER -> order(table);
        };
    }

    private static String transaction(String body) {
        return "BEGIN TRANSACTION " + body + "COMMIT TRANSACTION";
    }

    private static String let(String table, String name) {
        return "LET " + name + " = (SELECT balance, version, last FROM " + table + " WHERE id = ?); ";
    }

    private static String update(String table, String balance) {
        return "UPDATE " + table + " SET " + balance + "version += 1, last = ? WHERE id = ?; ";
    }

    private static String order(String table) {
        StringBuilder lets = new StringBuilder();
        StringBuilder seen = new StringBuilder("SELECT r0.balance");
        for (int row = 0; row < Request.ROWS_OF_AN_ORDER; row++) {
            lets.append(let(table, "r" + row));
            seen.append(", r").append(row).append(".version, r").append(row).append(".last");
        }
        return transaction(lets.append(seen).append("; ") + update(table, "").repeat(Request.ROWS_OF_AN_ORDER));
    }

    /** Balance, version and last writer of one row. */
    static String look(String table) {
        return transaction(let(table, "a") + "SELECT a.balance, a.version, a.last; ");
    }

    /** Balance, version and last writer of so many rows. */
    public static String lookAll(String table, int rows) {
        StringBuilder lets = new StringBuilder();
        List<String> seen = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            String name = "r" + row;
            lets.append(let(table, name));
            seen.add(name + ".balance, " + name + ".version, " + name + ".last");
        }
        return transaction(lets + "SELECT " + String.join(", ", seen) + "; ");
    }

    /** Writes so many new rows. */
    static String load(String table, int rows) {
        return transaction(
                ("INSERT INTO " + table + " (id, balance, version, last) VALUES (?, ?, 0, ?); ").repeat(rows));
    }

    /** What the markers stand for. */
    public static Object[] values(Request request) {
        int first = request.rows().get(0);
        return switch (request.kind()) {
            case TRANSFER -> {
                int second = request.rows().get(1);
                long amount = request.amount();
                yield new Object[] {first, second, amount, amount, request.id(), first, amount, request.id(), second};
            }
            case INCREMENT -> new Object[] {first, request.id(), first};
            case ORDER -> valuesOfOrder(request);
            case READ -> new Object[] {first, request.rows().get(1)};
        };
    }

    /** The rows to read, then of each what is written. */
    private static Object[] valuesOfOrder(Request request) {
        List<Object> values = new ArrayList<>(request.rows());
        request.rows().forEach(row -> values.addAll(List.of(request.id(), row)));
        return values.toArray();
    }

    /** What came of a request that was answered with this row. */
    public static TransactionOutcome outcome(Request request, @Nullable Row row) {
        if (row == null) {
            return TransactionOutcome.unknown(0, "answered without a row");
        }
        if (request.kind() == Request.Kind.TRANSFER && row.getLong(0) < request.amount()) {
            return TransactionOutcome.aborted(0, "too little on the account");
        }
        List<TransactionOutcome.Seen> seen = new ArrayList<>();
        for (int column = 1; column < 1 + 2 * request.rows().size(); column += 2) {
            seen.add(new TransactionOutcome.Seen(
                    row.getLong(column), Objects.requireNonNullElse(row.getString(column + 1), "")));
        }
        return TransactionOutcome.committed(seen, 0);
    }

    /** The answer to {@link #lookAll} of these rows. */
    public static List<Account> accounts(List<Integer> rows, Row answer) {
        List<Account> accounts = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            accounts.add(new Account(
                    rows.get(i),
                    answer.getLong(3 * i),
                    answer.getLong(3 * i + 1),
                    Objects.requireNonNullElse(answer.getString(3 * i + 2), "")));
        }
        return accounts;
    }
}
