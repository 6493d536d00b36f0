/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.internal.core.util.concurrent.BlockingOperation;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.meteorshower.client.transactions.Procedure;

/**
 * Registers, lists and drops procedures. They are called like any other transaction:
 * {@code transactions.execute(procedure.call(arguments))}. What is done here can be done twice without harm, and is,
 * where it was not answered. Thread-safe.
 */
public final class MeteorShowerProcedures {

    private final List<DataCentre> dataCentres;
    private final long patienceNanos;

    MeteorShowerProcedures(List<DataCentre> dataCentres, long patienceNanos) {
        this.dataCentres = dataCentres;
        this.patienceNanos = patienceNanos;
    }

    /**
     * Registers a transaction's text, and waits: from then on every node of every data centre can be called. The same
     * text again is no change.
     *
     * @param text {@code BEGIN TRANSACTION … COMMIT TRANSACTION}; its parameters are its bind markers, each with a name
     * @throws DriverException {@code InvalidQueryException} if it could not be called, contains what is not allowed
     *     (clock, chance, functions of users), or the version has another text; others where the cluster could not be
     *     asked
     */
    public void register(Procedure procedure, String text) {
        BlockingOperation.checkNotDriverThread();
        MeteorShowerSession.await(registerAsync(procedure, text));
    }

    /** Starts to register. */
    public CompletionStage<Void> registerAsync(Procedure procedure, String text) {
        return change("CREATE PROCEDURE " + procedure + " AS '" + text.replace("'", "''") + "'");
    }

    /**
     * Drops a version, and waits. One that is not there is none to be dropped. Other nodes may carry out calls for some
     * seconds yet.
     */
    public void drop(Procedure procedure) {
        BlockingOperation.checkNotDriverThread();
        MeteorShowerSession.await(dropAsync(procedure));
    }

    /** Starts to drop. */
    public CompletionStage<Void> dropAsync(Procedure procedure) {
        return change("DROP PROCEDURE IF EXISTS " + procedure);
    }

    /** What can be called, by name and version. Takes SELECT on {@code meteorshower_transactions.procedures}. */
    public List<Procedure> list(String keyspace) {
        BlockingOperation.checkNotDriverThread();
        return MeteorShowerSession.await(listAsync(keyspace));
    }

    /** Starts to list. */
    public CompletionStage<List<Procedure>> listAsync(String keyspace) {
        return ask(SimpleStatement.newInstance(
                                "SELECT name, version, dropped FROM meteorshower_transactions.procedures"
                                        + " WHERE keyspace_name = ?",
                                keyspace)
                        .setConsistencyLevel(DefaultConsistencyLevel.QUORUM))
                .thenCompose(page -> gather(keyspace, page, new ArrayList<>()));
    }

    private static CompletionStage<List<Procedure>> gather(
            String keyspace, AsyncResultSet page, List<Procedure> found) {
        for (Row row : page.currentPage()) {
            if (!row.getBoolean("dropped")) {
                found.add(Procedure.of(
                        quoted(keyspace) + "." + quoted(String.valueOf(row.getString("name"))), row.getInt("version")));
            }
        }
        return page.hasMorePages()
                ? page.fetchNextPage().thenCompose(next -> gather(keyspace, next, found))
                : CompletableFuture.completedFuture(List.copyOf(found));
    }

    private static String quoted(String name) {
        return name.matches("[a-z][a-z0-9_]*") ? name : '"' + name + '"';
    }

    private CompletionStage<Void> change(String cql) {
        return ask(SimpleStatement.newInstance(cql)).thenApply(page -> null);
    }

    private CompletableFuture<AsyncResultSet> ask(SimpleStatement statement) {
        SimpleStatement repeatable = statement.setIdempotent(true);
        return Insistence.on(() -> ask(repeatable, dataCentres.iterator()), failure -> {}, patienceNanos);
    }

    private static CompletableFuture<AsyncResultSet> ask(SimpleStatement statement, Iterator<DataCentre> left) {
        return left.next()
                .cql()
                .executeAsync(statement)
                .exceptionallyCompose(failure -> {
                    Throwable cause = TransactionFailures.rootOf(failure);
                    return left.hasNext() && TransactionFailures.isPassing(cause)
                            ? ask(statement, left)
                            : CompletableFuture.failedFuture(cause);
                })
                .toCompletableFuture();
    }
}
