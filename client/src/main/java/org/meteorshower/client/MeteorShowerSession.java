/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverExecutionException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.internal.core.util.concurrent.BlockingOperation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One client's order over the operations of a cluster: each statement sees everything that the statements before it saw
 * or wrote, whichever coordinator or data centre serves it.
 *
 * <p>A session is a token and little else: open one for each user, request or job, many over one CqlSession. Closing it
 * leaves the CqlSession open.
 *
 * <p>Thread-safe. A statement comes after those that were <em>complete</em> when it was started; statements under way
 * at the same time are ordered by nothing.
 *
 * <p>Statements without a consistency level run at QUORUM. Other levels can be set; ONE, LOCAL_* and SERIAL keep
 * Cassandra's meaning and stand outside the order.
 *
 * <p>Errors of a write: {@link UnknownOutcomeException} if it may have taken effect; any other exception means that it
 * has not and will not. A read is sent to the next coordinator when one dies, hangs or reports trouble; a write only
 * where it certainly had no effect. Each attempt has the driver's request timeout, and there are at most as many as
 * {@link MeteorShowerSessionBuilder#coordinatorsToTry} for each data centre tried. The driver's own retries across
 * nodes and its speculative executions are not used.
 */
public final class MeteorShowerSession implements AutoCloseable {

    private final SessionSettings settings;
    private final TokenHolder tokens = new TokenHolder();
    private volatile DataCentre here;
    private volatile boolean closed;

    MeteorShowerSession(SessionSettings settings) {
        this.settings = settings;
        this.here = settings.dataCentres().get(0);
    }

    /** A new session over one CqlSession, with all defaults. */
    public static MeteorShowerSession over(CqlSession cql) {
        return builder().dataCentre(cql).build();
    }

    /** For several data centres, failover, or other defaults. */
    public static MeteorShowerSessionBuilder builder() {
        return new MeteorShowerSessionBuilder();
    }

    /** Executes a query and waits for its first page. */
    public ResultSet execute(String query) {
        return execute(SimpleStatement.newInstance(query));
    }

    /** Executes a query in this mode and waits for its first page. */
    public ResultSet execute(String query, ReadMode mode) {
        return execute(SimpleStatement.newInstance(query), mode);
    }

    /** Executes a query with positional values and waits for its first page. */
    public ResultSet execute(String query, Object... values) {
        return execute(SimpleStatement.newInstance(query, values));
    }

    /**
     * Executes a statement and waits for its first page. Later pages are fetched while the rows are iterated, each at a
     * cut of its own that is not before the one of the page before.
     *
     * @throws UnknownOutcomeException if it is a write that may have taken effect
     * @throws DriverException what the driver throws, for a failure that is certain
     * @throws MalformedPayloadException if a read's response cannot be understood
     * @throws NotServedException if asked for, and a read was answered on Cassandra's own path
     * @throws IllegalStateException if this session is closed, or on one of the driver's own threads
     */
    public ResultSet execute(Statement<?> statement) {
        return executeAndWait(statement, null);
    }

    /** As {@link #execute(Statement)}, in this mode whatever statement and profile say. */
    public ResultSet execute(Statement<?> statement, ReadMode mode) {
        return executeAndWait(statement, mode);
    }

    /** Starts a query. */
    public CompletionStage<AsyncResultSet> executeAsync(String query) {
        return executeAsync(SimpleStatement.newInstance(query));
    }

    /** Starts a query in this mode. */
    public CompletionStage<AsyncResultSet> executeAsync(String query, ReadMode mode) {
        return executeAsync(SimpleStatement.newInstance(query), mode);
    }

    /**
     * Starts a statement; the stage completes with its first page, or with the exceptions that
     * {@link #execute(Statement)} names. A stage cancelled by the caller tries no further coordinator; what was sent
     * stays sent.
     */
    public CompletionStage<AsyncResultSet> executeAsync(Statement<?> statement) {
        return executeInOrder(statement, null);
    }

    /** As {@link #executeAsync(Statement)}, in this mode whatever statement and profile say. */
    public CompletionStage<AsyncResultSet> executeAsync(Statement<?> statement, ReadMode mode) {
        return executeInOrder(statement, mode);
    }

    /** What this session has seen so far: give it to another one's {@link #observe}. */
    public SessionToken token() {
        return tokens.current();
    }

    /**
     * Puts everything that this session does from now on after what the token stands for. A token that is older than
     * this session's own changes nothing.
     */
    public void observe(SessionToken token) {
        tokens.observe(token);
    }

    /** The name of the data centre whose coordinators serve this session now. */
    public String dataCentre() {
        return here.name();
    }

    /**
     * Sends the statements that start from now on to another data centre. The order stays.
     *
     * @throws IllegalArgumentException if the builder was not given this data centre
     */
    public void moveTo(String dataCentre) {
        for (DataCentre candidate : settings.dataCentres()) {
            if (candidate.name().equals(dataCentre)) {
                here = candidate;
                return;
            }
        }
        throw new IllegalArgumentException("No data centre \"" + dataCentre + "\" in this session: it was built with "
                + settings.dataCentres() + "; give the builder a CqlSession for each");
    }

    /** A session with the same settings that starts at home and has seen nothing. */
    public MeteorShowerSession newSession() {
        return new MeteorShowerSession(settings);
    }

    /** Refuses statements from now on; those under way go on, and every CqlSession stays open. */
    @Override
    public void close() {
        closed = true;
    }

    private CompletableFuture<AsyncResultSet> executeInOrder(Statement<?> statement, @Nullable ReadMode mode) {
        return executeInOrder(statement, StatementKind.of(statement), mode);
    }

    /** @param kind what may be concluded when it fails */
    CompletableFuture<AsyncResultSet> executeInOrder(
            Statement<?> statement, StatementKind kind, @Nullable ReadMode mode) {
        if (closed) {
            return CompletableFuture.failedFuture(new IllegalStateException("This session is closed"));
        }
        DataCentre start = here;
        return new Execution(settings, tokens, start, statement, kind, mode, (answering, page) -> {
                    // Unless the caller has moved the session meanwhile.
                    if (answering != start && here == start) {
                        here = answering;
                    }
                    return inOrder(page, statement, mode);
                })
                .start();
    }

    private AsyncResultSet inOrder(AsyncResultSet page, Statement<?> statement, @Nullable ReadMode mode) {
        return page.hasMorePages() ? new OrderedPage(page, state -> executeInOrder(statement.copy(state), mode)) : page;
    }

    private ResultSet executeAndWait(Statement<?> statement, @Nullable ReadMode mode) {
        BlockingOperation.checkNotDriverThread(); // before anything is sent
        return new OrderedRows(await(executeInOrder(statement, mode)), MeteorShowerSession::await);
    }

    SessionSettings settings() {
        return settings;
    }

    static <T> T await(CompletionStage<T> stage) {
        BlockingOperation.checkNotDriverThread();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return stage.toCompletableFuture().get();
                } catch (InterruptedException e) {
                    interrupted = true; // as the driver does: the answer must not get lost
                } catch (ExecutionException e) {
                    throw inCallersThread(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException inCallersThread(@Nullable Throwable failure) {
        if (failure instanceof DriverException known) {
            DriverException copy = known.copy(); // so that the stack trace shows the caller
            List<Throwable> copied = List.of(copy.getSuppressed());
            for (Throwable earlier : known.getSuppressed()) {
                if (!copied.contains(earlier)) {
                    copy.addSuppressed(earlier);
                }
            }
            return copy;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException unchecked ? unchecked : new DriverExecutionException(failure);
    }
}
