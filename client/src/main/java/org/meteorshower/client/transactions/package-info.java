/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Transactions as values: what {@link org.meteorshower.client.MeteorShowerTransactions} runs. Start at
 * {@link org.meteorshower.client.transactions.TransactionStatement}.
 */
@NullMarked
package org.meteorshower.client.transactions;

import org.jspecify.annotations.NullMarked;
