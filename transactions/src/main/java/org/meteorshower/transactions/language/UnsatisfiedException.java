/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

/** Ends a program in which nothing of the transaction shall happen. */
final class UnsatisfiedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final Outcome.Reason reason;

    UnsatisfiedException(Outcome.Reason reason, String detail) {
        super(detail, null, false, false);
        this.reason = reason;
    }
}
