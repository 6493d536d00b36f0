/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Nobody knows whether the write took effect: it may already have, may do so at any time from now on, or never. The
 * cause says what was seen. The session's token has not moved, and the session goes on.
 *
 * <p>Executing the statement again is a <em>second write</em> with a later timestamp, not a repetition: if both take
 * effect, a value that somebody wrote between them is overwritten again. Where that matters, read first, or use a
 * conditional statement.
 *
 * <p>Of a transaction of {@link MeteorShowerTransactions} this is told only after it was sent again for as long as
 * allowed, and nobody could be asked what had become of it; {@link #transaction} names it, so that it can be asked for
 * later.
 *
 * <p>Every other exception from a write means that it certainly did not take effect.
 */
public final class UnknownOutcomeException extends DriverException {

    private final transient @Nullable TransactionId transaction;

    UnknownOutcomeException(String message, @Nullable ExecutionInfo executionInfo, @Nullable Throwable cause) {
        this(message, executionInfo, cause, null);
    }

    UnknownOutcomeException(
            String message,
            @Nullable ExecutionInfo executionInfo,
            @Nullable Throwable cause,
            @Nullable TransactionId transaction) {
        super(message, executionInfo, cause, true);
        this.transaction = transaction;
    }

    /**
     * What to ask {@link MeteorShowerTransactions#resolve} for, later; empty if it was no transaction with a number.
     */
    public Optional<TransactionId> transaction() {
        return Optional.ofNullable(transaction);
    }

    @Override
    public DriverException copy() {
        return new UnknownOutcomeException(String.valueOf(getMessage()), getExecutionInfo(), getCause(), transaction);
    }
}
