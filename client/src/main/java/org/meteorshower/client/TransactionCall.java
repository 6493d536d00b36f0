/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One transaction on its way: taking a number, sent under it as often as need be, and where that does not help,
 * resolved. Where the cluster says that its tables are of another group of data centres than its number, it takes one
 * of that group's. One thread at a time, as in {@link Execution}.
 */
final class TransactionCall {

    /** Sessions that may turn out to have expired before it is taken for a fault. */
    private static final int MOST_SESSIONS = 3;

    /** How often it may turn out to have taken a number of the wrong group before it is taken for a fault. */
    private static final int MOST_CORRECTIONS = 3;

    private final MeteorShowerSession session;
    private final TransactionPools pools;
    private final TransactionSettings settings;
    private final TransactionResolver resolver;
    private final BoundStatement statement;
    private final CompletableFuture<TransactionResult> result = new CompletableFuture<>();

    /** Where its present number is from, or its next will be. */
    private TransactionSessions sessions;

    private int sessionsLeft = MOST_SESSIONS;
    private int correctionsLeft = MOST_CORRECTIONS;

    /** Whether an attempt under the present number may have run, or may yet. */
    private boolean doubted;

    TransactionCall(
            MeteorShowerSession session,
            TransactionPools pools,
            TransactionSettings settings,
            TransactionResolver resolver,
            BoundStatement statement) {
        this.session = session;
        this.pools = pools;
        this.sessions = pools.of(text(statement));
        this.settings = settings;
        this.resolver = resolver;
        this.statement = statement;
    }

    /** By which it is known of which group its tables are. */
    private static String text(BoundStatement statement) {
        return statement.getPreparedStatement().getQuery();
    }

    CompletableFuture<TransactionResult> start() {
        takeNumber();
        return result;
    }

    private void takeNumber() {
        var unused = sessions.take().whenComplete((id, failure) -> {
            if (failure != null) {
                withoutNumber(TransactionFailures.rootOf(failure));
            } else {
                guarded(id, () -> send(id));
            }
        });
    }

    /** Nothing was sent. */
    private void withoutNumber(Throwable failure) {
        TransactionSessions asked = sessions;
        sessions = failure instanceof InvalidQueryException ? pools.forget(text(statement)) : asked;
        if (sessions != asked && correctionsLeft-- > 0) {
            takeNumber(); // there is no such group any more: what was learned of its tables was of others
        } else {
            result.completeExceptionally(failure);
        }
    }

    private void send(TransactionId id) {
        var unused = insist(id, settings.patienceNanos())
                .whenComplete((page, failure) -> guarded(id, () -> {
                    if (failure == null) {
                        committed(id, page);
                    } else {
                        decide(id, TransactionFailures.rootOf(failure));
                    }
                }));
    }

    private CompletableFuture<AsyncResultSet> insist(TransactionId id, long patienceNanos) {
        Map<String, ByteBuffer> payload = new HashMap<>(statement.getCustomPayload());
        payload.put(PayloadKeys.TRANSACTIONS_SESSION, Payload.ofText(id.session()));
        payload.put(
                PayloadKeys.TRANSACTIONS_SEQUENCE,
                ByteBuffer.allocate(Long.BYTES).putLong(0, id.number()).asReadOnlyBuffer());
        Statement<?> numbered = statement.setCustomPayload(payload);
        return Insistence.on(
                () -> session.executeInOrder(numbered, StatementKind.NUMBERED, null),
                failure -> doubted |= TransactionFailures.leavesDoubt(failure),
                patienceNanos);
    }

    private void committed(TransactionId id, AsyncResultSet page) {
        sessions.done(id);
        result.complete(TransactionResult.of(page, Optional.of(id)));
    }

    private void decide(TransactionId id, Throwable failure) {
        TransactionFailures.Told told = TransactionFailures.told(failure).orElse(null);
        if (told == TransactionFailures.Told.ABORTED || told == TransactionFailures.Told.DEAD) {
            sessions.done(id);
            result.completeExceptionally(aborted(told, TransactionFailures.detail(failure), failure));
        } else if (told == TransactionFailures.Told.RESULT_LOST) {
            sessions.done(id);
            result.completeExceptionally(lost(id, failure));
        } else if (told == TransactionFailures.Told.NOT_KNOWN) {
            sessions.retire(id.session());
            if (!doubted && --sessionsLeft > 0) {
                takeNumber(); // it has done nothing under this number, and never will
            } else {
                result.completeExceptionally(doubted ? unknown(id, failure) : failure);
            }
        } else if (doubted) {
            resolve(id, failure);
        } else if (!corrected(id, failure)) {
            sessions.done(id);
            result.completeExceptionally(failure); // no attempt has had any effect, nor will have
        }
    }

    /**
     * Whether it goes on under a number of the group that the server has named.
     *
     * @param id under which no attempt has had any effect, nor will have
     */
    private boolean corrected(TransactionId id, Throwable failure) {
        Optional<TransactionSessions> right =
                TransactionFailures.groupAskedFor(failure).flatMap(group -> pools.learn(text(statement), group));
        if (right.isEmpty() || correctionsLeft-- <= 0) {
            return false;
        }
        sessions.done(id);
        sessions = right.get();
        doubted = false;
        takeNumber();
        return true;
    }

    private void resolve(TransactionId id, Throwable failure) {
        var unused = resolver.resolve(session, id)
                .whenComplete((outcome, resolving) -> guarded(id, () -> {
                    if (resolving != null) {
                        failure.addSuppressed(TransactionFailures.rootOf(resolving));
                        sessions.retire(id.session());
                        result.completeExceptionally(unknown(id, failure));
                        return;
                    }
                    switch (outcome.state()) {
                        case COMMITTED -> fetch(id);
                        case ABORTED -> notDone(id, outcome, failure);
                        case FORGOTTEN -> {
                            sessions.retire(id.session());
                            result.completeExceptionally(unknown(id, failure));
                        }
                    }
                }));
    }

    private void notDone(TransactionId id, TransactionOutcome outcome, Throwable failure) {
        boolean dead = outcome.reason().equals(TransactionOutcome.NOT_RUN);
        if (!dead || !corrected(id, failure)) {
            sessions.done(id);
            result.completeExceptionally(aborted(
                    dead ? TransactionFailures.Told.DEAD : TransactionFailures.Told.ABORTED,
                    outcome.detail(),
                    failure));
        }
    }

    /** It is done: asked for under its number once more, what it returned is told again. */
    private void fetch(TransactionId id) {
        var unused = insist(id, settings.resolvePatienceNanos())
                .whenComplete((page, failure) -> guarded(id, () -> {
                    if (failure == null) {
                        committed(id, page);
                    } else {
                        sessions.done(id);
                        result.completeExceptionally(lost(id, TransactionFailures.rootOf(failure)));
                    }
                }));
    }

    private static ResultLostException lost(TransactionId id, Throwable cause) {
        return new ResultLostException(
                "Transaction " + id + " was carried out; what it returned cannot be had any more: " + cause, cause);
    }

    private static TransactionAbortedException aborted(
            TransactionFailures.Told told, String detail, @Nullable Throwable cause) {
        return told == TransactionFailures.Told.ABORTED
                ? new TransactionAbortedException(
                        TransactionAbortedException.Reason.ERROR,
                        "The transaction was not carried out: " + detail,
                        null)
                : new TransactionAbortedException(
                        TransactionAbortedException.Reason.GIVEN_UP,
                        "The transaction was not carried out in time, and never will be: " + cause,
                        cause);
    }

    private static UnknownOutcomeException unknown(TransactionId id, Throwable failure) {
        return new UnknownOutcomeException(
                "Transaction " + id + " may have been carried out, may yet be, or never will be; resolve() tells and"
                        + " settles it. Seen: " + failure,
                null,
                failure,
                id);
    }

    /** An exception in a callback would vanish, and the caller would wait for ever. */
    private void guarded(TransactionId id, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            sessions.retire(id.session());
            result.completeExceptionally(unknown(id, e));
        }
    }
}
