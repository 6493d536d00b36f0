/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import java.util.List;
import java.util.concurrent.CompletionException;

/** What a failure of the driver says of a transaction. */
public final class Failures {
    private Failures() {}

    /** Aborted where it was certainly not run; unknown otherwise. */
    public static TransactionOutcome outcome(Throwable failure, int retries) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String reason = cause.getClass().getSimpleName() + ": " + cause.getMessage();
        return isHarmless(cause)
                ? TransactionOutcome.aborted(retries, reason)
                : TransactionOutcome.unknown(retries, reason);
    }

    /** Whether it is certain that the request has no effect. */
    private static boolean isHarmless(Throwable cause) {
        if (cause instanceof AllNodesFailedException all && !(cause instanceof NoNodeAvailableException)) {
            return all.getAllErrors().values().stream().flatMap(List::stream).allMatch(Failures::isHarmless);
        }
        return cause instanceof NoNodeAvailableException
                || cause instanceof QueryValidationException
                || cause instanceof OverloadedException
                || cause instanceof BusyConnectionException;
    }
}
