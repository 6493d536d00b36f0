/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.DriverException;
import org.jspecify.annotations.Nullable;

/**
 * The transaction has not happened, and never will: nothing of it was written. It may be executed again, as another
 * one.
 */
public final class TransactionAbortedException extends DriverException {

    /** Why. */
    public enum Reason {
        /** It makes no sense of what it met, such as a division by zero; the message says what. */
        ERROR,
        /**
         * It was not done for as long as this client was to try, and then seen to that it never will be. The cause says
         * what stood in the way.
         */
        GIVEN_UP
    }

    private final Reason reason;

    TransactionAbortedException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, null, cause, true);
        this.reason = reason;
    }

    /** Why it has not happened. */
    public Reason reason() {
        return reason;
    }

    @Override
    public DriverException copy() {
        return new TransactionAbortedException(reason, String.valueOf(getMessage()), getCause());
    }
}
