/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.tracing.Tracing;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.metrics.TransactionMetrics;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.request.Handler;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.cassandra.transactions.TransactionRunner.Kind;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Formats;
import org.meteorshower.transactions.port.Answer;

/**
 * Runs transactions for clients, and tells them what came of it. Thread-safe; a caller waits until the request's
 * deadline at most.
 */
public final class Transactions implements Handler {
    /** The runner itself answers by the deadline; so much later it is taken for lost. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final TransactionRunner runner;
    private final Predicate<TableMetadata> takesPart;
    private final TokenFormat tokens;
    private final boolean refusesPlain;
    private final Sessions sessions;
    private final TransactionMetrics measured;
    private final TableHolds holds;
    private final Truncation truncation;

    /** What clients that bring no token have seen through this node: their snapshots do not go back behind it. */
    private final AtomicLong seen = new AtomicLong();

    /** @param refusesPlain whether single statements shall be refused instead of becoming transactions of their own */
    public Transactions(
            TransactionRunner runner,
            Predicate<TableMetadata> takesPart,
            TokenFormat tokens,
            boolean refusesPlain,
            TransactionMetrics measured) {
        this.measured = measured;
        this.refusesPlain = refusesPlain;
        this.runner = runner;
        this.takesPart = takesPart;
        this.tokens = tokens;
        this.sessions = new Sessions(runner, tokens);
        this.holds = new TableHolds(runner, measured);
        this.truncation = new Truncation(runner, sessions, holds);
    }

    /** What clients say of their sessions. */
    public Sessions sessions() {
        return sessions;
    }

    boolean refusesPlain() {
        return refusesPlain;
    }

    @Override
    public @Nullable Work take(ClientRequest request) {
        if (!(request.statement() instanceof TransactionStatement statement)) {
            return null;
        }
        return () -> {
            request.admit();
            return run(statement.plan(), request.only(), false, request);
        };
    }

    /**
     * The caller has authorized what is planned.
     *
     * @param options with the plan's values
     * @param weak whether what only reads may be a snapshot, though the client has not asked for one
     */
    ResultMessage run(Plan plan, QueryOptions options, boolean weak, ClientRequest request) {
        Payload asked = Payload.of(request.payload(), tokens, request.client());
        for (TableMetadata table : plan.tables()) {
            requirePart(table, takesPart);
        }
        if (!plan.isCurrent()) {
            throw Errors.invalid("a table of the transaction was changed just now: send it again");
        }
        Binding binding = new Binding(options, request.client());
        Transaction bound = plan.bind(binding);
        requireFormat(plan);
        Transaction transaction = runner.uses(Formats.PROPOSES_ENDS) ? bound.deletingMany() : bound;
        Kind kind = kindOf(transaction, weak, asked);
        boolean numbered = kind == Kind.WRITE && asked.session() != null;
        Answer answer = answerTo(
                numbered ? NumberedTransaction.of(transaction, plan.text()) : transaction, kind, asked, request);
        if (answer instanceof Answer.Done done && done.outcome() instanceof Outcome.Committed committed && numbered) {
            NumberedTransaction.Outcome came = NumberedTransaction.outcome(committed, plan.text(), asked.sequence());
            ResultMessage response = seen(came.values(), done.token(), plan, binding, asked);
            asked.applied(response, came.applied());
            return response;
        }
        if (Outcomes.isTooLarge(answer)
                && !transaction.equals(bound.deletingMany())
                && runner.whyNot(Formats.PROPOSES_ENDS) == null
                && runner.uses(Formats.PROPOSES_ENDS)
                && !numbered) {
            return run(plan, options, weak, request); // nothing has happened, and now it may have more rows
        }
        return told(answer, kind, plan, binding, asked);
    }

    /**
     * A read for which no transaction has a place: of rows in this data centre's tables, once they hold all that was
     * acknowledged anywhere before it. Each row is as it was then, or later; they need not be of one moment.
     *
     * @param cassandra reads them
     */
    ResultMessage scan(
            SelectStatement select, ClientRequest request, Function<ClientRequest, ResultMessage> cassandra) {
        Payload asked = Payload.of(request.payload(), tokens, request.client());
        requirePart(select.table, takesPart);
        long deadlineNanos =
                request.time().computeDeadline(DatabaseDescriptor.getRangeRpcTimeout(TimeUnit.NANOSECONDS));
        long token = holds.await(deadlineNanos, request.only().getConsistency());
        ResultMessage response = cassandra.apply(request.again(ConsistencyLevel.LOCAL_QUORUM));
        saw(token, asked);
        asked.answer(response, token, tokens);
        return response;
    }

    /** Deletes what was acknowledged anywhere before. */
    ResultMessage truncate(TableMetadata table, ClientRequest request) {
        requirePart(table, takesPart);
        return truncation.run(table, request);
    }

    private void requireFormat(Plan plan) {
        String whyNot = plan.format() == Formats.FIRST ? null : runner.whyNot(plan.format());
        if (whyNot != null) {
            throw Errors.invalid("ranges of rows, keys that are computed, and TTLs cannot be asked for yet: " + whyNot);
        }
    }

    /** A range is never read by a snapshot: which rows it has is known at its place in the order alone. */
    private static Kind kindOf(Transaction transaction, boolean weak, Payload asked) {
        boolean snapshot = (weak || asked.isSnapshot()) && transaction.claims().isEmpty();
        Kind reading = snapshot ? Kind.SNAPSHOT : Kind.STRICT;
        Kind kind = transaction.isReadOnly() ? reading : Kind.WRITE;
        if (asked.isSnapshot() && kind == Kind.WRITE) {
            throw Errors.invalid("a transaction that writes cannot be a snapshot: leave " + Payload.MODE + " out");
        }
        return kind;
    }

    private Answer answerTo(Transaction transaction, Kind kind, Payload asked, ClientRequest request) {
        long timeoutNanos = kind == Kind.WRITE
                ? DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.NANOSECONDS)
                : DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS);
        long deadlineNanos = request.time().computeDeadline(timeoutNanos);
        long token = Math.max(asked.token(), asked.hasToken() ? 0 : seen.get());
        long startedNanos = System.nanoTime();
        Answer answer = await(
                runner.run(
                        transaction,
                        new TransactionRunner.Terms(kind, token, deadlineNanos, asked.session(), asked.sequence())),
                deadlineNanos);
        measured.answered(kind.name().toLowerCase(Locale.ROOT), answer, System.nanoTime() - startedNanos);
        return answer;
    }

    static void requirePart(TableMetadata table, Predicate<TableMetadata> takesPart) {
        if (!takesPart.test(table)) {
            throw new InvalidRequestException(
                    "MeteorShower: " + table + " does not take part in transactions. A superuser can"
                            + " let it: UPDATE meteorshower.tables SET transactions = true WHERE keyspace_name = '"
                            + table.keyspace + "' AND table_name = '" + table.name + "'");
        }
    }

    static Answer await(CompletableFuture<Answer> answer, long deadlineNanos) {
        try {
            return answer.get(Math.max(1, deadlineNanos - System.nanoTime() + GRACE_NANOS), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return new Answer.Unknown("no answer came in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer.Unknown("this node is shutting down");
        } catch (ExecutionException e) {
            throw new IllegalStateException("a transaction's answer failed", e.getCause());
        }
    }

    private ResultMessage told(Answer answer, Kind kind, Plan plan, Binding binding, Payload asked) {
        if (answer instanceof Answer.Done done) {
            Tracing.trace(
                    "MeteorShower: the transaction has its place in the order, seen from token {} on", done.token());
            if (done.outcome() instanceof Outcome.Aborted aborted) {
                throw Outcomes.aborted(aborted);
            }
            return seen(((Outcome.Committed) done.outcome()).values(), done.token(), plan, binding, asked);
        } else if (answer instanceof Answer.Snapshot snapshot) {
            Tracing.trace(
                    "MeteorShower: a snapshot at token {}, {} us old", snapshot.token(), snapshot.stalenessMicros());
            ResultMessage response = seen(snapshot.values(), snapshot.token(), plan, binding, asked);
            asked.staleness(response, snapshot.stalenessMicros());
            return response;
        }
        throw Outcomes.notDone(answer, kind, binding.options().getConsistency());
    }

    private void saw(long token, Payload asked) {
        if (!asked.hasToken()) {
            seen.accumulateAndGet(token, Math::max);
        }
    }

    private ResultMessage seen(List<Value> values, long token, Plan plan, Binding binding, Payload asked) {
        saw(token, asked);
        ResultMessage response = plan.result().of(values, binding);
        asked.answer(response, token, tokens);
        return response;
    }
}
