/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.OverloadedException;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.tracing.Tracing;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.metrics.TransactionMetrics;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.request.Handler;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.transactions.LaneGroup;
import org.meteorshower.cassandra.transactions.TransactionGroups;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.cassandra.transactions.TransactionRunner.Kind;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.protocol.TakingPart.Stage;
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

    /** Tables that are let in are mostly closed for less; drivers wait longer for an answer. */
    private static final long CLOSED_FOR_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private final TransactionGroups groups;
    private final Predicate<TableMetadata> takesPart;
    private final TokenFormat tokens;
    private final boolean refusesPlain;
    private final Sessions sessions;
    private final TransactionMetrics measured;
    private final TableHolds holds;
    private final Truncation truncation;

    /** What clients that bring no token have seen through this node: their snapshots do not go back behind it. */
    private final AtomicReference<Places> seen = new AtomicReference<>(Places.NONE);

    /** @param refusesPlain whether single statements shall be refused instead of becoming transactions of their own */
    public Transactions(
            TransactionGroups groups,
            Predicate<TableMetadata> takesPart,
            TokenFormat tokens,
            boolean refusesPlain,
            TransactionMetrics measured) {
        this.measured = measured;
        this.refusesPlain = refusesPlain;
        this.groups = groups;
        this.takesPart = takesPart;
        this.tokens = tokens;
        this.sessions = new Sessions(groups, tokens);
        this.holds = new TableHolds(groups, measured);
        this.truncation = new Truncation(groups, sessions, holds);
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
        int group = groupOf(plan.tables(), takesPart, groups);
        TransactionRunner runner = groups.runner(group);
        if (!plan.isCurrent()) {
            throw Errors.invalid("a table of the transaction was changed just now: send it again");
        }
        Binding binding = new Binding(options, request.client());
        Transaction bound = plan.bind(binding);
        requireFormat(plan, runner);
        Transaction transaction = runner.uses(Formats.PROPOSES_ENDS) ? bound.deletingMany() : bound;
        Kind kind = kindOf(transaction, weak, asked);
        boolean numbered = kind == Kind.WRITE && asked.session() != null;
        if (numbered) {
            requireSessionOf(group, asked);
        }
        Answer answer = answerTo(
                group, numbered ? NumberedTransaction.of(transaction, plan.text()) : transaction, kind, asked, request);
        if (answer instanceof Answer.Done done && done.outcome() instanceof Outcome.Committed committed && numbered) {
            NumberedTransaction.Outcome came = NumberedTransaction.outcome(committed, plan.text(), asked.sequence());
            ResultMessage response = seen(group, came.values(), done.token(), plan, binding, asked);
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
        return told(group, answer, kind, plan, binding, asked);
    }

    private void requireSessionOf(int group, Payload asked) {
        SessionNames.Named session = Objects.requireNonNull(asked.session());
        if (session.group() != group) {
            throw Errors.invalid("the session is one of '" + text(groups, session.group())
                    + "', and the tables of this transaction are of '" + text(groups, group)
                    + "' (OTHER_SESSION): OPEN TRANSACTION SESSION OF '" + text(groups, group) + "'");
        }
    }

    private static String text(TransactionGroups groups, int group) {
        LaneGroup known = groups.numbered(group);
        return known == null ? "data centres that are not configured here" : known.text();
    }

    /**
     * The group of lanes that tables are of.
     *
     * @throws InvalidRequestException if one of them does not take part, or they are of two groups
     */
    static int groupOf(List<TableMetadata> tables, Predicate<TableMetadata> takesPart, TransactionGroups groups) {
        tables.forEach(table -> requirePart(table, takesPart));
        int group = tables.isEmpty() ? LaneGroup.WHOLE : TransactionTables.group(tables.get(0));
        for (TableMetadata table : tables) {
            int other = TransactionTables.group(table);
            if (other != group) {
                throw Errors.invalid(tables.get(0) + " takes part in the transactions of " + text(groups, group)
                        + ", and " + table + " in those of " + text(groups, other) + ", where their keyspaces were"
                        + " replicated when they were let in. Each has an order of its own, so one transaction cannot be"
                        + " of both: make two of it");
            }
        }
        return group;
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
        int group = TransactionTables.group(select.table);
        long token = holds.await(group, deadlineNanos, request.only().getConsistency());
        ResultMessage response = cassandra.apply(request.again(ConsistencyLevel.LOCAL_QUORUM));
        saw(group, token, asked);
        asked.answer(response, group, token, tokens);
        return response;
    }

    /** Deletes what was acknowledged anywhere before. */
    ResultMessage truncate(TableMetadata table, ClientRequest request) {
        requirePart(table, takesPart);
        return truncation.run(table, request);
    }

    private static void requireFormat(Plan plan, TransactionRunner runner) {
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

    private Answer answerTo(int group, Transaction transaction, Kind kind, Payload asked, ClientRequest request) {
        long timeoutNanos = kind == Kind.WRITE
                ? DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.NANOSECONDS)
                : DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS);
        long deadlineNanos = request.time().computeDeadline(timeoutNanos);
        long token = (asked.hasToken() ? asked.seen() : Objects.requireNonNull(seen.get())).of(group);
        SessionNames.Named session = asked.session();
        long startedNanos = System.nanoTime();
        if (startedNanos - deadlineNanos >= 0) {
            return tooLate(kind); // while it waited for a format, say
        }
        Answer answer = await(
                groups.runner(group)
                        .run(
                                transaction,
                                new TransactionRunner.Terms(
                                        kind,
                                        token,
                                        deadlineNanos,
                                        session == null ? null : session.id(),
                                        asked.sequence())),
                deadlineNanos);
        measured.answered(kind.name().toLowerCase(Locale.ROOT), answer, System.nanoTime() - startedNanos);
        return answer;
    }

    private Answer tooLate(Kind kind) {
        Answer late = new Answer.Refused(
                Answer.Refusal.NOT_PROPOSED, "its time was over before it could be proposed: send it again");
        measured.answered(kind.name().toLowerCase(Locale.ROOT), late, 0);
        return late;
    }

    static void requirePart(TableMetadata table, Predicate<TableMetadata> takesPart) {
        if (!takesPart.test(table)) {
            refuseMeanwhile(table);
            throw new InvalidRequestException(
                    "MeteorShower: " + table + " does not take part in transactions. A superuser can"
                            + " let it: UPDATE meteorshower.tables SET transactions = true WHERE keyspace_name = '"
                            + table.keyspace + "' AND table_name = '" + table.name + "'");
        }
    }

    /** A table that is on its way may be asked for again. */
    private static void refuseMeanwhile(TableMetadata table) {
        Stage stage = TransactionTables.stage(table);
        if (stage == null || stage == Stage.ENDED) {
            return;
        }
        boolean open = stage != Stage.COMING_TOGETHER
                && TransactionTables.awaitNotClosed(table, System.nanoTime() + CLOSED_FOR_NANOS);
        throw new OverloadedException("MeteorShower: " + table
                + (open
                        ? " takes part in transactions since this moment. Nothing was done. Send it again."
                        : " is about to take part in transactions; its state in meteorshower.tables says how far it"
                                + " is. Nothing was done. Retry later."));
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

    private ResultMessage told(int group, Answer answer, Kind kind, Plan plan, Binding binding, Payload asked) {
        if (answer instanceof Answer.Done done) {
            Tracing.trace(
                    "MeteorShower: the transaction has its place in the order, seen from token {} on", done.token());
            if (done.outcome() instanceof Outcome.Aborted aborted) {
                throw Outcomes.aborted(aborted);
            }
            return seen(group, ((Outcome.Committed) done.outcome()).values(), done.token(), plan, binding, asked);
        } else if (answer instanceof Answer.Snapshot snapshot) {
            Tracing.trace(
                    "MeteorShower: a snapshot at token {}, {} us old", snapshot.token(), snapshot.stalenessMicros());
            ResultMessage response = seen(group, snapshot.values(), snapshot.token(), plan, binding, asked);
            asked.staleness(response, snapshot.stalenessMicros());
            return response;
        }
        throw Outcomes.notDone(answer, kind, binding.options().getConsistency());
    }

    private void saw(int group, long token, Payload asked) {
        if (!asked.hasToken()) {
            seen.updateAndGet(before -> before.of(group) >= token ? before : before.seen(group, token));
        }
    }

    private ResultMessage seen(int group, List<Value> values, long token, Plan plan, Binding binding, Payload asked) {
        saw(group, token, asked);
        ResultMessage response = plan.result().of(values, binding);
        asked.answer(response, group, token, tokens);
        return response;
    }
}
