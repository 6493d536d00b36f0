/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.config.TransactionsConfig;
import org.meteorshower.cassandra.memory.MemoryBudget;
import org.meteorshower.cassandra.memory.MemoryUser;
import org.meteorshower.cassandra.metrics.TransactionMetrics;
import org.meteorshower.cassandra.schedule.Repeatedly;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.cassandra.views.TransactionsView;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.Clock;
import org.meteorshower.runtime.Fatal;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.log.Formats;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.runtime.CoreProcess;
import org.meteorshower.transactions.runtime.Listener;
import org.meteorshower.transactions.runtime.Status;
import org.meteorshower.transport.NettyTransport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's part in transactions: it knows which node runs each data centre's process, and runs its own's where no
 * other does. Thread-safe; what blocks runs on a thread of its own.
 */
public final class TransactionsNode implements Listener, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TransactionsNode.class);

    /** Requests that wait for the next process when the node stops may be answered within so long. */
    private static final long LAST_ANSWERS_NANOS = 500_000_000;

    private static final long WAIT_NANOS = 10_000_000;

    private static final long FORMATS_MILLIS = 300;
    private static final int FORMAT_LOOKS = 80;
    private static final int MOST_FORMAT_AWAITED = 4;
    private static final long FORMAT_PAUSE_NANOS = 50_000_000;

    private final TransactionsConfig config;
    private final DataCentres dataCentres;
    private final TransactionMetrics measured;
    private final Representatives representatives;
    private final PeerFormats formats;
    private final Correspondence correspondence;
    private final RoutedRunner runner;
    private final Representation representation;

    /** Clients who wait until ranges may be asked for: each has a thread of Cassandra's. */
    private final Semaphore formatAwaited = new Semaphore(MOST_FORMAT_AWAITED);

    private final ScheduledExecutorService looks =
            Executors.newScheduledThreadPool(2, new NamedThreadFactory("MeteorShower-Representative"));

    /** @throws IllegalStateException if this node's data centre is not among those that take part */
    public TransactionsNode(
            TransactionsConfig config,
            NodeId self,
            NettyTransport transport,
            Clock clock,
            TransactionMetrics measured,
            MemoryBudget memory) {
        // Half of the last is for what waits for the core, half for what waits in it.
        this.config = config.within(
                memory.limit(MemoryUser.TRANSACTION_LOGS),
                memory.limit(MemoryUser.TRANSACTION_ROWS),
                memory.limit(MemoryUser.TRANSACTION_EVENTS) / 2);
        this.measured = measured;
        dataCentres = new DataCentres(config.dataCentres(), numberIn(config), self);
        representatives = new Representatives(config.dataCentres().size());
        formats = new PeerFormats(config.dataCentres(), dataCentres.self(), Formats.ALL, System::nanoTime, this::apart);
        correspondence = new Correspondence(
                dataCentres,
                representatives,
                formats,
                transport,
                memory.account(MemoryUser.TRANSACTION_SNAPSHOTS),
                new Neighbourhood());
        runner = new RoutedRunner(
                dataCentres,
                representatives,
                this::process,
                correspondence::call,
                this::trouble,
                format -> formats.uses(format),
                this::whyNot,
                looks,
                memory.account(MemoryUser.TRANSACTION_REQUESTS));
        representation = new Representation(
                dataCentres,
                representatives,
                transport,
                formats,
                new ProcessStart(this.config, dataCentres, new CassandraTables(), formats, clock),
                correspondence::courier,
                correspondence::superseded,
                this);
        register(memory);
    }

    private static int numberIn(TransactionsConfig config) {
        String dataCentre = DatabaseDescriptor.getEndpointSnitch().getLocalDatacenter();
        int number = config.dataCentres().indexOf(dataCentre);
        if (number < 0) {
            throw new IllegalStateException("option 'transactions.data_centres' is " + config.dataCentres()
                    + " and does not name this node's data centre, '" + dataCentre
                    + "': add it at all nodes, or leave the group 'transactions' out at the nodes of this data centre");
        }
        return number;
    }

    private void register(MemoryBudget memory) {
        memory.register(
                MemoryUser.TRANSACTION_LOGS, () -> held(status -> status.usage().laneBytes()));
        memory.register(
                MemoryUser.TRANSACTION_ROWS, () -> held(status -> status.usage().rowBytes()));
        memory.register(
                MemoryUser.TRANSACTION_EVENTS,
                () -> held(status -> status.usage().queuedBytes() + status.eventBytes()));
    }

    /** Where this node does not run the process it holds nothing. */
    private long held(ToLongFunction<Status> part) {
        Status now = status();
        return now == null ? 0 : part.applyAsLong(now);
    }

    /** To be called when the transport has started. */
    public void start() {
        Repeatedly.run(
                looks,
                "look after the transactions of this data centre",
                representation::look,
                Succession.LOOK_NANOS,
                TimeUnit.NANOSECONDS);
        Repeatedly.run(
                looks,
                "go on to the next format of transactions",
                representation::goOn,
                FORMATS_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    /**
     * To be called before the node stops: another one takes its process over. Waits for that, for some seconds at the
     * most.
     */
    public void leave() {
        try {
            boolean goesOn = representation.leave();
            if (goesOn) {
                awaitAnswers();
            }
            runner.waitNoMore();
            awaitAnswers();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitAnswers() {
        long deadlineNanos = System.nanoTime() + LAST_ANSWERS_NANOS;
        while (runner.waiting() > 0 && System.nanoTime() - deadlineNanos < 0) {
            LockSupport.parkNanos(WAIT_NANOS);
        }
    }

    public TransactionRunner runner() {
        return runner;
    }

    /** For the table that shows how transactions do. */
    public TransactionsView view() {
        TransactionsLook look = new TransactionsLook(
                config.dataCentres(), dataCentres, representatives, formats, this::process, representation::trouble);
        return new TransactionsView(look::dataCentresNow);
    }

    /** How this data centre's process does, or null where this node does not run it. */
    public @Nullable Status status() {
        CoreProcess here = process();
        return here == null ? null : here.status();
    }

    private @Nullable CoreProcess process() {
        return representation.process();
    }

    /**
     * A parcel from a node whose identity the transport has checked.
     *
     * @param version of the connection that brought it
     */
    public void parcel(NodeId from, byte[] bytes, int version) {
        correspondence.parcel(from, bytes, version);
    }

    /** What others say of themselves. */
    private final class Neighbourhood implements Intake.Owner {
        @Override
        public void announced(NodeId from, long life) {
            representation.heard(from, life);
            correspondence.superseded(life);
        }

        @Override
        public void candidate() {
            representation.candidate();
        }

        @Override
        public void farewell(long life) {
            representation.farewell(life);
        }

        @Override
        public void received(int dc, Message message) {
            CoreProcess here = process();
            if (here != null) {
                here.received(dc, message);
            }
        }

        @Override
        public void bad(NodeId from, BadDataException why) {
            Correspondence.bad(from, why);
        }
    }

    /** What this node has to say besides what processes report. */
    private enum Event {
        FORMATS_APART
    }

    private void apart(String trouble) {
        measured.reported(Event.FORMATS_APART);
        log.error("MeteorShower transactions: {}", trouble);
    }

    /**
     * Why nothing can be proposed that needs a format; null where it can. The first time that anybody asks, all data
     * centres go on to it, which takes some seconds: a few wait for that here, for some seconds at the most.
     */
    private @Nullable String whyNot(int format) {
        if (formats.uses(format)) {
            return null;
        }
        boolean waits = formatAwaited.tryAcquire();
        try {
            return whyNot(format, waits ? FORMAT_LOOKS : 0);
        } finally {
            if (waits) {
                formatAwaited.release();
            }
        }
    }

    private @Nullable String whyNot(int format, int looks) {
        for (int left = looks; !formats.uses(format); left--) {
            if (left == 0) {
                return "all data centres need a plugin that knows them, and must be up when the first one is asked for; then"
                        + " each notes which rows it has, which takes the longer the more they are. "
                        + formats.lacks(format) + ". Try again then";
            }
            representation.want();
            LockSupport.parkNanos(FORMAT_PAUSE_NANOS);
        }
        return null;
    }

    /** Why nothing is to be had of this data centre's process; null where nothing is known. */
    private @Nullable String trouble() {
        String own = representation.trouble();
        return own == null ? formats.trouble(dataCentres.self()) : own;
    }

    /** Whether a call is for this class. */
    public static boolean isCall(byte[] request) {
        return CallForm.isOne(request);
    }

    /** A call from a node whose identity the transport has checked. */
    public CompletableFuture<byte[]> called(NodeId from, byte[] request) {
        return correspondence.called(from, request, runner::called);
    }

    @Override
    public void alarm(Effect.Alarm alarm) {
        measured.reported(alarm.kind());
        switch (alarm.kind()) {
            case STOPPED, DIVERGED -> log.error("MeteorShower transactions alarm {}: {}", alarm.kind(), alarm.detail());
            default -> log.info("MeteorShower transactions {}: {}", alarm.kind(), alarm.detail());
        }
    }

    @Override
    public void ended(@Nullable Throwable failure) {
        if (failure != null) {
            log.error(
                    "MeteorShower transactions: this data centre's process failed and ends; another one is started",
                    failure);
            Fatal.report(failure);
        }
    }

    @Override
    public void close() {
        looks.shutdownNow();
        representation.close();
        correspondence.close();
    }
}
