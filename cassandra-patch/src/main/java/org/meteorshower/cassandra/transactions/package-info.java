/* SPDX-License-Identifier: Apache-2.0 */
/** Transactions in a Cassandra node: where the statements' face and the data centre's process meet. */
@NullMarked
package org.meteorshower.cassandra.transactions;

import org.jspecify.annotations.NullMarked;
