/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

/**
 * What a builder settled for transactions.
 *
 * @param patienceNanos for how long attempts begin
 * @param resolvePatienceNanos then for how long it is asked what became of it
 * @param mostSessions of each group of data centres at the cluster, at least 1
 * @param mostTries of an interactive transaction, at least 1
 * @param group whose tables a text is taken to name that is not known, {@link TransactionPools#WHOLE} for all
 */
record TransactionSettings(
        long patienceNanos, long resolvePatienceNanos, int mostSessions, int mostTries, String group) {}
