/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.utils.NoSpamLogger;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.config.TransactionsConfig;
import org.meteorshower.cassandra.metrics.TransactionMetrics;
import org.meteorshower.cassandra.schedule.Repeatedly;
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
 * This node's part in transactions: it knows which node runs each data centre's process, and runs its own's where no other does.
 * Thread-safe; what blocks runs on a thread of its own.
 */
public final class TransactionsNode implements Listener, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TransactionsNode.class);

    /** Requests that wait for the next process when the node stops may be answered within so long. */
    private static final long LAST_ANSWERS_NANOS = 500_000_000;

    private static final long WAIT_NANOS = 10_000_000;

    private final TransactionsConfig config;
    private final DataCentres dataCentres;
    private final TransactionMetrics measured;
    private final Representatives representatives;
    private final MessageCodec codec;
    private final LargeMessages large;
    private final Copies copies = new Copies();
    private final ForwardedCalls calls;
    private final RoutedRunner runner;
    private final Representation representation;
    private final ScheduledExecutorService looks =
            Executors.newScheduledThreadPool(2, new NamedThreadFactory("MeteorShower-Representative"));

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
        this.measured = measured;
        dataCentres = new DataCentres(config.dataCentres(), number, self);
        representatives = new Representatives(config.dataCentres().size());
        codec = new MessageCodec(dataCentres.members());
        large = new LargeMessages(transport, this::content);
        calls = new ForwardedCalls(transport);
        runner = new RoutedRunner(dataCentres, representatives, this::process, calls::call, looks);
        representation = new Representation(
                dataCentres,
                representatives,
                transport,
                new ProcessStart(config, dataCentres, new CassandraTables(), clock),
                life -> new NodeCourier(transport, representatives, codec, large, life),
                calls::superseded,
                this);
    }

    /** To be called when the transport has started. */
    public void start() {
        Repeatedly.run(
                looks,
                "look after the transactions of this data centre",
                representation::look,
                Succession.LOOK_NANOS,
                TimeUnit.NANOSECONDS);
    }

    /** To be called before the node stops: another one takes its process over. Waits for that, for some seconds at the most. */
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
        return representation.process();
    }

    /** A parcel from a node whose identity the transport has checked. */
    public void parcel(NodeId from, byte[] bytes) {
        try {
            Parcel parcel = Parcel.decode(bytes);
            if (parcel instanceof Parcel.Contents contents) {
                if (copies.isFirst(from, contents.life(), contents.number())) {
                    contents.messages().forEach(message -> content(from, message));
                }
                return;
            }
            int dc = dataCentres.of(from);
            if (dc == DataCentres.NONE) {
                return;
            }
            boolean near = dc == dataCentres.self();
            if (parcel instanceof Parcel.Announcement announcement) {
                representatives.heard(dc, from, announcement.life());
                if (near) {
                    representation.heard(from, announcement.life());
                    calls.superseded(announcement.life());
                }
            } else if (parcel instanceof Parcel.Farewell farewell && near) {
                representatives.left(dc, from, farewell.life());
                representation.farewell(farewell.life());
            } else if (parcel instanceof Parcel.Candidacy && near) {
                representation.candidate();
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
        representation.close();
        large.close();
    }
}
