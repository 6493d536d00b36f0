/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.NoSpamLogger;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.transactions.log.Formats;
import org.meteorshower.transactions.runtime.CoreProcess;
import org.meteorshower.transactions.runtime.Courier;
import org.meteorshower.transactions.runtime.Listener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs its data centre's process at this node where no other node does, tells the others so, and hands it over when the
 * node is to stop. Two nodes that both run one do no harm: the fence lets one go on. Thread-safe; a look may block, as
 * long as the store takes.
 */
final class Representation {
    private static final Logger log = LoggerFactory.getLogger(Representation.class);

    /** To all nodes, most of which only want to know where to send. */
    private static final long ANNOUNCE_TO_ALL_NANOS = 500_000_000;

    /** So many nodes of the data centre, the first ones, are told often: one of them is to notice first. */
    private static final int SUCCESSORS = 8;

    private static final long FIRST_PAUSE_NANOS = 1_000_000_000;
    private static final long LONGEST_PAUSE_NANOS = 30_000_000_000L;
    private static final long FIRST_RETRY_NANOS = 250_000_000;
    private static final long LONGEST_RETRY_NANOS = 5_000_000_000L;

    /** What is proposed when the node stops is waited for so long. */
    private static final long RETIRE_NANOS = 600_000_000;

    /** So long the node that stops waits for another one to go on. */
    private static final long SUCCESSOR_NANOS = 2_000_000_000;

    private static final long WAIT_NANOS = 10_000_000;

    private final DataCentres dataCentres;
    private final Representatives representatives;
    private final int group;
    private final Post post;
    private final PeerFormats formats;
    private final ProcessStart start;
    private final LongFunction<Courier> couriers;
    private final LongConsumer begun;
    private final Listener listener;
    private final Succession succession = new Succession(System.nanoTime());

    /** Held while a process begins or ends. */
    private final ReentrantLock turn = new ReentrantLock();

    private volatile ProcessStart.@Nullable Started started;
    private volatile boolean leaving;

    /**
     * Why this node cannot run the process before somebody does something about it; null where nothing is known of that
     * kind.
     */
    private volatile @Nullable String trouble;

    // The rest is touched under the lock.
    private long announcedNanos;
    private long announcedToAllNanos;
    private long notBeforeNanos = System.nanoTime();
    private long startedNanos;
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private long retryNanos = FIRST_RETRY_NANOS;
    private boolean ready;

    /**
     * @param group of lanes, its number
     * @param couriers for a process of this life
     * @param begun told of the life of a process that has begun here
     */
    Representation(
            DataCentres dataCentres,
            Representatives representatives,
            int group,
            Post post,
            PeerFormats formats,
            ProcessStart start,
            LongFunction<Courier> couriers,
            LongConsumer begun,
            Listener listener) {
        this.dataCentres = dataCentres;
        this.representatives = representatives;
        this.group = group;
        this.post = post;
        this.formats = formats;
        this.start = start;
        this.couriers = couriers;
        this.begun = begun;
        this.listener = listener;
    }

    /** Null where this node runs none. */
    @Nullable
    CoreProcess process() {
        ProcessStart.Started now = started;
        return now == null || now.process().isEnded() ? null : now.process();
    }

    /** A node of this data centre says that it runs the process. */
    void heard(NodeId from, long life) {
        trouble = null; // it need not
        succession.heard(from, life);
    }

    /** A node of this data centre is about to. */
    void candidate() {
        succession.candidate(System.nanoTime());
    }

    /** A node of this data centre does not any more. */
    void farewell(long life) {
        succession.farewell(life);
    }

    /**
     * Why this node cannot run the process before somebody does something about it; null where it is not so, or another
     * node runs it.
     */
    @Nullable
    String trouble() {
        return trouble;
    }

    /** To be called every {@link Succession#LOOK_NANOS}. Throws nothing. */
    void look() {
        turn.lock();
        try {
            if (ready) {
                represent(System.nanoTime());
            } else {
                ready = StorageService.instance.isInitialized() && StorageService.instance.isNormal();
                succession.restart();
            }
        } catch (ProcessStart.RefusedException e) {
            notBeforeNanos = System.nanoTime() + LONGEST_RETRY_NANOS;
            String why = String.valueOf(e.getMessage());
            if (!why.equals(trouble)) {
                log.error("MeteorShower transactions: this node does not run its data centre's process: {}", why);
            }
            trouble = why;
        } catch (RuntimeException e) {
            notBeforeNanos = System.nanoTime() + retryNanos;
            retryNanos = Math.min(LONGEST_RETRY_NANOS, 2 * retryNanos);
            String lacking = e instanceof RequestExecutionException ? TooFewNodes.hint() : "";
            trouble = lacking.isEmpty() ? null : lacking;
            NoSpamLogger.log(
                    log,
                    NoSpamLogger.Level.WARN,
                    10,
                    TimeUnit.SECONDS,
                    "MeteorShower transactions: this data centre's process does not start; it is tried again: {}{}",
                    e.toString(),
                    lacking.isEmpty() ? "" : "; " + lacking);
            log.debug("the failure", e);
        } finally {
            turn.unlock();
        }
    }

    private void represent(long now) {
        ProcessStart.Started running = started;
        if (running != null && (running.process().isEnded() || succession.life() > running.life())) {
            stop(running, now);
            running = null;
        } else if (running != null && !leaving && start.isOfAnotherBudget(running)) {
            renew(running);
            return;
        }
        if (running != null) {
            announce(running.life(), now);
        } else if (leaving || !start.isWanted()) {
            succession.restart();
        } else if (succession.isDue(this::seen, now) && now - notBeforeNanos >= 0) {
            begin();
        }
    }

    /** A client asks for what only a later format has. */
    void want() {
        formats.want();
        tell(dataCentres.neighbours(), Parcel.wish());
    }

    /**
     * To the next format, once somebody asks for it, all data centres are ready for it, and the keys of all rows are
     * told: before they hear of it, it is noted. To be called now and then. Blocks as long as the store takes, and
     * holds no look up meanwhile.
     */
    void goOn() {
        ProcessStart.Started running = started;
        boolean understandsRanges = formats.uses(Formats.READS_RANGES);
        if (running != null && understandsRanges) {
            // Those of tables that take part later are told, too, before somebody has to wait for it.
            running.store().copyKeys(TransactionTables.ordered(group));
        }
        int next = formats.next();
        if (running == null || next == 0) {
            return;
        } else if (!understandsRanges && !running.store().hasAllKeys(TransactionTables.ordered(group))) {
            return;
        }
        start.note(next);
        turn.lock();
        try {
            ProcessStart.Started now = started;
            if (now != null && now.life() == running.life()) {
                formats.begins(next);
                now.process().uses(next);
                announcedToAllNanos -= ANNOUNCE_TO_ALL_NANOS; // the others wait for it
                log.info("MeteorShower transactions: this data centre uses format {} from now on", next);
            }
        } finally {
            turn.unlock();
        }
    }

    private Succession.Seen seen() {
        NodeId last = succession.runner();
        List<NodeId> others = dataCentres.neighbours();
        return new Succession.Seen(
                dataCentres.rank(others.stream()
                        .filter(other -> !other.equals(last) && dataCentres.isUp(other))
                        .toList()),
                others.isEmpty(),
                last != null && (!post.isConnected(last) || !dataCentres.isUp(last)));
    }

    private void begin() {
        start.check();
        tell(dataCentres.neighbours(), Parcel.candidacy());
        long begunNanos = System.nanoTime();
        ProcessStart.Started now;
        try {
            now = start.start(couriers, this::announceFirst, listener);
        } catch (RuntimeException e) {
            formats.ends();
            throw e;
        }
        started = now;
        trouble = null;
        retryNanos = FIRST_RETRY_NANOS;
        begun.accept(now.life());
        log.info(
                "MeteorShower transactions of {}: this node runs the process of data centre {}, as {}; to begin it took {} ms",
                String.join(",", dataCentres.names()),
                dataCentres.names().get(dataCentres.self()),
                now.life(),
                TimeUnit.NANOSECONDS.toMillis(startedNanos - begunNanos));
    }

    /** Another group of lanes takes its part of the room, or has left some: the process begins again with its own. */
    private void renew(ProcessStart.Started running) {
        log.info(
                "MeteorShower transactions of {}: the process begins again, since it has other room on the heap now",
                String.join(",", dataCentres.names()));
        tell(dataCentres.neighbours(), Parcel.candidacy());
        running.process().retire(RETIRE_NANOS);
        end(running);
        succession.restart();
        begin();
    }

    private void end(ProcessStart.Started running) {
        started = null;
        running.close();
        formats.ends();
    }

    private void stop(ProcessStart.Started running, long now) {
        end(running);
        succession.restart();
        // A process that ends at once time and again must not keep the data centres busy with its starts.
        pauseNanos = now - startedNanos > LONGEST_PAUSE_NANOS
                ? FIRST_PAUSE_NANOS
                : Math.min(LONGEST_PAUSE_NANOS, 2 * pauseNanos);
        notBeforeNanos = now + pauseNanos;
    }

    private void announceFirst(long life) {
        startedNanos = System.nanoTime();
        announce(life, startedNanos);
    }

    private void announce(long life, long now) {
        boolean toAll = now - announcedToAllNanos >= ANNOUNCE_TO_ALL_NANOS || now - startedNanos <= 0;
        if (!toAll && now - announcedNanos < Succession.ANNOUNCE_NANOS) {
            return;
        }
        announcedNanos = now;
        representatives.heard(dataCentres.self(), dataCentres.node(), life);
        List<NodeId> neighbours = dataCentres.neighbours();
        tellOf(life, toAll ? neighbours : neighbours.subList(0, Math.min(SUCCESSORS, neighbours.size())));
        if (toAll) {
            announcedToAllNanos = now;
            tellOf(life, dataCentres.distant());
        }
    }

    private void tellOf(long life, List<NodeId> nodes) {
        for (NodeId node : nodes) {
            post.send(node, Parcel.announcement(life, formats.own(), post.version(node)), false);
        }
    }

    private void tell(List<NodeId> nodes, Parcel.Packed parcel) {
        for (NodeId node : nodes) {
            post.send(node, parcel, false);
        }
    }

    /**
     * The node is to stop: its process finishes what it has proposed, and another node goes on. Waits for that, for
     * some seconds at the most.
     *
     * @return whether another node has taken it over from this one
     */
    boolean leave() throws InterruptedException {
        leaving = true;
        if (!turn.tryLock(SUCCESSOR_NANOS, TimeUnit.NANOSECONDS)) {
            return false; // It is just beginning one. It dies with the node, and the others notice that.
        }
        ProcessStart.Started running = started;
        try {
            if (running == null) {
                return false;
            }
            running.process().retire(RETIRE_NANOS);
            end(running);
            representatives.left(dataCentres.self(), dataCentres.node(), running.life());
            tell(dataCentres.neighbours(), Parcel.farewell(running.life()));
            log.info("MeteorShower transactions: this node stops, and another one is to run its data centre's process");
        } finally {
            turn.unlock();
        }
        return awaitSuccessor(running.life());
    }

    private boolean awaitSuccessor(long life) {
        boolean possible = dataCentres.neighbours().stream().anyMatch(dataCentres::isUp);
        long deadlineNanos = System.nanoTime() + SUCCESSOR_NANOS;
        while (possible && succession.life() <= life && System.nanoTime() - deadlineNanos < 0) {
            LockSupport.parkNanos(WAIT_NANOS);
        }
        return succession.life() > life;
    }

    /** Ends the process, if one runs here. */
    void close() {
        leaving = true;
        ProcessStart.Started running = started;
        started = null;
        if (running != null) {
            running.close();
        }
    }
}
