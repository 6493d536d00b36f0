/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import org.meteorshower.protocol.Effect.ReadFailure;

/**
 * A read or write that was not served, and why. For a read nothing happened; a write refused with it was not started.
 */
public final class ReadRefusedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final ReadFailure failure;

    public ReadRefusedException(ReadFailure failure, String detail) {
        super(detail);
        this.failure = failure;
    }

    public ReadFailure failure() {
        return failure;
    }
}
