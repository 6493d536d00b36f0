/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.internal.core.util.concurrent.BlockingOperation;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.meteorshower.client.transactions.TransactionStatement;

/**
 * Runs transactions, each at most once however often it has to be sent: strictly serializable, over any rows of tables
 * that take part.
 *
 * <p>A transaction that writes gets a number in a session that this client opens at the cluster. Where an attempt is
 * not answered, it is sent again with the same number: to another node and, where the MeteorShower session may fail
 * over, another data centre. Where that does not help in time, it is asked what became of it, which also sees to it
 * that it never runs later. So there is a result, or the certainty that nothing has happened;
 * {@link UnknownOutcomeException} is for when nobody could be asked.
 *
 * <p>The tables of one transaction are all of one group of data centres, those that their keyspaces are replicated in,
 * and the session that gives the number is one of that group. Which group it is, the cluster tells: the first
 * transaction with a text may take a number of another group, is refused, and takes one of the right group; later ones
 * with the same text take that at once.
 *
 * <p>One token goes with the {@link MeteorShowerSession}: a transaction's effects are seen by all that the session does
 * later, snapshots among it, and by those who {@linkplain MeteorShowerSession#observe observe} its token.
 *
 * <p>Thread-safe. Hold one for long; {@link #in} gives others cheaply.
 */
public final class MeteorShowerTransactions {

    private static final ByteBuffer SNAPSHOT = Payload.ofText("snapshot");

    private final MeteorShowerSession session;
    private final TransactionSettings settings;
    private final TransactionResolver resolver;
    private final TransactionPools pools;
    private final PreparedTransactions prepared;

    MeteorShowerTransactions(MeteorShowerSession session, TransactionSettings settings) {
        this.session = session;
        this.settings = settings;
        this.resolver = new TransactionResolver(settings);
        this.pools =
                new TransactionPools(group -> resolver.open(session, group), settings.mostSessions(), settings.group());
        this.prepared = new PreparedTransactions(session.settings().dataCentres());
    }

    private MeteorShowerTransactions(MeteorShowerSession session, MeteorShowerTransactions shared) {
        this.session = session;
        this.settings = shared.settings;
        this.resolver = shared.resolver;
        this.pools = shared.pools;
        this.prepared = shared.prepared;
    }

    /** With all defaults. The session says which data centres there are, and goes on being used beside. */
    public static MeteorShowerTransactions over(MeteorShowerSession session) {
        return builder(session).build();
    }

    /** For other time limits. */
    public static MeteorShowerTransactionsBuilder builder(MeteorShowerSession session) {
        return new MeteorShowerTransactionsBuilder(session);
    }

    /**
     * The same for another session of the same cluster and role, such as {@link MeteorShowerSession#newSession} gives:
     * numbers are shared.
     */
    public MeteorShowerTransactions in(MeteorShowerSession other) {
        return new MeteorShowerTransactions(other, this);
    }

    /**
     * Runs a transaction and waits for its result. One that only reads sees all that was acknowledged before, and costs
     * what a write costs.
     *
     * @throws TransactionAbortedException if it has not happened and never will
     * @throws UnknownOutcomeException if it may have happened, after all attempts to find out
     * @throws ResultLostException if it has happened, and what it returned could not be fetched
     * @throws DriverException what the driver throws, where it has certainly not happened and never will: an invalid
     *     statement, say
     * @throws IllegalStateException if the session is closed, or on one of the driver's own threads
     */
    public TransactionResult execute(TransactionStatement transaction) {
        BlockingOperation.checkNotDriverThread();
        return MeteorShowerSession.await(executeAsync(transaction));
    }

    /** Starts a transaction; the stage completes as {@link #execute} returns. */
    public CompletionStage<TransactionResult> executeAsync(TransactionStatement transaction) {
        return TransactionText.isReadOnly(transaction.cql())
                ? read(transaction, Function.identity())
                : bound(transaction)
                        .thenCompose(statement ->
                                new TransactionCall(session, pools, settings, resolver, statement).start());
    }

    /**
     * Reads as of one place in the order, which is here already: nothing crosses the wide area, unless the session's
     * token says that something must be seen that is still on its way.
     *
     * @throws DriverException what the driver throws, {@code InvalidQueryException} where the transaction writes
     */
    public TransactionResult snapshot(TransactionStatement transaction) {
        BlockingOperation.checkNotDriverThread();
        return MeteorShowerSession.await(snapshotAsync(transaction));
    }

    /** Starts a snapshot. */
    public CompletionStage<TransactionResult> snapshotAsync(TransactionStatement transaction) {
        return read(transaction, statement -> {
            Map<String, ByteBuffer> payload = new HashMap<>(statement.getCustomPayload());
            payload.put(PayloadKeys.TRANSACTIONS_MODE, SNAPSHOT.duplicate());
            return statement.setCustomPayload(payload);
        });
    }

    /**
     * What became of a transaction; where nothing has yet, it is made sure that nothing ever will. For one that
     * {@link UnknownOutcomeException#transaction} names, at any time until an hour after.
     *
     * @throws DriverException where nobody could be asked: ask again
     */
    public TransactionOutcome resolve(TransactionId id) {
        BlockingOperation.checkNotDriverThread();
        return MeteorShowerSession.await(resolveAsync(id));
    }

    /** Starts to ask what became of a transaction. */
    public CompletionStage<TransactionOutcome> resolveAsync(TransactionId id) {
        return resolver.resolve(session, id);
    }

    /**
     * Runs code that reads, decides in Java, and writes: see {@link InteractiveTransaction} for what is guaranteed. The
     * code may be run several times, and must do nothing else that matters. Waits.
     *
     * @return what the last run of the code has returned
     * @throws ContentionException if others changed what it had read each time that it was tried; nothing was written
     * @throws DriverException as {@link #execute}; of {@code UnknownOutcomeException} the same is true here
     */
    public <T> T interactively(Function<InteractiveTransaction, T> body) {
        return new InteractiveRun<>(this, body, settings.mostTries()).run();
    }

    /** Registers, lists and drops procedures at the same cluster. Calls of them are executed here. */
    public MeteorShowerProcedures procedures() {
        return new MeteorShowerProcedures(session.settings().dataCentres(), settings.patienceNanos());
    }

    private CompletionStage<TransactionResult> read(
            TransactionStatement transaction, Function<BoundStatement, BoundStatement> dressing) {
        return bound(transaction)
                .thenApply(dressing)
                .thenCompose(statement -> Insistence.on(
                        () -> session.executeInOrder(statement, StatementKind.READ, null),
                        failure -> {},
                        settings.patienceNanos()))
                .thenApply(page -> TransactionResult.of(page, Optional.empty()));
    }

    private CompletionStage<BoundStatement> bound(TransactionStatement transaction) {
        List<Object> values = transaction.values();
        CompletionStage<PreparedStatement> preparation = prepared.prepare(transaction.cql());
        return preparation.thenApply(statement -> statement.bind(values.toArray()));
    }
}
