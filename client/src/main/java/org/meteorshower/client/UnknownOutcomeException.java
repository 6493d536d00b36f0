/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import org.jspecify.annotations.Nullable;

/**
 * Nobody knows whether the write took effect: it may already have, may do so at any time from now on,
 * or never. The cause says what was seen. The session's token has not moved, and the session goes on.
 *
 * <p>Executing the statement again is a <em>second write</em> with a later timestamp, not a
 * repetition: if both take effect, a value that somebody wrote between them is overwritten again.
 * Where that matters, read first, or use a conditional statement.
 *
 * <p>Every other exception from a write means that it certainly did not take effect.
 */
public final class UnknownOutcomeException extends DriverException {

    UnknownOutcomeException(String message, @Nullable ExecutionInfo executionInfo, @Nullable Throwable cause) {
        super(message, executionInfo, cause, true);
    }

    @Override
    public DriverException copy() {
        return new UnknownOutcomeException(String.valueOf(getMessage()), getExecutionInfo(), getCause());
    }
}
