/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.agent.Hooks;
import org.meteorshower.cassandra.check.OnlineCheck;
import org.meteorshower.cassandra.check.OnlineCheckTable;
import org.meteorshower.cassandra.config.PluginConfig;
import org.meteorshower.cassandra.config.RunTimeOptions;
import org.meteorshower.cassandra.config.TransactionsConfig;
import org.meteorshower.cassandra.cql.BatchInternals;
import org.meteorshower.cassandra.cql.FrontDoor;
import org.meteorshower.cassandra.cql.MeteorShowerQueryHandler;
import org.meteorshower.cassandra.cql.ReadHandler;
import org.meteorshower.cassandra.cql.ServedTables;
import org.meteorshower.cassandra.cql.SessionTokens;
import org.meteorshower.cassandra.cql.WriteAdmission;
import org.meteorshower.cassandra.cql.WriteHandler;
import org.meteorshower.cassandra.cql.WriteMaker;
import org.meteorshower.cassandra.memory.MemoryBudget;
import org.meteorshower.cassandra.memory.MemoryUser;
import org.meteorshower.cassandra.metrics.TransactionMetrics;
import org.meteorshower.cassandra.net.ForwardedFetch;
import org.meteorshower.cassandra.net.ForwardedReads;
import org.meteorshower.cassandra.placement.OwnPlace;
import org.meteorshower.cassandra.placement.PlacementKeeper;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.read.LocalFetch;
import org.meteorshower.cassandra.read.LocatedRead;
import org.meteorshower.cassandra.read.RoutedFetch;
import org.meteorshower.cassandra.read.SelectInternals;
import org.meteorshower.cassandra.read.SelectRunner;
import org.meteorshower.cassandra.schedule.Repeatedly;
import org.meteorshower.cassandra.store.Announcer;
import org.meteorshower.cassandra.store.CassandraUpdateCodec;
import org.meteorshower.cassandra.store.Coordinators;
import org.meteorshower.cassandra.store.LocalStore;
import org.meteorshower.cassandra.store.TrackedTables;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.EndingTables;
import org.meteorshower.cassandra.tables.FollowedTables;
import org.meteorshower.cassandra.tables.HealthFile;
import org.meteorshower.cassandra.tables.PeersTable;
import org.meteorshower.cassandra.tables.PulledTables;
import org.meteorshower.cassandra.tables.RingFollower;
import org.meteorshower.cassandra.tables.SettingsTable;
import org.meteorshower.cassandra.tables.TableSwitch;
import org.meteorshower.cassandra.tables.TableWatcher;
import org.meteorshower.cassandra.tables.TablesTable;
import org.meteorshower.cassandra.tables.ThreadsTable;
import org.meteorshower.cassandra.tables.TrafficTable;
import org.meteorshower.cassandra.tables.TransactionSwitch;
import org.meteorshower.cassandra.token.CoordinatorToken;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.transactions.node.TransactionsNode;
import org.meteorshower.cassandra.views.MemoryView;
import org.meteorshower.cassandra.views.PeersView;
import org.meteorshower.cassandra.views.ViolationsView;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.SequentialReads;
import org.meteorshower.runtime.Clock;
import org.meteorshower.runtime.Journal;
import org.meteorshower.runtime.MeteorShower;
import org.meteorshower.runtime.UpdateCodec;
import org.meteorshower.runtime.journal.MappedJournal;
import org.meteorshower.transport.NettyTransport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts one node's MeteorShower together, in the order in which its parts need each other. Everything is in place before
 * Cassandra hears from another node or a client.
 */
public final class Node {
    private static final Logger log = LoggerFactory.getLogger(Node.class);
    private static final long LOOK_EVERY_MILLIS = 1_000;

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
            requireAddressOfItsOwn();
            assemble(NodeConfig.load(), new SelectInternals(), new BatchInternals());
        } catch (IllegalStateException e) {
            throw new ConfigurationException("MeteorShower: " + e.getMessage(), e);
        }
    }

    /**
     * A node that takes over a dead one's address gets its host id, too, and only later in its start: known by two names, it
     * would have its peers move the tables' partitions back and forth. Nor has it the journal that goes with that name.
     */
    private static void requireAddressOfItsOwn() {
        if (StorageService.isReplacingSameAddress() && !SystemKeyspace.bootstrapComplete()) {
            throw new ConfigurationException("MeteorShower: this node is to replace a dead one under the same address, "
                    + DatabaseDescriptor.getReplaceAddress()
                    + ", and would be taken for it. Give it an address of its own (listen_address, broadcast_address), and"
                    + " name the dead one in -Dcassandra.replace_address_first_boot.");
        }
    }

    private static void assemble(PluginConfig config, SelectInternals selectInternals, BatchInternals batchInternals) {
        NodeId self = new NodeId(SystemKeyspace.getOrInitializeLocalHostId());
        MemoryBudget memory = MemoryOpening.make(config.memory());
        Shutdown shutdown = new Shutdown();
        EmulatedWan wan = config.wanFile() == null ? null : shutdown.closing(new EmulatedWan(config.wanFile()));
        Clock clock = wan == null ? Clock.system() : wan.clock();
        UpdateCodec codec = new CassandraUpdateCodec();
        MappedJournal opened = shutdown.closing(JournalOpening.open(config.journal(), codec));
        Journal journal = wan == null ? opened : wan.onDisk(opened);
        Journal.Contents contents = journal.contents();

        RingPlacement placement = PlacementKeeper.initial(self, EnabledTables.declaredPlaces());
        MovedUpdates.apply(journal, contents, placement);
        SequentialReads core = new SequentialReads(
                self,
                RecordsMemory.within(config.settings(), memory),
                placement,
                JournalOpening.recovery(contents, placement));
        NettyTransport transport =
                shutdown.closing(TransportOpening.make(config, self, contents.incarnation(), codec, wan, memory));
        LocalStore store = shutdown.closing(new LocalStore(memory.account(MemoryUser.APPLYING)));
        NodeMetrics metrics = new NodeMetrics();
        MeteorShower meteorShower =
                new MeteorShower(core, clock, journal, transport, store, new LoggedAlarms(metrics.set()));

        RecordsMemory.register(meteorShower, memory);
        EnabledTables enabled = new EnabledTables();
        PlacementKeeper keeper = new PlacementKeeper(self, placement, meteorShower);
        TableSwitch tableSwitch = new TableSwitch(keeper);
        UnbrokenRuns runs = new UnbrokenRuns(JournalOpening.directory(config.journal()));
        EpochMarks forgotten = new EpochMarks(JournalOpening.directory(config.journal()), "forgotten-");
        forgetWhatIsNotSo(contents, runs, placement, meteorShower, forgotten);
        ForeignData foreignData = new ForeignData(
                JournalOpening.directory(config.journal()), enabled, meteorShower, new Strangers(self, placement));
        Hooks.listen(foreignData);
        ScheduledExecutorService looks =
                Executors.newSingleThreadScheduledExecutor(new NamedThreadFactory("MeteorShower-Tables"));
        shutdown.closing(looks::shutdownNow);
        CoordinatorToken coordinatorToken = new CoordinatorToken(core.hybridClockMicros());
        EndingTables endings = new EndingTables(
                name -> meteorShower.inspect(state -> state.isEnding(name)),
                () -> meteorShower.inspect(SequentialReads::hybridClockMicros),
                coordinatorToken::advanceTo);
        FollowedTables followed = new FollowedTables(JournalOpening.directory(config.journal()));
        TableWatcher watcher = track(meteorShower, enabled, keeper, forgotten::contains, endings, followed, looks);
        foreignData.recover();
        ExecutorService repairs = Executors.newSingleThreadExecutor(new NamedThreadFactory("MeteorShower-Repair"));
        shutdown.closing(repairs::shutdownNow);
        RingFollower follower = new RingFollower(
                self, enabled, tableSwitch, watcher, keeper, meteorShower, placement, foreignData::isSpoiled, repairs);

        meteorShower.fillWith(new PulledTables(enabled, meteorShower, repairs));
        Runnable comeBack = config.automaticReturn() ? meteorShower::comeBack : () -> {};
        OnlineCheck check = shutdown.closing(CheckOpening.make(config, self, placement, meteorShower, enabled, memory));
        LocalFetch here = new LocalFetch(
                meteorShower, metrics.tables()::awaited, check, memory.account(MemoryUser.WAITING_READS));
        ForwardedReads forwarded = shutdown.closing(new ForwardedReads(
                (command, terms) -> here.fetch(LocatedRead.of(command, enabled, placement), terms), enabled));
        RoutedFetch fetch =
                new RoutedFetch(self, placement, enabled, here, new ForwardedFetch(transport, meteorShower::observed));
        TransactionsNode transactions =
                transactions(config, self, transport, clock, metrics.transactions(), memory, shutdown);
        TokenFormat tokenFormat = new TokenFormat(NodeConfig.secrets(config));
        RunTimeOptions options = new RunTimeOptions(config, changed -> change(meteorShower, opened, changed, memory));
        ServedTables served = new ServedTables(
                enabled,
                OwnPlace.ofThisNode(),
                new SessionTokens(tokenFormat, coordinatorToken),
                metrics.tables(),
                metrics.refusals());
        WriteHandler writes = new WriteHandler(
                served,
                new WriteMaker(served, () -> options.now().weakWrites(), batchInternals),
                new WriteAdmission(memory.largestWriteBytes(), memory.account(MemoryUser.WAITING_WRITES)),
                meteorShower,
                placement);
        FrontDoor door = FrontDoorOpening.make(
                QueryProcessor.instance,
                new FrontDoorOpening.OfTables(
                        served, endings, new ReadHandler(served, new SelectRunner(selectInternals), fetch), writes),
                TransactionsOpening.face(config.transactions(), transactions, tokenFormat, metrics.transactions()),
                TransactionsOpening.procedures(config.transactions(), memory));
        TableCondition condition = new TableCondition(self, placement, enabled, meteorShower);
        TablesTable tablesTable =
                new TablesTable(enabled, tableSwitch, condition, new TransactionSwitch(config.transactions()));
        HealthFile health = HealthFile.ifWanted(tablesTable::notServed);
        NodeLook node = new NodeLook(self, contents.incarnation(), meteorShower, opened, enabled, forwarded::queued);
        PeerLook peers = new PeerLook(meteorShower, transport);
        List<VirtualTable> tables = new ArrayList<>(List.of(
                tablesTable,
                new PeersTable(new PeerCondition(meteorShower)),
                new TrafficTable(transport::traffic),
                new ThreadsTable(),
                new PeersView(peers::peers),
                new OnlineCheckTable(check),
                new SettingsTable(options),
                new ViolationsView(check::found),
                new MemoryView(memory)));
        tables.addAll(metrics.views(node));
        if (transactions != null) {
            tables.add(transactions.view());
            tables.add(transactions.probe());
        }
        VirtualKeyspaceRegistry.instance.register(new VirtualKeyspace(TablesTable.KEYSPACE, tables));

        NodeSampler sampler = shutdown.closing(new NodeSampler(
                metrics.set(),
                metrics.tables(),
                node,
                peers,
                enabled,
                condition,
                transport.counters(),
                check,
                memory,
                transactions == null ? null : transactions::status));
        sampler.start();
        Ticker ticker = shutdown.closing(new Ticker(meteorShower, () -> enabled.none() && endings.none(), runs));
        ticker.start();
        if (wan != null) {
            wan.holdCassandraMessages();
        }
        TransportOpening.start(transport, new NodeReceiver(meteorShower, forwarded, transactions));
        if (transactions != null) {
            transactions.start();
            // Before Cassandra stops serving, gossiping and writing: the others take over from a node that still runs.
            StorageService.instance.addPreShutdownHook(transactions::leave);
        }
        shutdown.closing(metrics.serve(config.metrics()));
        MeteorShowerQueryHandler.serveWith(door);
        Repeatedly.run(
                looks,
                "look around",
                () -> lookAround(
                        follower,
                        foreignData,
                        comeBack,
                        () -> {
                            forgotten.keepOnly(enabled.declaredIds());
                            endings.tidy();
                            watcher.tidy();
                        },
                        health),
                LOOK_EVERY_MILLIS,
                TimeUnit.MILLISECONDS);
        StorageService.instance.addPostShutdownHook(shutdown);
        log.info("MeteorShower is up: node {}, incarnation {}", self, contents.incarnation());
    }

    /** What {@link RunTimeOptions} can change, but for what is asked there at each request. */
    private static void change(
            MeteorShower meteorShower, MappedJournal journal, PluginConfig changed, MemoryBudget memory) {
        meteorShower.settingsChanged(RecordsMemory.within(changed.settings(), memory));
        meteorShower.inspect(core -> {
            journal.limit((long) changed.journal().maxMegabytes() << 20); // it is used under the core's lock
            return core;
        });
    }

    /** Null where they are not configured; then nothing of them runs. */
    private static @Nullable TransactionsNode transactions(
            PluginConfig config,
            NodeId self,
            NettyTransport transport,
            Clock clock,
            TransactionMetrics measured,
            MemoryBudget memory,
            Shutdown shutdown) {
        TransactionsConfig wanted = config.transactions();
        return wanted == null
                ? null
                : shutdown.closing(new TransactionsNode(wanted, self, transport, clock, measured, memory));
    }

    private static void lookAround(
            RingFollower follower,
            ForeignData foreignData,
            Runnable comeBack,
            Runnable tidy,
            @Nullable HealthFile health) {
        try {
            comeBack.run();
            follower.look();
            foreignData.tidy();
            tidy.run();
        } catch (RuntimeException e) {
            log.error("MeteorShower: could not follow the ring; it is tried again", e);
        }
        if (health != null) {
            health.write();
        }
    }

    /**
     * Drops what the journal says of tables that were disabled, moved, or written to unannounced, since. A node can take the ring for
     * another one for a while after its start, and follow the same epoch once more when it sees better: so it is noted that it has
     * forgotten what it stamped in that.
     */
    private static void forgetWhatIsNotSo(
            Journal.Contents contents,
            UnbrokenRuns runs,
            RingPlacement placement,
            MeteorShower meteorShower,
            EpochMarks forgotten) {
        boolean broken = !contents.tables().isEmpty() && runs.isBroken();
        if (broken) {
            log.warn(
                    "MeteorShower: this node has run without the plugin since it last ran with it, and may hold writes that"
                            + " no other node was told of. Its enabled tables must be repaired in full, and their baseline"
                            + " confirmed here, before they are served.");
        }
        for (Journal.TableState state : contents.tables()) {
            boolean unplaced = placement.groupsOf(state.table()).isEmpty();
            if (unplaced) {
                forgotten.add(state.table());
            }
            if (broken || unplaced) {
                meteorShower.tableDisabled(state.table());
            }
        }
    }

    /** From the end of this on, every mutation of an enabled table is announced before it is applied. */
    private static TableWatcher track(
            MeteorShower meteorShower,
            EnabledTables enabled,
            PlacementKeeper keeper,
            Predicate<UUID> isForgotten,
            EndingTables endings,
            FollowedTables followed,
            ExecutorService thread) {
        TrackedTables tracked = new TrackedTables();
        Coordinators coordinators = new Coordinators();
        // One that has yet to join was a replica in no epoch so far: what it takes will be in the baseline of the next
        // one.
        Hooks.listen(new Announcer(
                meteorShower,
                tracked,
                coordinators,
                table -> enabled.of(table) != null && SystemKeyspace.bootstrapComplete()));
        MessagingService.instance().inboundSink.add(new ArrivingWrites(enabled, coordinators));
        TableWatcher watcher =
                new TableWatcher(enabled, tracked, meteorShower, keeper, isForgotten, endings, followed, thread);
        Schema.instance.registerListener(watcher);
        watcher.sync();
        watcher.endDisabled();
        return watcher;
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
