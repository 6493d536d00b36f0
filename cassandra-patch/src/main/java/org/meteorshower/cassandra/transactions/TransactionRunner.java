/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.port.Answer;

/** Runs transactions at this node's data centre. Thread-safe; futures never complete exceptionally but by a bug. */
public interface TransactionRunner {
    CompletableFuture<Answer> run(Transaction transaction, Terms terms);

    /**
     * Why no transaction may be proposed that needs this format; null where it may. To be asked before one is run: a
     * data centre that does not know it could not go on.
     */
    default @Nullable String whyNot(int format) {
        return null;
    }

    /** Whether a transaction that needs this format may be proposed now. Nobody is asked to go on to it. */
    default boolean uses(int format) {
        return false;
    }

    /**
     * Until this data centre's tables, which users read past the transactions, hold all that has its place below the
     * token: an {@link Answer.Snapshot} without values.
     *
     * @param deadlineNanos on {@link System#nanoTime}'s scale
     */
    default CompletableFuture<Answer> awaitTables(long token, long deadlineNanos) {
        return CompletableFuture.completedFuture(
                new Answer.Refused(Answer.Refusal.NOT_READY, "nothing runs here that writes tables"));
    }

    /** For what is no transaction: to open a session, or to resolve a number. */
    CompletableFuture<Answer> submit(Request request, long deadlineNanos);

    /** How a transaction is run. */
    enum Kind {
        /** Goes through a lane. */
        WRITE,
        /** Read-only, through a lane: sees whatever was acknowledged anywhere before. */
        STRICT,
        /** Read-only, local: all rows as of one place in the order, at least the token's. */
        SNAPSHOT
    }

    /**
     * @param token for SNAPSHOT: what must have been executed here
     * @param deadlineNanos on {@link System#nanoTime}'s scale
     * @param session from a client that retries by itself; null where it does not, and the transaction runs at most
     *     once, without anybody being able to ask later
     * @param sequence within the session, from 1
     */
    record Terms(
            Kind kind,
            long token,
            long deadlineNanos,
            @Nullable SessionId session,
            long sequence) {}
}
