/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

/**
 * What became of a transaction that somebody asked for.
 *
 * @param reason the server's word for why it has not happened, such as {@code ERROR}; {@link #NOT_RUN} where it simply
 *     had not; empty where it has
 * @param detail for people; empty where there is nothing to say
 */
public record TransactionOutcome(State state, String reason, String detail) {

    /** It had not run when it was first asked for. */
    public static final String NOT_RUN = "DEAD";

    /** Which. */
    public enum State {
        /** It has happened, once. */
        COMMITTED,
        /** It has not happened, and never will, since now it has been asked for. */
        ABORTED,
        /** Nobody knows any more: its session has expired, or too many later numbers were used. */
        FORGOTTEN
    }
}
