/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.Collections;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.apache.cassandra.config.Config.CommitLogSync;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.meteorshower.cassandra.config.TransactionsConfig;
import org.meteorshower.cassandra.transactions.LaneGroup;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.runtime.Clock;
import org.meteorshower.transactions.port.Budget;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.runtime.CoreProcess;
import org.meteorshower.transactions.runtime.Courier;
import org.meteorshower.transactions.runtime.Listener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins a data centre's process: takes the store over, then reads what the last one left. Blocks; used by one thread.
 */
final class ProcessStart {
    private static final Logger log = LoggerFactory.getLogger(ProcessStart.class);

    private final Supplier<TransactionsConfig> configured;
    private final Supplier<Budget> budget;
    private final LaneGroup group;
    private final DataCentres dataCentres;
    private final LogKeyspace keyspace;
    private final UserTables tables;
    private final PeerFormats formats;
    private final Clock clock;

    /**
     * @param configured with the room on the heap that the group has now; looks for that
     * @param budget that it has, as of the last look; cheap
     * @param replicas of what the data centre keeps for itself
     */
    ProcessStart(
            Supplier<TransactionsConfig> configured,
            Supplier<Budget> budget,
            int replicas,
            LaneGroup group,
            DataCentres dataCentres,
            UserTables tables,
            PeerFormats formats,
            Clock clock) {
        this.configured = configured;
        this.budget = budget;
        this.group = group;
        this.dataCentres = dataCentres;
        this.keyspace = new LogKeyspace(
                group.number(), dataCentres.self(), group.dataCentres().get(dataCentres.self()), replicas);
        this.tables = tables;
        this.formats = formats;
        this.clock = clock;
    }

    /** No process may begin here before somebody does something about it. */
    static class RefusedException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }

    /** Whether there is anything to run for: a table takes part, or one did. */
    boolean isWanted() {
        return keyspace.exists() || TransactionTables.any(group.number());
    }

    /**
     * To be called before others are told that a process begins here: who cannot must keep nobody waiting.
     *
     * @throws RefusedException if what is stored is of a format that this release does not know, or what this node
     *     votes could be forgotten
     */
    void check() {
        checkCommitLog(DatabaseDescriptor.getCommitLogSync(), configured.get().allowPeriodicCommitLog());
        if (keyspace.exists()) {
            new StoredFormat(keyspace).check(formats.known());
        }
    }

    static void checkCommitLog(CommitLogSync sync, boolean allowPeriodic) {
        if (sync == CommitLogSync.periodic && !allowPeriodic) {
            throw new RefusedException(
                    "commitlog_sync is periodic in this node's cassandra.yaml: what it acknowledges may be gone with the"
                            + " power, votes among it, and a vote must not be. Set commitlog_sync to batch or group and start the node"
                            + " again; or set transactions.allow_periodic_commitlog: true in meteorshower.yaml, for tests only");
        }
    }

    /**
     * A process that runs, with its store.
     *
     * @param budget of its core
     */
    record Started(CoreProcess process, CassandraStore store, long life, Budget budget) implements AutoCloseable {
        @Override
        public void close() {
            process.close();
            store.close();
        }
    }

    /** Whether a process has another room on the heap than one that would begin now. */
    boolean isOfAnotherBudget(Started running) {
        return !running.budget().equals(budget.get());
    }

    /**
     * @param announced told of the life of the process before that says anything
     * @throws RefusedException as {@link #check} does; the store is as it was then, but for its fence
     * @throws RuntimeException if too few replicas can be reached, or another node does the same; to be tried again
     */
    Started start(LongFunction<Courier> courier, LongConsumer announced, Listener listener) {
        List<String> unknown = dataCentres.unknown();
        if (!unknown.isEmpty()) {
            throw new IllegalStateException("no node of " + String.join(", ", unknown)
                    + " is known yet: transactions begin when all data centres that take part are");
        }
        TransactionsConfig config = configured.get();
        LogKeyspace.createShared(group, config.replicas());
        keyspace.create();
        Fence fence = new Fence(keyspace);
        long life = fence.take(clock.now().wallMicros() / 1_000_000);
        int format = format();
        formats.begins(format);
        StoredState.Found found = found(life);
        CassandraStore store = new CassandraStore(
                keyspace, found.extent(), found.trimmed(), life, fence, tables, config.changeBytes());
        CoreProcess process = new CoreProcess(
                dataCentres.members(),
                config.settings(),
                found.recovery(),
                clock,
                store,
                courier.apply(life),
                listener,
                new RingTokens());
        process.uses(format);
        announced.accept(life); // who has not heard of it takes nothing of it
        process.start();
        return new Started(process, store, life, config.settings().budget());
    }

    /** Since the fence was taken nobody else writes another one. */
    private int format() {
        StoredFormat stored = new StoredFormat(keyspace);
        Integer before = stored.read();
        boolean blank = before == null && new Founding(keyspace, group.dataCentres()).isBlank();
        int format = StoredFormat.used(before, blank, formats.known(), keyspace);
        if (StoredFormat.layout(before, blank) < StoredFormat.LAYOUT) {
            int dcs = group.dataCentres().size();
            try (BringingOver target = new BringingOver(keyspace, dcs, tables)) {
                new EarlierLayout(keyspace, dcs, target).bringOver();
            }
            stored.write(format);
        } else if (before == null) {
            stored.write(format);
        }
        return format;
    }

    /** The process that runs goes on to another format. Blocks. */
    void note(int format) {
        new StoredFormat(keyspace).write(format);
    }

    private StoredState.Found found(long life) {
        Founding founding = new Founding(keyspace, group.dataCentres());
        int dcs = group.dataCentres().size();
        StoredState.Found stored = new StoredState(keyspace, dcs).read(life);
        if (stored != null) {
            var unused = founding.note(); // checks that the data centres are the same
            log.info(
                    "MeteorShower transactions: process {} goes on from checkpoint {} of edition {}, with {} entries to look at",
                    life,
                    stored.recovery().checkpoint().count(),
                    stored.recovery().edition(),
                    stored.recovery().acceptors().stream()
                            .mapToInt(lane -> lane.accepted().size())
                            .sum());
            return stored;
        }
        return new StoredState.Found(first(founding, dcs, life), new LogExtent(dcs), Collections.nCopies(dcs, 0L));
    }

    private Recovery first(Founding founding, int dcs, long life) {
        if (founding.blank() == Founding.Kind.DISK_LOST) {
            log.warn(
                    "MeteorShower transactions: this data centre took part before, and nothing of that is left: its votes"
                            + " and rows are had from the others first");
            return Recovery.blank(dcs, life, new StoredState(keyspace, dcs).newestEdition());
        }
        // From now on this disk is not blank: what it votes counts.
        List<Durable> begun = List.of(
                new Durable.Generation(dataCentres.self(), 1, life),
                new Durable.Done(Checkpoint.first(dcs), Recovery.FIRST_EDITION));
        LocalWrites.write(DurableMutations.of(begun, keyspace, new LogExtent(dcs)), false);
        log.info("MeteorShower transactions: process {} founds this data centre", life);
        return Recovery.founding(dcs, life);
    }
}
