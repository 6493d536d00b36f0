/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.config.PlainStatements;
import org.meteorshower.cassandra.config.TransactionsConfig;
import org.meteorshower.cassandra.cql.MeteorShowerQueryHandler;
import org.meteorshower.cassandra.memory.MemoryBudget;
import org.meteorshower.cassandra.memory.MemoryUser;
import org.meteorshower.cassandra.tables.TransactionSwitch;
import org.meteorshower.cassandra.tables.WayIn;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.transactions.LaneGroup;
import org.meteorshower.cassandra.transactions.TransactionGroups;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.cassandra.transactions.cql.PreparedTransactions;
import org.meteorshower.cassandra.transactions.cql.Procedures;
import org.meteorshower.cassandra.transactions.cql.Transactions;
import org.meteorshower.cassandra.transactions.node.ProcedureTable;
import org.meteorshower.cassandra.transactions.node.TransactionsNode;
import org.meteorshower.cassandra.transactions.node.TransactionsOff;
import org.meteorshower.cassandra.views.TransactionsProbe;
import org.meteorshower.runtime.MeteorShower;
import org.meteorshower.transactions.runtime.Status;

/**
 * Transactions at this node. Their CQL face is there at every node, and says so where they are not configured; then
 * nothing else of them runs. Thread-safe.
 */
final class TransactionsPart implements AutoCloseable {
    /** Null where transactions are not configured. */
    final @Nullable TransactionsNode node;

    /** Lets tables take part. */
    final TransactionSwitch letsIn;

    private final WayIn wayIn;

    final Transactions face;
    final Procedures procedures;

    /** @throws IllegalStateException if they are configured, and not for this node's data centre */
    TransactionsPart(Foundation ground, ProtocolPart protocol, TablesPart tables, TokenFormat tokens) {
        TransactionsConfig config = ground.config.transactions();
        node = config == null
                ? null
                : new TransactionsNode(
                        config,
                        ground.self,
                        protocol.transport,
                        ground.clock,
                        ground.metrics.transactions(),
                        ground.memory);
        TransactionsNode here = node;
        wayIn = wayIn(ground, protocol, tables);
        protocol.takingPart.answerBy(wayIn::asked);
        letsIn = new TransactionSwitch(config, () -> here == null ? null : here.withoutGroups(), wayIn);
        face = new Transactions(
                node == null ? TransactionGroups.only(new TransactionsOff(TransactionsOff.NOT_CONFIGURED)) : node,
                TransactionTables::isTransactional,
                tokens,
                config != null && config.plainStatements() == PlainStatements.REFUSE,
                ground.metrics.transactions());
        procedures = procedures(config, ground.memory);
    }

    private static WayIn wayIn(Foundation ground, ProtocolPart protocol, TablesPart tables) {
        MeteorShower meteorShower = protocol.meteorShower;
        TableCondition condition = TableCondition.of(ground, protocol, tables);
        return new WayIn(
                ground.self,
                tables.requests,
                protocol.takingPart,
                tables.tableSwitch,
                table -> {
                    String why = condition.notReady(table);
                    return TableCondition.FORWARDED.equals(why) ? null : why;
                },
                table -> {
                    UUID name = tables.enabled.idOf(table.id);
                    return name == null || meteorShower.inspect(view -> view.hasInFlight(name));
                });
    }

    /** Half of the room is for these, half for transactions that clients have prepared. */
    private static Procedures procedures(@Nullable TransactionsConfig config, MemoryBudget memory) {
        long half = memory.limit(MemoryUser.PREPARED_TRANSACTIONS) / 2;
        PreparedTransactions prepared = MeteorShowerQueryHandler.known().prepared();
        prepared.limit(half);
        memory.register(MemoryUser.PREPARED_TRANSACTIONS, prepared::bytes);
        Procedures made = new Procedures(
                config == null ? null : new ProcedureTable(config),
                TransactionTables::isTransactional,
                ProcedureTable.background(),
                System::nanoTime,
                half);
        memory.register(MemoryUser.PREPARED_TRANSACTIONS, made::bytes);
        return made;
    }

    /** To be called when the transport has started. */
    void start() {
        wayIn.start();
        if (node != null) {
            node.start();
            // Before Cassandra stops serving, gossiping and writing: the others take over from a node that still runs.
            StorageService.instance.addPreShutdownHook(node::leave);
        }
    }

    /** The virtual tables that show how they do. */
    List<VirtualTable> views() {
        return node == null ? List.of() : List.of(node.view(), new TransactionsProbe(node.runner(LaneGroup.WHOLE)));
    }

    /**
     * How this data centre's processes do, by group of lanes: empty where another node runs it. None where transactions
     * are not configured.
     */
    Map<String, Optional<Status>> statuses() {
        return node == null ? Map.of() : node.statuses();
    }

    @Override
    public void close() {
        wayIn.close();
        if (node != null) {
            node.close();
        }
    }
}
