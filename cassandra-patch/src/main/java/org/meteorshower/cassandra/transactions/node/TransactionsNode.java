/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.NoSpamLogger;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.config.TransactionsConfig;
import org.meteorshower.cassandra.metrics.TransactionMetrics;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.Clock;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.MessageCodec;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.runtime.CoreProcess;
import org.meteorshower.transactions.runtime.Listener;
import org.meteorshower.transactions.runtime.Status;
import org.meteorshower.transport.NettyTransport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's part in transactions: it knows which node runs each data centre's process, and runs its own's where no other does. Two
 * nodes that both believe so do no harm: the fence lets one go on. Thread-safe; what blocks runs on a thread of its own.
 */
public final class TransactionsNode implements Listener, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TransactionsNode.class);
    private static final long LOOK_EVERY_MILLIS = 100;
    private static final long ANNOUNCE_NANOS = 500_000_000;

    /** So long nobody of this data centre must have been heard; each node that comes before this one adds as much. */
    private static final long PATIENCE_NANOS = 1_200_000_000;

    private static final long FIRST_PAUSE_NANOS = 1_000_000_000;
    private static final long LONGEST_PAUSE_NANOS = 30_000_000_000L;

    private final TransactionsConfig config;
    private final DataCentres dataCentres;
    private final NettyTransport transport;
    private final TransactionMetrics measured;
    private final Representatives representatives;
    private final MessageCodec codec;
    private final LargeMessages large;
    private final Copies copies = new Copies();
    private final RoutedRunner runner;
    private final ProcessStart start;
    private final ScheduledExecutorService looks =
            Executors.newScheduledThreadPool(2, new NamedThreadFactory("MeteorShower-Representative"));
    private volatile ProcessStart.@Nullable Started started;

    // The rest is touched by one look at a time.
    private long heardNanos;
    private long announcedNanos;
    private long notBeforeNanos;
    private long startedNanos;
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private boolean ready;

    /** @throws IllegalStateException if this node's data centre is not among those that take part */
    public TransactionsNode(
            TransactionsConfig config,
            NodeId self,
            NettyTransport transport,
            Clock clock,
            TransactionMetrics measured) {
        String dataCentre = DatabaseDescriptor.getEndpointSnitch().getLocalDatacenter();
        int number = config.dataCentres().indexOf(dataCentre);
        if (number < 0) {
            throw new IllegalStateException("option 'transactions.data_centres' is " + config.dataCentres()
                    + " and does not name this node's data centre, '" + dataCentre
                    + "': add it at all nodes, or leave the group 'transactions' out at the nodes of this data centre");
        }
        this.config = config;
        this.transport = transport;
        this.measured = measured;
        dataCentres = new DataCentres(config.dataCentres(), number, self);
        representatives = new Representatives(config.dataCentres().size());
        codec = new MessageCodec(dataCentres.members());
        large = new LargeMessages(transport, this::content);
        runner = new RoutedRunner(dataCentres, representatives, this::process, transport, looks);
        start = new ProcessStart(config, dataCentres, new CassandraTables(), clock);
    }

    /** To be called when the transport has started. */
    public void start() {
        var unused =
                looks.scheduleWithFixedDelay(this::look, LOOK_EVERY_MILLIS, LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    public TransactionRunner runner() {
        return runner;
    }

    /** For the table that shows how transactions do. */
    public TransactionsView view() {
        return new TransactionsView(config, dataCentres, representatives, this::process);
    }

    /** How this data centre's process does, or null where this node does not run it. */
    public @Nullable Status status() {
        CoreProcess here = process();
        return here == null ? null : here.status();
    }

    /** For who wants to see whether transactions go through. */
    public TransactionsProbe probe() {
        return new TransactionsProbe(runner);
    }

    private @Nullable CoreProcess process() {
        ProcessStart.Started now = started;
        return now == null || now.process().isEnded() ? null : now.process();
    }

    /** A parcel from a node whose identity the transport has checked. */
    public void parcel(NodeId from, byte[] bytes) {
        try {
            Parcel parcel = Parcel.decode(bytes);
            if (parcel instanceof Parcel.Contents contents) {
                if (copies.isFirst(from, contents.life(), contents.number())) {
                    contents.messages().forEach(message -> content(from, message));
                }
            } else if (parcel instanceof Parcel.Announcement announcement) {
                int dc = dataCentres.of(from);
                if (dc != DataCentres.NONE) {
                    representatives.heard(dc, from, announcement.life());
                }
            }
        } catch (BadDataException e) {
            bad(from, e);
        }
    }

    private void content(NodeId from, byte[] bytes) {
        CoreProcess here = process();
        int dc = dataCentres.of(from);
        if (here == null || dc == DataCentres.NONE || dc == dataCentres.self()) {
            return;
        }
        try {
            Message message = codec.decode(bytes);
            here.received(dc, message);
        } catch (BadDataException e) {
            bad(from, e);
        }
    }

    private static void bad(NodeId from, BadDataException e) {
        NoSpamLogger.log(
                log,
                NoSpamLogger.Level.WARN,
                10,
                TimeUnit.SECONDS,
                "MeteorShower transactions: node {} sent what makes no sense: {}",
                from,
                e.getMessage());
    }

    /** Whether a call is for this class. */
    public static boolean isCall(byte[] request) {
        return CallForm.isOne(request);
    }

    /** A call from a node whose identity the transport has checked. */
    public CompletableFuture<byte[]> called(NodeId from, byte[] request) {
        try {
            CallForm call = CallForm.decode(request);
            if (call instanceof CallForm.Piece piece) {
                large.received(from, piece);
                return CompletableFuture.completedFuture(new byte[0]);
            }
            return runner.called(call);
        } catch (BadDataException e) {
            bad(from, e);
            return CompletableFuture.failedFuture(new IllegalArgumentException(e.getMessage()));
        }
    }

    private void look() {
        try {
            if (!ready) {
                ready = StorageService.instance.isInitialized() && StorageService.instance.isNormal();
                heardNanos = System.nanoTime();
            } else {
                represent(System.nanoTime());
            }
        } catch (RuntimeException e) {
            pauseNanos = Math.min(LONGEST_PAUSE_NANOS, 2 * pauseNanos);
            notBeforeNanos = System.nanoTime() + pauseNanos;
            NoSpamLogger.log(
                    log,
                    NoSpamLogger.Level.WARN,
                    10,
                    TimeUnit.SECONDS,
                    "MeteorShower transactions: this data centre's process does not start; it is tried again: {}",
                    e.toString());
            log.debug("the failure", e);
        }
    }

    private void represent(long now) {
        ProcessStart.Started running = started;
        Representatives.Heard heard = representatives.of(dataCentres.self());
        boolean byAnother = heard != null && !heard.node().equals(dataCentres.node());
        long othersLife = heard == null || !byAnother ? 0 : heard.life();
        if (running != null && (running.process().isEnded() || othersLife > running.life())) {
            stop(running, now);
            running = null;
        }
        if (running != null) {
            if (now - announcedNanos >= ANNOUNCE_NANOS) {
                announce(running.life(), now);
            }
        } else if (byAnother) {
            heardNanos = now;
        } else if (!start.isWanted()) {
            heardNanos = now;
        } else if (now - heardNanos >= PATIENCE_NANOS * (1 + dataCentres.rank()) && now - notBeforeNanos >= 0) {
            ProcessStart.Started begun =
                    start.start(life -> new NodeCourier(transport, representatives, codec, large, life), this);
            started = begun;
            startedNanos = now;
            log.info(
                    "MeteorShower transactions: this node runs the process of data centre {}, as {}",
                    dataCentres.names().get(dataCentres.self()),
                    begun.life());
            announce(begun.life(), now);
        }
    }

    private void stop(ProcessStart.Started running, long now) {
        started = null;
        running.close();
        heardNanos = now;
        // A process that ends at once time and again must not keep the data centres busy with its starts.
        pauseNanos = now - startedNanos > LONGEST_PAUSE_NANOS
                ? FIRST_PAUSE_NANOS
                : Math.min(LONGEST_PAUSE_NANOS, 2 * pauseNanos);
        notBeforeNanos = now + pauseNanos;
    }

    private void announce(long life, long now) {
        announcedNanos = now;
        representatives.heard(dataCentres.self(), dataCentres.node(), life);
        byte[] announcement = Parcel.announcement(life);
        for (NodeId node : dataCentres.others()) {
            var unused = transport.parcel(node, announcement, false);
        }
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
        }
    }

    @Override
    public void close() {
        looks.shutdownNow();
        ProcessStart.Started running = started;
        started = null;
        if (running != null) {
            running.close();
        }
        large.close();
    }
}
