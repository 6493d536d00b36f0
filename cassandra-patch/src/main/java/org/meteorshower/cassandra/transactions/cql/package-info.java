/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Transactions written in CQL: text to {@link org.meteorshower.cassandra.transactions.cql.Script} to
 * {@link org.meteorshower.cassandra.transactions.cql.Plan} to what the core runs, and its answer to a result.
 */
@NullMarked
package org.meteorshower.cassandra.transactions.cql;

import org.jspecify.annotations.NullMarked;
