/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

/**
 * Names a transaction for good: whoever connects as the same role can ask what became of it, for as long as its session
 * is remembered (an hour after its last use). Immutable.
 *
 * @param session at the cluster, as a server named it
 * @param number within the session, from 1
 */
public record TransactionId(String session, long number) {

    /** @throws IllegalArgumentException if it cannot be one */
    public TransactionId {
        if (number < 1 || session.isEmpty() || session.contains("'")) {
            throw new IllegalArgumentException("No transaction: number " + number + " of session \"" + session + "\"");
        }
    }

    /** For logs; in cqlsh, RESOLVE TRANSACTION and this text makes its outcome definite. */
    @Override
    public String toString() {
        return number + " OF SESSION '" + session + "'";
    }
}
