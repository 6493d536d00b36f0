/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.config.TransactionsConfig;
import org.meteorshower.cassandra.metrics.TransactionMetrics;
import org.meteorshower.cassandra.schedule.Repeatedly;
import org.meteorshower.cassandra.transactions.LaneGroup;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.cassandra.views.TransactionsView;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.Clock;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.log.Formats;
import org.meteorshower.transactions.port.Budget;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.runtime.CoreProcess;
import org.meteorshower.transactions.runtime.Status;

/**
 * This node's part in a group of lanes: it knows which node runs each data centre's process, and runs its own's where
 * no other does. Where this node's data centre is not of the group, it only knows whom to ask. Thread-safe; what blocks
 * runs on a thread of its own.
 */
final class GroupNode implements AutoCloseable {
    /** Requests that wait for the next process when the node stops may be answered within so long. */
    private static final long LAST_ANSWERS_NANOS = 500_000_000;

    private static final long WAIT_NANOS = 10_000_000;
    private static final long FORMATS_MILLIS = 300;

    /** To look, and to do what a look finds. */
    private static final int THREADS = 2;

    /**
     * What the groups of a node have in common.
     *
     * @param snapshots what large messages may hold
     * @param requests what clients' requests may
     * @param configured with the room on the heap that a group has now; looks for that
     * @param budget that a group has, as of the last look; cheap
     * @param replicas of what a data centre keeps for itself
     * @param requestBytes that those of one group may hold
     */
    record Shared(
            Supplier<TransactionsConfig> configured,
            Supplier<Budget> budget,
            int replicas,
            LongSupplier requestBytes,
            ByteAccount snapshots,
            ByteAccount requests,
            Clock clock,
            TransactionMetrics measured) {}

    private final LaneGroup group;
    private final DataCentres dataCentres;
    private final Representatives representatives;
    private final PeerFormats formats;
    private final FormatWaits waits;
    private final Post post;

    /** Its own: what one group waits for must not hold up another. */
    private final ScheduledExecutorService looks;

    private final Correspondence correspondence;
    private final RoutedRunner runner;

    /** Null where this node's data centre is not of the group. */
    private final @Nullable ProcessStart start;

    private final @Nullable Representation representation;

    GroupNode(LaneGroup group, DataCentres dataCentres, Post post, Shared shared) {
        this.group = group;
        this.dataCentres = dataCentres;
        this.post = post;
        looks = Executors.newScheduledThreadPool(
                dataCentres.isMember() ? THREADS : 1, new NamedThreadFactory("MeteorShower-Representative"));
        representatives = new Representatives(dataCentres.names().size());
        GroupAlarms alarms = new GroupAlarms(group, shared.measured());
        formats =
                new PeerFormats(dataCentres.names(), dataCentres.self(), Formats.ALL, System::nanoTime, alarms::apart);
        correspondence = new Correspondence(
                dataCentres, representatives, formats, post, shared.snapshots(), new Neighbourhood());
        waits = new FormatWaits(formats, this::want);
        runner = new RoutedRunner(
                dataCentres,
                representatives,
                this::process,
                correspondence::call,
                this::trouble,
                formats::uses,
                waits::whyNot,
                looks,
                shared.requests(),
                shared.requestBytes());
        start = dataCentres.isMember() ? startOf(group, dataCentres, formats, shared) : null;
        representation = start == null
                ? null
                : new Representation(
                        dataCentres,
                        representatives,
                        group.number(),
                        post,
                        formats,
                        start,
                        correspondence::courier,
                        correspondence::superseded,
                        alarms);
    }

    private static ProcessStart startOf(LaneGroup group, DataCentres dataCentres, PeerFormats formats, Shared shared) {
        return new ProcessStart(
                shared.configured(),
                shared.budget(),
                shared.replicas(),
                group,
                dataCentres,
                new CassandraTables(),
                formats,
                shared.clock());
    }

    /** To be called once, when the transport has started. */
    void begin() {
        Representation here = representation;
        if (here != null) {
            Repeatedly.run(
                    looks,
                    "look after the transactions of this data centre",
                    here::look,
                    Succession.LOOK_NANOS,
                    TimeUnit.NANOSECONDS);
            Repeatedly.run(
                    looks,
                    "go on to the next format of transactions",
                    here::goOn,
                    FORMATS_MILLIS,
                    TimeUnit.MILLISECONDS);
        }
    }

    LaneGroup group() {
        return group;
    }

    /** Whether this node's data centre is of the group. */
    boolean isMember() {
        return dataCentres.isMember();
    }

    /** Whether this node's data centre is of the group, and there is, or was, a table of it. */
    boolean isWanted() {
        return start != null && start.isWanted();
    }

    /**
     * Another node takes over what runs here; those who wait for that are answered, or are told that nothing was done.
     * It takes some seconds at the most.
     */
    void leave() {
        try {
            if (representation != null && representation.leave()) {
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

    TransactionRunner runner() {
        return runner;
    }

    List<TransactionsView.DataCentre> dataCentresNow() {
        return new TransactionsLook(group, dataCentres, representatives, formats, this::process, this::ownTrouble)
                .dataCentresNow();
    }

    /** How this data centre's process does, or null where this node does not run it. */
    @Nullable
    Status status() {
        CoreProcess here = process();
        return here == null ? null : here.status();
    }

    private @Nullable CoreProcess process() {
        return representation == null ? null : representation.process();
    }

    /**
     * A parcel from a node whose identity the transport has checked.
     *
     * @param version of the connection that brought it
     */
    void parcel(NodeId from, byte[] bytes, int version) {
        correspondence.parcel(from, bytes, version);
    }

    /** A call from a node whose identity the transport has checked. */
    CompletableFuture<byte[]> called(NodeId from, byte[] request) {
        return correspondence.called(from, request, runner::called);
    }

    /** A client asks for what only a later format has. */
    private void want() {
        if (representation != null) {
            representation.want();
            return;
        }
        for (int dc = 0; dc < dataCentres.names().size(); dc++) {
            Representatives.Heard heard = representatives.of(dc);
            if (heard != null) {
                post.send(heard.node(), Parcel.wish(), false);
            }
        }
    }

    private @Nullable String ownTrouble() {
        return representation == null ? null : representation.trouble();
    }

    /** Why nothing is to be had of this data centre's process; null where nothing is known. */
    private @Nullable String trouble() {
        String own = ownTrouble();
        return own == null ? formats.trouble(dataCentres.self()) : own;
    }

    /** What others say of themselves. */
    private final class Neighbourhood implements Intake.Owner {
        @Override
        public void announced(NodeId from, long life) {
            if (representation != null) {
                representation.heard(from, life);
            }
            correspondence.superseded(life);
        }

        @Override
        public void candidate() {
            if (representation != null) {
                representation.candidate();
            }
        }

        @Override
        public void farewell(long life) {
            if (representation != null) {
                representation.farewell(life);
            }
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

    @Override
    public void close() {
        looks.shutdownNow();
        if (representation != null) {
            representation.close();
        }
        correspondence.close();
    }
}
