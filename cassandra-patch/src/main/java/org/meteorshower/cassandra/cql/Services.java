/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import org.meteorshower.cassandra.metrics.Refusals;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.EndingTables;
import org.meteorshower.cassandra.token.CoordinatorToken;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.transactions.cql.Procedures;
import org.meteorshower.cassandra.transactions.cql.Transactions;

/** What the query handler works with, once the node is up. */
public record Services(
        EnabledTables enabled,
        EndingTables endings,
        SelectService selects,
        WriteService writes,
        TokenFormat tokenFormat,
        CoordinatorToken coordinatorToken,
        Refusals refusals,
        Transactions transactions,
        Procedures procedures) {}
