/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.agent.Hooks;
import org.meteorshower.cassandra.config.PluginConfig;
import org.meteorshower.cassandra.cql.BatchInternals;
import org.meteorshower.cassandra.cql.MeteorShowerQueryHandler;
import org.meteorshower.cassandra.cql.SelectService;
import org.meteorshower.cassandra.cql.Services;
import org.meteorshower.cassandra.cql.WriteService;
import org.meteorshower.cassandra.net.ForwardedFetch;
import org.meteorshower.cassandra.net.ForwardedReads;
import org.meteorshower.cassandra.placement.PlacementKeeper;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.read.LocalFetch;
import org.meteorshower.cassandra.read.ReadService;
import org.meteorshower.cassandra.read.RoutedFetch;
import org.meteorshower.cassandra.read.SelectInternals;
import org.meteorshower.cassandra.read.SelectRunner;
import org.meteorshower.cassandra.store.Announcer;
import org.meteorshower.cassandra.store.CassandraUpdateCodec;
import org.meteorshower.cassandra.store.Coordinators;
import org.meteorshower.cassandra.store.LocalStore;
import org.meteorshower.cassandra.store.TrackedTables;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.TableSwitch;
import org.meteorshower.cassandra.tables.TableWatcher;
import org.meteorshower.cassandra.tables.TablesTable;
import org.meteorshower.cassandra.token.CoordinatorToken;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.SequentialReads;
import org.meteorshower.runtime.Clock;
import org.meteorshower.runtime.Journal;
import org.meteorshower.runtime.MeteorShower;
import org.meteorshower.runtime.UpdateCodec;
import org.meteorshower.transport.NettyTransport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts one node's MeteorShower together, in the order in which its parts need each other. Everything is in place before
 * Cassandra hears from another node or a client.
 */
public final class Node {
    private static final Logger log = LoggerFactory.getLogger(Node.class);

    private Node() {}

    /**
     * Called by Cassandra's start-up (see {@code HookInstaller}), on its main thread: the commit log has been replayed, no
     * message has been accepted.
     *
     * @throws ConfigurationException if the node must not start like this
     */
    public static void start() {
        try {
            Hooks.requireInstalled();
            assemble(NodeConfig.load(), new SelectInternals(), new BatchInternals());
        } catch (IllegalStateException e) {
            throw new ConfigurationException("MeteorShower: " + e.getMessage(), e);
        }
    }

    private static void assemble(PluginConfig config, SelectInternals selectInternals, BatchInternals batchInternals) {
        NodeId self = new NodeId(SystemKeyspace.getOrInitializeLocalHostId());
        Shutdown shutdown = new Shutdown();
        EmulatedWan wan = config.wanFile() == null ? null : shutdown.closing(new EmulatedWan(config.wanFile()));
        Clock clock = wan == null ? Clock.system() : wan.clock();
        UpdateCodec codec = new CassandraUpdateCodec();
        Journal journal = shutdown.closing(JournalOpening.open(config.journal(), codec));
        Journal.Contents contents = journal.contents();

        RingPlacement placement = PlacementKeeper.initial(self, EnabledTables.declaredQuorums());
        SequentialReads core =
                new SequentialReads(self, config.settings(), placement, JournalOpening.recovery(contents));
        NettyTransport transport =
                shutdown.closing(TransportOpening.make(config, self, contents.incarnation(), codec, wan));
        MeteorShower meteorShower =
                new MeteorShower(core, clock, journal, transport, new LocalStore(), new LoggedAlarms());

        EnabledTables enabled = new EnabledTables();
        PlacementKeeper keeper = new PlacementKeeper(self, placement, enabled::writeQuorums, meteorShower);
        UnbrokenRuns runs = new UnbrokenRuns(JournalOpening.directory(config.journal()));
        forgetWhatIsNotSo(contents, runs, meteorShower);
        track(meteorShower, enabled, keeper, shutdown);

        LocalFetch here = new LocalFetch(meteorShower);
        ForwardedReads forwarded = shutdown.closing(new ForwardedReads(here, enabled));
        ReadService reads = new ReadService(
                new SelectRunner(selectInternals),
                new RoutedFetch(self, placement, here, new ForwardedFetch(transport, placement)));
        Services services = new Services(
                enabled,
                new SelectService(enabled, keeper, reads),
                new WriteService(meteorShower, enabled, placement, keeper, config.weakWrites(), batchInternals),
                new TokenFormat(NodeConfig.secrets(config)),
                new CoordinatorToken());
        VirtualKeyspaceRegistry.instance.register(new VirtualKeyspace(
                TablesTable.KEYSPACE,
                List.of(new TablesTable(
                        enabled, new TableSwitch(), new TableCondition(self, placement, meteorShower)))));

        Ticker ticker = shutdown.closing(new Ticker(meteorShower, keeper, enabled::none, runs));
        ticker.start();
        if (wan != null) {
            wan.holdCassandraMessages();
        }
        TransportOpening.start(transport, new NodeReceiver(meteorShower, forwarded));
        MeteorShowerQueryHandler.serveWith(services);
        StorageService.instance.addPostShutdownHook(shutdown);
        log.info("MeteorShower is up: node {}, incarnation {}", self, contents.incarnation());
    }

    /** Drops what the journal says of tables that were disabled, or written to unannounced, since. */
    private static void forgetWhatIsNotSo(Journal.Contents contents, UnbrokenRuns runs, MeteorShower meteorShower) {
        boolean broken = !contents.tables().isEmpty() && runs.isBroken();
        if (broken) {
            log.warn(
                    "MeteorShower: this node has run without the plugin since it last ran with it, and may hold writes that"
                            + " no other node was told of. Its enabled tables must be repaired in full, and their baseline"
                            + " confirmed here, before they are served.");
        }
        for (Journal.TableState state : contents.tables()) {
            if (broken || !isDeclared(state.table())) {
                meteorShower.tableDisabled(state.table());
            }
        }
    }

    /** From the end of this on, every mutation of an enabled table is announced before it is applied. */
    private static void track(
            MeteorShower meteorShower, EnabledTables enabled, PlacementKeeper keeper, Shutdown shutdown) {
        TrackedTables tracked = new TrackedTables();
        Coordinators coordinators = new Coordinators();
        Hooks.listen(new Announcer(meteorShower, tracked, coordinators));
        MessagingService.instance().inboundSink.add(new ArrivingWrites(enabled, coordinators));
        ExecutorService thread = Executors.newSingleThreadExecutor(new NamedThreadFactory("MeteorShower-Tables"));
        shutdown.closing(thread::shutdownNow);
        TableWatcher watcher = new TableWatcher(enabled, tracked, meteorShower, keeper, thread);
        Schema.instance.registerListener(watcher);
        watcher.sync();
    }

    private static boolean isDeclared(UUID table) {
        return EnabledTables.declaredQuorums().containsKey(TableId.fromUUID(table));
    }

    /** Closes the node's parts when Cassandra has gone down, the last one made first. */
    private static final class Shutdown implements Runnable {
        private final java.util.ArrayDeque<AutoCloseable> parts = new java.util.ArrayDeque<>();

        <C extends AutoCloseable> C closing(C part) {
            parts.push(part);
            return part;
        }

        @Override
        public void run() {
            MeteorShowerQueryHandler.serveWith(null);
            for (AutoCloseable part : parts) {
                closeQuietly(part);
            }
        }

        private static void closeQuietly(@Nullable AutoCloseable part) {
            try {
                if (part != null) {
                    part.close();
                }
            } catch (Exception e) {
                log.warn("MeteorShower: a part did not close", e);
            }
        }
    }
}
