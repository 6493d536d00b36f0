/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.DriverException;
import org.jspecify.annotations.Nullable;

/**
 * The transaction <em>has</em> happened, once; what it returned could not be fetched. Do not execute it again; read
 * what it wrote.
 */
public final class ResultLostException extends DriverException {

    ResultLostException(String message, @Nullable Throwable cause) {
        super(message, null, cause, true);
    }

    @Override
    public DriverException copy() {
        return new ResultLostException(String.valueOf(getMessage()), getCause());
    }
}
