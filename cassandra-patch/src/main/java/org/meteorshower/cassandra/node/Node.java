/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.agent.Hooks;
import org.meteorshower.cassandra.cql.MeteorShowerQueryHandler;
import org.meteorshower.cassandra.token.TokenFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts one node's MeteorShower together, in the order in which its parts need each other; each opens what is its own,
 * and closes it. Everything is in place before Cassandra hears from another node or a client.
 */
public final class Node {
    private static final Logger log = LoggerFactory.getLogger(Node.class);

    private static volatile @Nullable CatchingUp catchingUp;

    private Node() {}

    /**
     * Called by Cassandra's start-up (see {@code HookInstaller}), on its main thread: the commit log has been replayed,
     * no message has been accepted.
     *
     * @throws ConfigurationException if the node must not start like this
     */
    public static void start() {
        try {
            Hooks.requireInstalled();
            requireAddressOfItsOwn();
            assemble();
        } catch (IllegalStateException e) {
            throw new ConfigurationException("MeteorShower: " + e.getMessage(), e);
        }
    }

    /** Called by Cassandra's start-up, on its main thread, before the first client is accepted. */
    public static void awaitCaughtUp() {
        CatchingUp mayWait = catchingUp;
        if (mayWait != null) {
            mayWait.await();
        }
    }

    /**
     * A node that takes over a dead one's address gets its host id, too, and only later in its start: known by two
     * names, it would have its peers move the tables' partitions back and forth. Nor has it the journal that goes with
     * that name.
     */
    private static void requireAddressOfItsOwn() {
        if (StorageService.isReplacingSameAddress() && !SystemKeyspace.bootstrapComplete()) {
            throw new ConfigurationException("MeteorShower: this node is to replace a dead one under the same address, "
                    + DatabaseDescriptor.getReplaceAddress()
                    + ", and would be taken for it. Give it an address of its own (listen_address, broadcast_address), and"
                    + " name the dead one in -Dcassandra.replace_address_first_boot.");
        }
    }

    private static NodeReceiver receiver(
            ProtocolPart protocol, SequentialPart sequential, TransactionsPart transactions) {
        return new NodeReceiver(
                protocol.meteorShower,
                sequential.forwarded,
                sequential.forwardedScans,
                sequential.tickets,
                protocol.missed,
                protocol.repairs,
                protocol.takingPart,
                transactions.node);
    }

    private static void assemble() {
        OpenParts parts = new OpenParts();
        SequentialPart.Internals internals = new SequentialPart.Internals();
        Foundation ground = parts.add(new Foundation(NodeConfig.load()));
        TokenFormat tokens = new TokenFormat(NodeConfig.secrets(ground.config));
        ProtocolPart protocol = parts.add(new ProtocolPart(ground));
        TablesPart tables = parts.add(new TablesPart(ground, protocol));
        SequentialPart sequential = parts.add(new SequentialPart(ground, protocol, tables, tokens, internals));
        TransactionsPart transactions = parts.add(new TransactionsPart(ground, protocol, tables, tokens));
        OperatorsPart operators = parts.add(new OperatorsPart(ground, protocol, tables, sequential, transactions));

        Ticker ticker = parts.add(new Ticker(protocol.meteorShower, tables::isIdle, tables.runs));
        ticker.start();
        if (ground.wan != null) {
            ground.wan.holdCassandraMessages();
        }
        MessagingService.instance().outboundSink.add(protocol.answers); // asked first: the last one that is added is
        TransportOpening.start(protocol.transport, receiver(protocol, sequential, transactions));
        transactions.start();
        operators.serveMetrics();
        MeteorShowerQueryHandler.serveWith(
                FrontDoorOpening.make(QueryProcessor.instance, tables, sequential, transactions));
        catchingUp = new CatchingUp(
                () -> protocol.store.isCatchingUp() || sequential.lacking.isCatchingUp(),
                sequential.lacking::lackingCount,
                ground.config.catchUpMillis(),
                CatchingUp.PATIENCE_MILLIS);
        tables.lookAround(() -> {
            operators.writeHealth();
            sequential.look();
        });
        StorageService.instance.addPostShutdownHook(() -> {
            MeteorShowerQueryHandler.serveWith(null);
            parts.close();
        });
        log.info("MeteorShower is up: node {}, incarnation {}", ground.self, ground.contents.incarnation());
    }
}
