/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.FrameTooLongException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.FunctionFailureException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ProtocolError;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.util.List;

/** What a failed attempt at one coordinator allows next. */
enum FailureKind {
    /** Certain, and the same everywhere: tell the caller. */
    FINAL,
    /** Certainly without effect, and another coordinator may do better. */
    TRY_NEXT_NODE,
    /** Certainly without effect; every coordinator of this data centre would say the same. */
    TRY_NEXT_DATA_CENTRE,
    /** The write may have taken effect: tell the caller so, and never send it again. */
    UNKNOWN;

    static FailureKind of(StatementKind statement, Throwable failure) {
        return switch (statement) {
            case READ -> ofRead(failure);
            case NUMBERED -> ofNumbered(failure);
            case WRITE, WRITE_IN_STEPS -> ofWrite(statement, failure);
        };
    }

    /** The failure itself, without the driver's "all 1 node(s) failed" around it: each attempt names one node. */
    static Throwable unwrap(Throwable failure) {
        if (failure instanceof AllNodesFailedException all) {
            List<Throwable> errors =
                    all.getAllErrors().values().stream().flatMap(List::stream).toList();
            if (errors.size() == 1 && errors.get(0) instanceof CoordinatorException only) {
                return only;
            }
        }
        return failure;
    }

    /** Whether the driver had no connection on which to send the statement. */
    static boolean isUnreachable(Throwable failure) {
        return failure instanceof AllNodesFailedException all
                && all.getAllErrors().values().stream()
                        .flatMap(List::stream)
                        .allMatch(NodeUnavailableException.class::isInstance);
    }

    private static FailureKind ofRead(Throwable failure) {
        if (failure instanceof ReadTimeoutException) {
            return TRY_NEXT_DATA_CENTRE;
        }
        boolean nodeTrouble = failure instanceof AllNodesFailedException
                || failure instanceof DriverTimeoutException
                || failure instanceof ClosedConnectionException
                || failure instanceof HeartbeatException
                || failure instanceof UnavailableException
                || failure instanceof BootstrappingException
                || failure instanceof OverloadedException
                || failure instanceof ServerError;
        return nodeTrouble ? TRY_NEXT_NODE : FINAL;
    }

    /** What a node says of the process that runs its data centre's transactions, all nodes there would say. */
    private static FailureKind ofNumbered(Throwable failure) {
        if (failure instanceof WriteTimeoutException
                || failure instanceof UnavailableException
                || failure instanceof OverloadedException) {
            return TRY_NEXT_DATA_CENTRE;
        }
        return ofRead(failure);
    }

    private static FailureKind ofWrite(StatementKind statement, Throwable failure) {
        if (failure instanceof QueryValidationException
                || failure instanceof FunctionFailureException
                || failure instanceof ProtocolError
                || failure instanceof RequestThrottlingException
                || failure instanceof FrameTooLongException) {
            return FINAL; // refused before it was executed, or before it was sent
        }
        if (failure instanceof AllNodesFailedException all) {
            boolean noneSent = all.getAllErrors().values().stream()
                    .flatMap(List::stream)
                    .allMatch(error -> isWithoutEffect(statement, error));
            return noneSent ? TRY_NEXT_NODE : UNKNOWN;
        }
        return failure instanceof CoordinatorException && isWithoutEffect(statement, failure) ? TRY_NEXT_NODE : UNKNOWN;
    }

    /**
     * Whether an error that the driver recorded before it went on to another node shows that nothing happened. For a
     * statement that is not idempotent the driver records errors of its own only where the request did not leave the
     * client: no connection, a write to the socket that failed, a failed preparation. A connection lost after sending
     * is reported outside AllNodesFailedException.
     */
    private static boolean isWithoutEffect(StatementKind statement, Throwable error) {
        if (error instanceof UnavailableException) {
            return statement == StatementKind.WRITE;
        }
        return error instanceof BootstrappingException
                || error instanceof NodeUnavailableException
                || !(error instanceof CoordinatorException);
    }
}
