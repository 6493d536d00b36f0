/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.config.PlainStatements;
import org.meteorshower.cassandra.config.TransactionsConfig;
import org.meteorshower.cassandra.cql.MeteorShowerQueryHandler;
import org.meteorshower.cassandra.memory.MemoryBudget;
import org.meteorshower.cassandra.memory.MemoryUser;
import org.meteorshower.cassandra.metrics.TransactionMetrics;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.cassandra.transactions.cql.PreparedTransactions;
import org.meteorshower.cassandra.transactions.cql.Procedures;
import org.meteorshower.cassandra.transactions.cql.Transactions;
import org.meteorshower.cassandra.transactions.node.ProcedureTable;
import org.meteorshower.cassandra.transactions.node.TransactionsNode;
import org.meteorshower.cassandra.transactions.node.TransactionsOff;

/** Makes the CQL face of transactions, which there is at every node: where they are not configured, it says so. */
final class TransactionsOpening {
    private TransactionsOpening() {}

    static Transactions face(
            @Nullable TransactionsConfig config,
            @Nullable TransactionsNode node,
            TokenFormat tokens,
            TransactionMetrics measured) {
        return new Transactions(
                node == null ? new TransactionsOff() : node.runner(),
                TransactionTables::isTransactional,
                tokens,
                config != null && config.plainStatements() == PlainStatements.REFUSE,
                measured);
    }

    /** Half of the room is for these, half for transactions that clients have prepared. */
    static Procedures procedures(@Nullable TransactionsConfig config, MemoryBudget memory) {
        long half = memory.limit(MemoryUser.PREPARED_TRANSACTIONS) / 2;
        PreparedTransactions prepared = MeteorShowerQueryHandler.known().prepared();
        prepared.limit(half);
        memory.register(MemoryUser.PREPARED_TRANSACTIONS, prepared::bytes);
        Procedures procedures = new Procedures(
                config == null ? null : new ProcedureTable(config),
                TransactionTables::isTransactional,
                ProcedureTable.background(),
                System::nanoTime,
                half);
        memory.register(MemoryUser.PREPARED_TRANSACTIONS, procedures::bytes);
        return procedures;
    }
}
