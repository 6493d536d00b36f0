/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One statement on its way: tries coordinators one at a time until one answers or the failure must be told. Each
 * attempt names one node, so that nothing is sent twice behind our back.
 *
 * <p>One thread at a time: the caller's, then those that complete an attempt.
 */
final class Execution {

    private final SessionSettings settings;
    private final TokenHolder tokens;
    private final Statement<?> statement;
    private final StatementKind kind;
    private final @Nullable ReadMode asked;
    private final BiFunction<DataCentre, AsyncResultSet, AsyncResultSet> answered;

    private final CompletableFuture<AsyncResultSet> result = new CompletableFuture<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final Queue<DataCentre> otherDataCentres = new ArrayDeque<>();

    private DataCentre here;
    private Queue<Node> plan = new ArrayDeque<>();

    /** Attempts still allowed in this data centre: 0 <= attemptsLeft <= settings.coordinatorsToTry. */
    private int attemptsLeft;

    /** @param answered told which data centre answered with which page; gives the page for the caller */
    Execution(
            SessionSettings settings,
            TokenHolder tokens,
            DataCentre first,
            Statement<?> statement,
            StatementKind kind,
            @Nullable ReadMode asked,
            BiFunction<DataCentre, AsyncResultSet, AsyncResultSet> answered) {
        this.settings = settings;
        this.tokens = tokens;
        this.here = first;
        this.statement = statement;
        this.kind = kind;
        this.asked = asked;
        this.answered = answered;
    }

    CompletableFuture<AsyncResultSet> start() {
        DataCentre first = here;
        try {
            if (settings.failover() && !SessionSettings.isBoundToDataCentre(statement, here.profile(statement))) {
                settings.dataCentres().stream().filter(dc -> dc != first).forEach(otherDataCentres::add);
            }
            enter(here);
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
        return result;
    }

    private void enter(DataCentre dataCentre) {
        here = dataCentre;
        attemptsLeft = settings.coordinatorsToTry();
        plan = dataCentre.plan(statement);
        CompletionStage<?> preparation =
                settings.dataCentres().size() > 1 ? dataCentre.prepareElsewherePrepared(statement) : null;
        if (preparation == null) {
            tryNextNode();
        } else {
            preparation.whenComplete((ignored, failure) -> guarded(() -> {
                if (failure == null) {
                    tryNextNode();
                } else {
                    failures.add(rootOf(failure));
                    tryNextDataCentre();
                }
            }));
        }
    }

    private void tryNextNode() {
        Node node = attemptsLeft > 0 ? plan.poll() : null;
        // Spares a failure for each dead node. The driver's control connection counts too, hence isUnreachable.
        while (node != null && node.getOpenConnections() == 0) {
            node = plan.poll();
        }
        if (node == null) {
            tryNextDataCentre();
        } else {
            attemptsLeft--;
            send(node);
        }
    }

    private void tryNextDataCentre() {
        DataCentre next = otherDataCentres.poll();
        if (next == null) {
            fail(failures.isEmpty() ? new NoNodeAvailableException() : failures.remove(failures.size() - 1));
        } else {
            try {
                enter(next);
            } catch (RuntimeException e) {
                failures.add(e);
                tryNextDataCentre();
            }
        }
    }

    private void send(Node node) {
        if (result.isDone()) {
            return; // cancelled by the caller
        }
        SessionToken sent = tokens.current();
        CompletionStage<AsyncResultSet> attempt;
        try {
            DriverExecutionProfile profile = here.profile(statement);
            if (here.cql().isClosed()) {
                throw new IllegalStateException("The CqlSession of data centre " + here + " is closed");
            }
            Statement<?> dressed = settings.dress(statement, kind, profile, asked, sent);
            attempt = here.cql().executeAsync(dressed.setNode(node));
        } catch (RuntimeException e) {
            fail(e); // nothing was sent: a value without codec, a mode that is none, a closed session
            return;
        }
        attempt.whenComplete((page, failure) -> {
            if (failure == null) {
                guarded(() -> accept(page, sent));
            } else {
                guarded(() -> decide(FailureKind.unwrap(rootOf(failure))));
            }
        });
    }

    private void accept(AsyncResultSet page, SessionToken sent) {
        try {
            if (!tokens.observeResponse(page.getExecutionInfo(), sent) && settings.requireServed()) {
                throw new NotServedException(
                        "Coordinator " + page.getExecutionInfo().getCoordinator()
                                + " answered on Cassandra's own path: check that it runs the plugin, that the table is enabled,"
                                + " and that the statement's consistency level is QUORUM");
            }
        } catch (RuntimeException e) {
            fail(
                    kind == StatementKind.READ
                            ? e
                            : unknown(
                                    "The write was acknowledged, but its place in the order is not known: "
                                            + e.getMessage(),
                                    e));
            return;
        }
        result.complete(answered.apply(here, page));
    }

    private void decide(Throwable failure) {
        switch (FailureKind.of(kind, failure)) {
            case FINAL -> fail(failure);
            case UNKNOWN ->
                fail(unknown(
                        "The write may have taken effect, may still do so, or never will; executing it again is a"
                                + " second write. Seen: " + failure,
                        failure));
            case TRY_NEXT_NODE -> {
                failures.add(failure);
                if (FailureKind.isUnreachable(failure)) {
                    attemptsLeft++; // nobody was asked
                }
                tryNextNode();
            }
            case TRY_NEXT_DATA_CENTRE -> {
                failures.add(failure);
                tryNextDataCentre();
            }
        }
    }

    /** An exception in a callback would vanish in the driver, and the caller would wait for ever. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private void fail(Throwable failure) {
        for (Throwable earlier : failures) {
            if (earlier != failure) {
                failure.addSuppressed(earlier);
            }
        }
        result.completeExceptionally(failure);
    }

    private static UnknownOutcomeException unknown(String message, Throwable cause) {
        ExecutionInfo info = cause instanceof DriverException known ? known.getExecutionInfo() : null;
        return new UnknownOutcomeException(message, info, cause);
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
