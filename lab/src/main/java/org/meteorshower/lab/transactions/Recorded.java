/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

/**
 * A transaction and what came of it. Immutable.
 *
 * @param startNanos of the run, when it was asked for
 * @param endNanos of the run, when it was answered
 */
public record Recorded(String session, Request request, TransactionOutcome outcome, long startNanos, long endNanos) {}
