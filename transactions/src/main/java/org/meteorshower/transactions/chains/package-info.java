/* SPDX-License-Identifier: Apache-2.0 */
/** Deterministic execution: transactions as chains over queues of rows. */
@NullMarked
package org.meteorshower.transactions.chains;

import org.jspecify.annotations.NullMarked;
