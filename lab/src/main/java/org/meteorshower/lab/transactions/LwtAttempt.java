/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One request by conditional batches: reads the rows nearby, which may be old, and writes them if they are still so;
 * where they are not, it is told what they are and tries again, so often and no more. One thread at a time.
 */
final class LwtAttempt {
    private static final int ATTEMPTS = 10;
    private static final int PAUSE_MILLIS = 50;

    private final CqlSession session;
    private final LwtStatements statements;
    private final Request request;
    private final CompletableFuture<TransactionOutcome> outcome = new CompletableFuture<>();
    private int retries;

    LwtAttempt(CqlSession session, LwtStatements statements, Request request) {
        this.session = session;
        this.statements = statements;
        this.request = request;
    }

    CompletionStage<TransactionOutcome> start() {
        boolean writes = request.kind().writes();
        execute(
                statements
                        .select(request.rows())
                        .setConsistencyLevel(writes ? ConsistencyLevel.LOCAL_ONE : ConsistencyLevel.SERIAL),
                false,
                found -> {
                    Map<Integer, Account> accounts = accounts(found);
                    if (accounts.size() < request.rows().size()) {
                        outcome.complete(TransactionOutcome.aborted(retries, "a row is missing"));
                    } else if (writes) {
                        write(accounts);
                    } else {
                        outcome.complete(TransactionOutcome.committed(seen(accounts), 0));
                    }
                });
        return outcome;
    }

    private void write(Map<Integer, Account> accounts) {
        Account first = accounts.get(request.rows().get(0));
        if (first == null || first.balance() < request.amount()) {
            // What was read nearby may be old: this would have to be confirmed if it ever happened.
            outcome.complete(TransactionOutcome.aborted(retries, "too little on the account"));
            return;
        }
        List<Account> next = new ArrayList<>();
        for (int row : request.rows()) {
            Account account = accounts.getOrDefault(row, first);
            long added = row == first.row() ? -request.amount() : request.amount();
            next.add(new Account(row, account.balance() + added, account.version() + 1, request.id()));
        }
        execute(statements.update(next), true, answer -> {
            if (answer.wasApplied()) {
                outcome.complete(TransactionOutcome.committed(seen(accounts), retries));
            } else {
                again();
            }
        });
    }

    /** After a pause that grows: those who were in each other's way should not meet again. */
    private void again() {
        retries++;
        if (retries >= ATTEMPTS) {
            outcome.complete(TransactionOutcome.aborted(retries, "in conflict " + retries + " times"));
            return;
        }
        long pause = ThreadLocalRandom.current().nextInt(PAUSE_MILLIS * retries);
        CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS)
                .execute(() -> execute(
                        statements.select(request.rows()).setConsistencyLevel(ConsistencyLevel.SERIAL),
                        false,
                        found -> write(accounts(found))));
    }

    private void execute(Statement<?> statement, boolean changes, Consumer<AsyncResultSet> next) {
        CompletionStage<AsyncResultSet> answer;
        try {
            answer = session.executeAsync(statement);
        } catch (DriverException e) {
            outcome.complete(Failures.outcome(e, retries));
            return;
        }
        answer.whenComplete((rows, failure) -> {
            try {
                if (failure == null) {
                    next.accept(rows);
                } else {
                    // A read that failed has changed nothing, and nothing was tried that is still open.
                    outcome.complete(
                            changes
                                    ? Failures.outcome(failure, retries)
                                    : TransactionOutcome.aborted(retries, String.valueOf(failure.getMessage())));
                }
            } catch (RuntimeException e) {
                outcome.complete(TransactionOutcome.unknown(retries, e.toString()));
            }
        });
    }

    private static Map<Integer, Account> accounts(AsyncResultSet found) {
        Map<Integer, Account> accounts = new HashMap<>();
        for (Row row : found.currentPage()) {
            int id = row.getInt("id");
            String last = row.getString("last");
            accounts.put(id, new Account(id, row.getLong("balance"), row.getLong("version"), last == null ? "" : last));
        }
        return accounts;
    }

    private List<TransactionOutcome.Seen> seen(Map<Integer, Account> accounts) {
        List<TransactionOutcome.Seen> seen = new ArrayList<>();
        for (int row : request.rows()) {
            Account account = accounts.get(row);
            if (account != null) {
                seen.add(new TransactionOutcome.Seen(account.version(), account.last()));
            }
        }
        return seen;
    }
}
