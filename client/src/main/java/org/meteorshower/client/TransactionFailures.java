/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.connection.FrameTooLongException;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.FunctionFailureException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ProtocolError;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What failures say of a transaction with a number. Stateless. */
final class TransactionFailures {

    private static final Pattern TOLD =
            Pattern.compile("MeteorShower: the transaction was not carried out \\(([A-Z_]+)\\): (.*)", Pattern.DOTALL);

    /** The server's words where a session's name is not good, be it forged or signed with a secret that is gone. */
    private static final String NO_SESSION = "is no session of yours";

    /**
     * The server's words where the transaction's tables are of another group of data centres than its session. The
     * names become part of a statement.
     */
    private static final Pattern OTHER_SESSION =
            Pattern.compile("\\(OTHER_SESSION\\): OPEN TRANSACTION SESSION OF '(" + TransactionPools.NAMES + ")'");

    private static final String RESULT_LOST = "MeteorShower: the transaction was carried out (RESULT_LOST)";

    private TransactionFailures() {}

    /** What stands recorded of the transaction, or of this attempt. */
    enum Told {
        /** Recorded under its number: aborted. */
        ABORTED,
        /** Recorded under its number: somebody has seen to it that it never runs. */
        DEAD,
        /** Recorded under its number: it has happened, and what it returned was too large to be kept. */
        RESULT_LOST,
        /** Of this attempt only: it has done nothing, since its session or number is not known. */
        NOT_KNOWN
    }

    static Optional<Told> told(Throwable failure) {
        if (!(failure instanceof InvalidQueryException)) {
            return Optional.empty();
        }
        String message = String.valueOf(failure.getMessage());
        if (message.contains(NO_SESSION)) {
            return Optional.of(Told.NOT_KNOWN);
        } else if (message.startsWith(RESULT_LOST)) {
            return Optional.of(Told.RESULT_LOST);
        }
        Matcher told = TOLD.matcher(message);
        if (!told.matches()) {
            return Optional.empty();
        }
        return switch (told.group(1)) {
            case "ERROR", "ASSERT" -> Optional.of(Told.ABORTED);
            case "DEAD" -> Optional.of(Told.DEAD);
            case "SESSION_EXPIRED", "NUMBER_FORGOTTEN" -> Optional.of(Told.NOT_KNOWN);
            default -> Optional.empty();
        };
    }

    /**
     * Names the group of data centres of whose sessions the transaction has to be: under a number of another one it was
     * refused before anything was done. Empty where it failed otherwise.
     */
    static Optional<String> groupAskedFor(Throwable failure) {
        if (!(failure instanceof InvalidQueryException) || told(failure).isPresent()) {
            return Optional.empty();
        }
        Matcher asked = OTHER_SESSION.matcher(String.valueOf(failure.getMessage()));
        return asked.find() ? Optional.of(asked.group(1)) : Optional.empty();
    }

    /** The server's words behind its code. */
    static String detail(Throwable failure) {
        Matcher told = TOLD.matcher(String.valueOf(failure.getMessage()));
        return told.matches() ? told.group(2) : String.valueOf(failure.getMessage());
    }

    /**
     * Whether the transaction may run, or have run, after an execution that failed so; its failures on the way count
     * too.
     */
    static boolean leavesDoubt(Throwable failure) {
        return mayHaveRun(failure) || Arrays.stream(failure.getSuppressed()).anyMatch(TransactionFailures::mayHaveRun);
    }

    /** Whether it may go better a little later. */
    static boolean isPassing(Throwable failure) {
        return mayHaveRun(failure)
                || failure instanceof UnavailableException
                || failure instanceof OverloadedException
                || failure instanceof BootstrappingException
                || failure instanceof AllNodesFailedException;
    }

    private static boolean mayHaveRun(Throwable failure) {
        if (failure instanceof AllNodesFailedException all) {
            // What the driver itself records there did not leave the client: see FailureKind.
            return all.getAllErrors().values().stream()
                    .flatMap(List::stream)
                    .anyMatch(error -> error instanceof CoordinatorException && mayHaveRun(error));
        }
        boolean certain = failure instanceof UnavailableException
                || failure instanceof OverloadedException
                || failure instanceof BootstrappingException
                || failure instanceof QueryValidationException
                || failure instanceof FunctionFailureException
                || failure instanceof ProtocolError
                || failure instanceof NodeUnavailableException
                || failure instanceof RequestThrottlingException
                || failure instanceof FrameTooLongException;
        return failure instanceof DriverException && !certain;
    }

    static Throwable rootOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
