/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import org.meteorshower.protocol.Effect.Failure;

/**
 * A read or write that was not served, and why. For a read nothing happened; a write refused with it was not started.
 */
public final class RequestRefusedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final Failure failure;

    public RequestRefusedException(Failure failure, String detail) {
        super(detail);
        this.failure = failure;
    }

    public Failure failure() {
        return failure;
    }
}
