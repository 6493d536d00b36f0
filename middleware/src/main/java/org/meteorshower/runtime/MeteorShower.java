/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.meteorshower.atrest.PartitionsAtRest;
import org.meteorshower.driver.CoreDriver;
import org.meteorshower.driver.Entering;
import org.meteorshower.driver.MutationRefusedException;
import org.meteorshower.driver.StepListener;
import org.meteorshower.driver.StoppedException;
import org.meteorshower.protocol.CoreView;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Now;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.ScanRange;
import org.meteorshower.protocol.SequentialReads;
import org.meteorshower.protocol.Served;
import org.meteorshower.protocol.Settings;
import org.meteorshower.protocol.Update;

/**
 * One node's MeteorShower: the driver of its protocol core behind a lock. Thread-safe.
 *
 * <p>Whoever brings an event runs the core's step and carries out its effects under the lock; nothing done under it
 * blocks. Where nobody waits for the step, and another thread holds the lock, that one takes it. Threads that must wait
 * (a read whose row is in flight, a write for its last acknowledgement) wait outside the lock, each at most until its
 * own deadline.
 */
public final class MeteorShower {
    /** Of threads that apply mutations, and of those that receive messages, which have one each. */
    private static final int MOST_LEFT = 64;

    private final CombiningLock lock = new CombiningLock(MOST_LEFT);
    private final Clock clock;
    private final Safety safety;
    private final Store store;
    private final NodePorts ports;
    private final CoreDriver driver;
    private final CoreRequests requests;

    public MeteorShower(
            SequentialReads core,
            Clock clock,
            Journal journal,
            Transport transport,
            Store store,
            AlarmListener alarms) {
        this.clock = clock;
        this.safety = journal.safety();
        this.store = store;
        this.ports = new NodePorts(clock, journal, transport, store, alarms);
        this.driver = new CoreDriver(core, ports);
        this.requests = new CoreRequests(lock, driver, clock, safety);
        safety.tell(ports::safer, cause -> betweenSteps(() -> driver.fail(cause)));
    }

    // --- the apply path ----------------------------------------------------------------------------------------

    /**
     * Stamps an update that is about to enter the store. Blocks only to read the rows' earlier content, and where the
     * journal is to be on disk first.
     *
     * @return whether {@link #afterApply} or {@link #applyFailed} must follow
     * @throws StoppedException if it could not be journaled, now or before; it must not be applied
     * @throws MutationRefusedException if its timestamp is further ahead than any clock can be, or the journal has no
     *     room for it; it must not be applied
     */
    public boolean beforeApply(Update update) throws MutationRefusedException {
        Entering entering = new Entering(update);
        PartitionsAtRest.Stillness still = driver.atRest().stillness(update.key());
        if (still != null) {
            entering.foresee(still, store.historyFor(update));
        }
        long written = offer(entering);
        while (!entering.isDecided()) {
            entering.bring(store.historyFor(update));
            written = offer(entering);
        }
        boolean stamped = entering.isStamped();
        safety.await(written);
        return stamped;
    }

    /** @return what must be safe in the journal before the update may be applied */
    private long offer(Entering entering) {
        lock.lock();
        try {
            driver.offer(entering);
            return safety.written();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reads of the store see the update from now on, and the acknowledgement of a client's write is about to leave.
     * Does not block; the core may learn of it a moment later.
     *
     * @param coordinator the node that sent the update here, or null for this one
     * @param receipt see {@link Event.Acknowledging}
     */
    public void afterApply(PartitionKey key, MutationId id, @Nullable NodeId coordinator, long receipt) {
        lock.leave(() -> driver.applied(key, id, coordinator, receipt));
    }

    public void applyFailed(PartitionKey key, MutationId id) {
        perform(new Event.ApplyFailed(key, id));
    }

    /**
     * In place of {@link #afterApply} for an update that {@link #beforeApply} knew already: the acknowledgement of a
     * client's write is about to leave once more.
     *
     * @param coordinator the node that sent the update here, or null for this one
     */
    public void acknowledging(@Nullable NodeId coordinator, PartitionKey key, MutationId id) {
        lock.leave(() -> driver.tell(new Event.Acknowledging(coordinator, key, id)));
    }

    /** To be called before an answer that another node gave at this cut is passed on. */
    public void observed(long cutMicros) {
        perform(new Event.Observed(cutMicros));
    }

    /**
     * To be called before a write is sent with a timestamp that another node gave: it is given to no other write here.
     *
     * @return the largest one that was given here; where it is not below, this one may have been, and is not to be used
     */
    public long takeTimestamp(long timestampMicros) {
        return requests.takeTimestamp(timestampMicros);
    }

    // --- clients -----------------------------------------------------------------------------------------------

    /** @param value what {@code reader} returned at the cut */
    public record ReadOutcome<T>(T value, Effect.ReadInfo info) {}

    /**
     * Reads at a cut, at this replica. Blocks until served, at most until the deadline.
     *
     * @param group who holds the partition, by the placement of this node's core
     * @param row the hash of the only row read, or {@link Update#ANY_ROW}
     * @throws StoppedException if this node has stopped, or stops meanwhile
     */
    public <T> ReadOutcome<T> read(
            PartitionKey key,
            ReplicaGroup group,
            long row,
            long tokenMicros,
            ReadMode mode,
            long deadlineNanos,
            LocalReader<T> reader)
            throws RequestRefusedException, InterruptedException {
        boolean strictAtHome = mode.kind() == ReadMode.Kind.STRICT && group.strictAtHome();
        if (strictAtHome || mode.kind() == ReadMode.Kind.SEQUENTIAL) {
            ReadOutcome<T> outcome = readAtRest(key, group, tokenMicros, strictAtHome, reader);
            if (outcome != null) {
                return outcome;
            }
        }
        return requests.read(
                (id, answers) ->
                        driver.read(new Event.ReadStarted(id, key, row, tokenMicros, mode, deadlineNanos), answers),
                deadlineNanos,
                reader);
    }

    /**
     * Pins a cut for a scan, at a node that holds all partitions of its range. Blocks until there is one, at most until
     * the deadline. The scan is to be closed.
     *
     * @param tokenMicros the session token; for a later page also the cut of the last one
     * @param shared whether other nodes read other parts of it at the same cut, to which it is {@linkplain Scan#raise
     *     raised} then
     * @throws StoppedException if this node has stopped, or stops meanwhile
     */
    public Scan scan(ScanRange range, long tokenMicros, long deadlineNanos, boolean shared)
            throws RequestRefusedException, InterruptedException {
        return Scan.begin(requests, range, tokenMicros, deadlineNanos, shared);
    }

    /** Without a step, and so without the lock; null where it takes one. */
    private <T> @Nullable ReadOutcome<T> readAtRest(
            PartitionKey key, ReplicaGroup group, long tokenMicros, boolean strict, LocalReader<T> reader) {
        Now now = clock.now();
        PartitionsAtRest.Offer offer = driver.atRest().offer(key, group, tokenMicros, strict, now.elapsedNanos());
        if (offer == null) {
            return null;
        }
        T value = reader.read(offer.cutMicros(), null);
        if (!driver.atRest().stands(offer, clock.now().elapsedNanos())) {
            return null;
        }
        long stalenessMicros = Math.max(0, now.wallMicros() - offer.cutMicros());
        return new ReadOutcome<>(value, new Effect.ReadInfo(offer.cutMicros(), Served.LOCAL, stalenessMicros));
    }

    /**
     * Begins a write: its timestamp is fixed by this, and is to be used for every cell.
     *
     * @throws StoppedException if this node has stopped
     * @throws RequestRefusedException if the core refuses it, or it would go into this node's journal, which is nearly
     *     full
     */
    public WriteTicket beginWrite(List<PartitionKey> keys, long tokenMicros, boolean strict, long deadlineNanos)
            throws RequestRefusedException, InterruptedException {
        return beginWriteOf(null, keys, tokenMicros, strict, deadlineNanos);
    }

    /**
     * The same for another node, which sends the write to the replicas, and never uses a timestamp for two writes.
     *
     * @param coordinator null for this node
     */
    public WriteTicket beginWriteOf(
            @Nullable NodeId coordinator, List<PartitionKey> keys, long tokenMicros, boolean strict, long deadlineNanos)
            throws RequestRefusedException, InterruptedException {
        return requests.write(coordinator, keys, tokenMicros, strict, deadlineNanos);
    }

    // --- the node ----------------------------------------------------------------------------------------------

    /**
     * Lets time pass. To be called by one timer, again after the time returned, or when {@link #wakeTickerWith} asks.
     *
     * @return nanoseconds: until a status message is due, or what is in flight is to be looked at again; a millisecond
     *     while a read waits
     */
    public long tick() {
        lock.lock();
        try {
            return driver.tick();
        } finally {
            lock.unlock();
        }
    }

    /**
     * @param wake called, under the lock, when the timer has been told to wait longer than it now should; must not
     *     block
     */
    public void wakeTickerWith(Runnable wake) {
        betweenSteps(() -> ports.wakeTimerWith(wake));
    }

    /** Takes a message. Messages of one thread are taken in their order, perhaps a moment later. */
    public void received(NodeId from, Message message) {
        if (isRunning()) {
            lock.leave(() -> driver.tell(new Event.Received(from, message)));
            ports.received(from, message);
        }
    }

    /** False once something could not be journaled or carried out; see {@link StoppedException}. */
    public boolean isRunning() {
        return driver.isRunning();
    }

    /** From now on the core goes by these. */
    public void settingsChanged(Settings settings) {
        perform(new Event.SettingsChanged(settings));
    }

    /** The nodes that share data with this one. */
    public void peersChanged(Set<NodeId> peers) {
        perform(new Event.PeersChanged(peers));
    }

    /** @param empty whether this node holds nothing of the table */
    public void tableEnabled(UUID table, boolean empty) {
        perform(new Event.TableEnabled(table, empty));
    }

    /** What the replicas hold of the table is brought together without an operator, see {@link Event.TableFilled}. */
    public void tableFilled(UUID table, boolean live) {
        perform(new Event.TableFilled(table, live));
    }

    /** The table goes by another name from now on, see {@link Event.TableLeft}. */
    public void tableLeft(UUID table) {
        perform(new Event.TableLeft(table));
    }

    public void tableDisabled(UUID table) {
        perform(new Event.TableDisabled(table));
    }

    /**
     * An operator has disabled the table, see {@link Event.TableEnded}.
     *
     * @param groups who holds its partitions
     * @param everybody who is to be told at once
     */
    public void tableEnded(UUID table, Set<ReplicaGroup> groups, Set<NodeId> everybody) {
        perform(new Event.TableEnded(table, groups, everybody));
    }

    public void baselineConfirmed(UUID table) {
        perform(new Event.BaselineConfirmed(table));
    }

    /** Data is about to enter the table's store unannounced; {@link #foreignData} must follow. */
    public void foreignDataComing(UUID table) {
        perform(new Event.ForeignDataComing(table));
    }

    public void foreignData(UUID table) {
        perform(new Event.ForeignData(table));
    }

    /** From now on nothing is retired without this peer, which was left behind and is about to be repaired. */
    public void peerRepairing(NodeId peer) {
        perform(new Event.PeerRepairing(peer));
    }

    /** The peer has been repaired in full since {@link #peerRepairing}: it takes part again. */
    public void peerRepaired(NodeId peer) {
        perform(new Event.PeerRepaired(peer));
    }

    /**
     * Where peers have left this node behind, it comes back from now on. To be told every second or so, once there is a
     * filler.
     */
    public void comeBack() {
        perform(new Event.ComeBack());
    }

    /** What the filler was to bring is here, or has failed. */
    public void filled(long number, boolean complete) {
        perform(new Event.Filled(number, complete));
    }

    /** @param bringer of what this node lacks when it comes back after having been left behind */
    public void fillWith(Filler bringer) {
        ports.fillWith(bringer);
    }

    /** @param answers of requests that receipts stand for */
    public void answerWith(Answers answers) {
        ports.answerWith(answers);
    }

    /** @param listener hears of each step from now on; null: nobody does */
    public void listenToSteps(@Nullable StepListener listener) {
        betweenSteps(() -> driver.listenToSteps(listener));
    }

    /**
     * Looks at what the core knows, for tests, metrics and virtual tables. The function must be quick and must not keep
     * what it sees.
     */
    public <T> T inspect(Function<CoreView, T> look) {
        lock.lock();
        try {
            return look.apply(driver.core().view());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Does something between two steps of the core, so that a step sees all of it or nothing. It must be quick, and
     * must not bring an event.
     */
    public void betweenSteps(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    /** What is known outside of tables that move, or are brought together, and nobody tells but who sees to it. */
    public void tell(Event.OfNode event) {
        perform(event);
    }

    private void perform(Event event) {
        lock.lock();
        try {
            driver.tell(event);
        } finally {
            lock.unlock();
        }
    }
}
