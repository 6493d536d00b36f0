/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Transactions of the benchmark: what is asked, by whom it is answered, and whether the answers can be true.
 *
 * <p>A {@code Request} is asked of a {@code TransactionStore}, of which {@code TransactionStores} has one for each
 * system; what comes of it is a {@code TransactionOutcome}. {@code TransactionVerdict} judges all of them, by a
 * {@code VersionHistory}.
 */
@NullMarked
package org.meteorshower.lab.transactions;

import org.jspecify.annotations.NullMarked;
