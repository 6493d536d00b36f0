/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.meteorshower.atrest.PartitionsAtRest;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Now;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.SequentialReads;
import org.meteorshower.protocol.Served;
import org.meteorshower.protocol.Settings;
import org.meteorshower.protocol.Update;

/**
 * One node's MeteorShower: the protocol core behind a lock, and the interpreter of its effects. Thread-safe.
 *
 * <p>Whoever brings an event runs the core's step and carries out its effects, in order, under the lock; nothing done
 * under it blocks. Threads that must wait (a read whose row is in flight, a write for its last acknowledgement) wait
 * outside the lock, each at most until its own deadline.
 */
public final class MeteorShower {
    private static final long TICK_NANOS = 1_000_000;
    private static final long LONGEST_DOZE_NANOS = 100_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final SequentialReads core;
    private final Clock clock;
    private final Journal journal;
    private final Transport transport;
    private final Store store;
    private final AlarmListener alarms;
    private final JournalReads journalReads;
    private final PartitionsAtRest atRest = new PartitionsAtRest();
    private final Map<Long, Mailbox<Effect.ReadAnswer>> waitingReads = new HashMap<>();
    private final Map<Long, Mailbox<Effect.WriteAnswer>> waitingWrites = new HashMap<>();
    private final Interpreter interpreter = new Interpreter();
    private final AtomicLong nextId = new AtomicLong(1);
    private @Nullable StepListener steps;
    private volatile @Nullable Filler filler;
    private boolean dozing;
    private long dozeEndsNanos;
    private Runnable wakeTicker = () -> {};
    private volatile @Nullable RuntimeException stopped;

    public MeteorShower(
            SequentialReads core,
            Clock clock,
            Journal journal,
            Transport transport,
            Store store,
            AlarmListener alarms) {
        this.core = core;
        this.clock = clock;
        this.journal = journal;
        this.transport = transport;
        this.store = store;
        this.alarms = alarms;
        this.journalReads = new JournalReads(alarms);
    }

    // --- the apply path ----------------------------------------------------------------------------------------

    /**
     * Stamps an update that is about to enter the store. Blocks only to read the rows' earlier content.
     *
     * @return whether {@link #afterApply} or {@link #applyFailed} must follow
     * @throws StoppedException if it could not be journaled, now or before; it must not be applied
     * @throws MutationRefusedException if its timestamp is further ahead than any clock can be, or the journal has no room for it; it
     *     must not be applied
     */
    public boolean beforeApply(Update update) throws MutationRefusedException {
        Entering entering = new Entering(update, store);
        while (!entering.isDecided()) {
            Effect.MutationAnswer answer = offer(entering.intended());
            if (answer == null) {
                throw new IllegalStateException("no answer to an intended mutation: " + update);
            }
            answer.handOver(entering);
        }
        return entering.isStamped();
    }

    /** What the journal says of its room holds until the step that may fill it: both are under one lock. */
    private Effect.@Nullable MutationAnswer offer(Event.Intended intended) throws MutationRefusedException {
        lock.lock();
        try {
            String obstacle = stopped == null ? journal.obstacle(intended.update()) : null;
            // One that was stamped before takes no room, and lets the journal retire it.
            if (obstacle != null && core.wouldStamp(intended.update())) {
                throw new MutationRefusedException(obstacle);
            }
            return answer(intended);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reads of the store see the update from now on, and the acknowledgement of a client's write is about to leave.
     *
     * @param coordinator the node that sent the update here, or null for this one
     */
    public void afterApply(PartitionKey key, MutationId id, @Nullable NodeId coordinator) {
        lock.lock();
        try {
            perform(new Event.Applied(key, id));
            perform(new Event.Acknowledging(coordinator, key, id));
        } finally {
            lock.unlock();
        }
    }

    public void applyFailed(PartitionKey key, MutationId id) {
        perform(new Event.ApplyFailed(key, id));
    }

    /**
     * In place of {@link #afterApply} for an update that {@link #beforeApply} knew already: the acknowledgement of a client's
     * write is about to leave once more.
     *
     * @param coordinator the node that sent the update here, or null for this one
     */
    public void acknowledging(@Nullable NodeId coordinator, PartitionKey key, MutationId id) {
        perform(new Event.Acknowledging(coordinator, key, id));
    }

    /** To be called before an answer that another node gave at this cut is passed on. */
    public void observed(long cutMicros) {
        perform(new Event.Observed(cutMicros));
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
            throws ReadRefusedException, InterruptedException {
        if (mode.kind() == ReadMode.Kind.SEQUENTIAL) {
            ReadOutcome<T> outcome = readAtRest(key, group, tokenMicros, reader);
            if (outcome != null) {
                return outcome;
            }
        }
        Mailbox<Effect.ReadAnswer> mailbox =
                ask(waitingReads, id -> new Event.ReadStarted(id, key, row, tokenMicros, mode, deadlineNanos));
        Reading<T> reading = new Reading<>(mailbox.id, reader);
        try {
            while (!reading.isOver) {
                take(mailbox, deadlineNanos).handOver(reading);
            }
        } finally {
            if (!reading.isOver) {
                close(waitingReads, mailbox.id, new Event.ReadAbandoned(mailbox.id));
            }
        }
        return reading.outcome();
    }

    /** What the core has answered to a read so far, and what the store has said. Used by the thread that waits for it. */
    private final class Reading<T> implements Effect.ReadAnswer.Handler {
        private final long id;
        private final LocalReader<T> reader;
        private @Nullable ReadOutcome<T> found;
        private Effect.@Nullable ReadFailed failure;
        private boolean isOver;

        Reading(long id, LocalReader<T> reader) {
            this.id = id;
            this.reader = reader;
        }

        @Override
        public void on(Effect.ReadAt at) {
            found = new ReadOutcome<>(reader.read(at.info().cutMicros(), at.overlay()), at.info());
            if (at.confirm()) {
                perform(new Event.StoreRead(id));
            } else {
                isOver = true;
            }
        }

        @Override
        public void on(Effect.ReadConfirmed confirmed) {
            isOver = true;
        }

        @Override
        public void on(Effect.ReadFailed failed) {
            failure = failed;
            isOver = true;
        }

        ReadOutcome<T> outcome() throws ReadRefusedException {
            if (failure != null) {
                throw new ReadRefusedException(failure.failure(), failure.detail());
            } else if (found == null) {
                throw new IllegalStateException("confirmed before the store was read");
            }
            return found;
        }
    }

    /** Without a step, and so without the lock; null where it takes one. */
    private <T> @Nullable ReadOutcome<T> readAtRest(
            PartitionKey key, ReplicaGroup group, long tokenMicros, LocalReader<T> reader) {
        Now now = clock.now();
        PartitionsAtRest.Offer offer = atRest.offer(key, group, tokenMicros, now.elapsedNanos());
        if (offer == null) {
            return null;
        }
        T value = reader.read(offer.cutMicros(), null);
        if (!atRest.stands(offer)) {
            return null;
        }
        long stalenessMicros = Math.max(0, now.wallMicros() - offer.cutMicros());
        return new ReadOutcome<>(value, new Effect.ReadInfo(offer.cutMicros(), Served.LOCAL, stalenessMicros));
    }

    private Effect.ReadAnswer take(Mailbox<Effect.ReadAnswer> mailbox, long deadlineNanos)
            throws ReadRefusedException, InterruptedException {
        Effect.ReadAnswer answer = mailbox.takeOrNull(deadlineNanos, clock);
        if (answer != null) {
            return answer;
        }
        String why = whyWaits(mailbox.id);
        throw new ReadRefusedException(
                Effect.ReadFailure.TIMED_OUT, why == null ? "no answer before the deadline of the request" : why);
    }

    /** The core's own word comes with its next look at the clock, which is too late. */
    @SuppressWarnings("NullAway") // inspect passes a null through
    private @Nullable String whyWaits(long readId) {
        return inspect(core -> core.whyWaits(readId));
    }

    /**
     * Begins a write: its timestamp is fixed by this, and is to be used for every cell.
     *
     * @throws StoppedException if this node has stopped
     * @throws ReadRefusedException if the core refuses it, or it would go into this node's journal, which is nearly full
     */
    public WriteTicket beginWrite(List<PartitionKey> keys, long tokenMicros, boolean strict)
            throws ReadRefusedException {
        Mailbox<Effect.WriteAnswer> mailbox;
        lock.lock(); // once for both
        try {
            refuseWhereJournalIsFull(keys);
            mailbox = ask(waitingWrites, id -> new Event.WriteStarted(id, keys, tokenMicros, strict));
        } finally {
            lock.unlock();
        }
        Writing writing = new Writing();
        Effect.WriteAnswer answer = mailbox.poll();
        if (answer != null) {
            answer.handOver(writing);
        }
        return new WriteTicket(mailbox, writing, writing.timestampMicros());
    }

    private void refuseWhereJournalIsFull(List<PartitionKey> keys) throws ReadRefusedException {
        String obstacle = stopped == null ? journal.obstacle() : null;
        if (obstacle != null && core.holdsAny(keys)) {
            throw new ReadRefusedException(Effect.ReadFailure.OVERLOADED, obstacle);
        }
    }

    /** A write under way. To be closed, whatever became of it. Used by one thread. */
    public final class WriteTicket implements AutoCloseable {
        private final Mailbox<Effect.WriteAnswer> mailbox;
        private final Writing writing;
        private final long timestampMicros;
        private boolean done;

        private WriteTicket(Mailbox<Effect.WriteAnswer> mailbox, Writing writing, long timestampMicros) {
            this.mailbox = mailbox;
            this.writing = writing;
            this.timestampMicros = timestampMicros;
        }

        public long timestampMicros() {
            return timestampMicros;
        }

        /**
         * Waits until w replicas are known to have applied the write, and when.
         *
         * @return the session's new token; or -1 if the deadline passed, or the table was disabled, and then the write's outcome is not known
         * @throws StoppedException if this node stopped meanwhile; then the write's outcome is not known either
         */
        public long awaitDone(long deadlineNanos) throws InterruptedException {
            Effect.WriteAnswer answer = mailbox.takeOrNull(deadlineNanos, clock);
            done = answer != null;
            if (answer != null) {
                answer.handOver(writing);
            }
            return writing.tokenMicros();
        }

        @Override
        public void close() {
            if (!done) {
                MeteorShower.this.close(waitingWrites, mailbox.id, new Event.WriteAbandoned(mailbox.id));
            }
        }
    }

    // --- the node ----------------------------------------------------------------------------------------------

    /**
     * Lets time pass. To be called by one timer, again after the time returned, or when {@link #wakeTickerWith} asks.
     *
     * @return nanoseconds: until a status message is due, or what is in flight is to be looked at again; a millisecond while a read waits
     */
    public long tick() {
        lock.lock();
        try {
            if (stopped != null) {
                return LONGEST_DOZE_NANOS;
            }
            perform(new Event.Tick());
            if (journal.isNearlyFull()) {
                perform(new Event.JournalNearlyFull());
            }
            long pauseNanos = dozeNanos();
            dozing = pauseNanos > TICK_NANOS;
            dozeEndsNanos = clock.now().elapsedNanos() + pauseNanos;
            return pauseNanos;
        } finally {
            lock.unlock();
        }
    }

    /** @param wake called, under the lock, when the timer has been told to wait longer than it now should; must not block */
    public void wakeTickerWith(Runnable wake) {
        lock.lock();
        try {
            wakeTicker = wake;
        } finally {
            lock.unlock();
        }
    }

    public void received(NodeId from, Message message) {
        if (isRunning()) {
            perform(new Event.Received(from, message));
        }
    }

    /** False once something could not be journaled or carried out; see {@link StoppedException}. */
    public boolean isRunning() {
        return stopped == null;
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

    /** The table goes by another name from now on, see {@link Event.TableLeft}. */
    public void tableLeft(UUID table) {
        perform(new Event.TableLeft(table));
    }

    /** The table begins anew under this name: its partitions have moved between nodes. */
    public void tableMoved(UUID table) {
        perform(new Event.TableMoved(table));
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

    /** Where peers have left this node behind, it comes back from now on. To be told every second or so, once there is a filler. */
    public void comeBack() {
        perform(new Event.ComeBack());
    }

    /** What the filler was to bring is here, or has failed. */
    public void filled(long number, boolean complete) {
        perform(new Event.Filled(number, complete));
    }

    /** @param bringer of what this node lacks when it comes back after having been left behind */
    public void fillWith(Filler bringer) {
        filler = bringer;
    }

    private void fill(Effect.FillFrom order) {
        Filler bringer = filler;
        if (bringer != null) {
            bringer.fill(order.number(), order.sources());
        }
    }

    /** @param listener hears of each step from now on; null: nobody does */
    public void listenToSteps(@Nullable StepListener listener) {
        lock.lock();
        try {
            steps = listener;
        } finally {
            lock.unlock();
        }
    }

    /** Looks at the core's state, for tests, metrics and virtual tables. The function must be quick and must not keep what it sees. */
    public <T> T inspect(java.util.function.Function<SequentialReads, T> look) {
        lock.lock();
        try {
            return look.apply(core);
        } finally {
            lock.unlock();
        }
    }

    // --- the interpreter ---------------------------------------------------------------------------------------

    private long dozeNanos() {
        return Math.max(TICK_NANOS, Math.min(LONGEST_DOZE_NANOS, 1_000 * core.microsToNextTick()));
    }

    /** A read waits now, or a peer wants to hear of this node sooner. */
    private boolean isTooLongADoze() {
        return clock.now().elapsedNanos() + dozeNanos() + TICK_NANOS - dozeEndsNanos < 0;
    }

    private void perform(Event event) {
        var unused = answer(event);
    }

    /** What answers the event at once, if anything does. */
    private Effect.@Nullable MutationAnswer answer(Event event) {
        lock.lock();
        try {
            if (stopped != null) {
                throw new StoppedException(stopped);
            }
            Now now = clock.now();
            List<Effect> effects = core.step(event, now);
            StepListener listener = steps;
            if (listener != null) {
                listener.stepped(event, effects, now);
            }
            Effect.MutationAnswer answer = interpreter.carryOut(effects);
            if (dozing && isTooLongADoze()) {
                dozing = false;
                wakeTicker.run();
            }
            return answer;
        } catch (StoppedException e) {
            throw e;
        } catch (RuntimeException e) {
            stop(e);
            throw new StoppedException(e);
        } catch (Error e) {
            stop(new IllegalStateException(e)); // the core may have gone half of its way
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /**
     * An effect that was not carried out, such as a stamp that is not journaled, must not be followed by others: what this
     * node tells its peers would no longer be true. So it tells them nothing more, as if it had crashed here.
     */
    private void stop(RuntimeException cause) {
        stopped = cause;
        atRest.close();
        // What they wait for never comes.
        waitingReads.values().forEach(mailbox -> mailbox.stop(cause));
        waitingReads.clear();
        waitingWrites.values().forEach(mailbox -> mailbox.stop(cause));
        waitingWrites.clear();
        journalReads.close();
        // On a thread of its own: this one may be the transport's, and closing waits for those.
        Thread closer = new Thread(transport::close, "MeteorShower-Stop");
        closer.setDaemon(true);
        closer.start();
        alarms.alarm(new Effect.Alarm(
                Effect.AlarmKind.STOPPED,
                "MeteorShower has stopped on this node and serves nothing until the node is restarted: " + cause));
    }

    /** Carries effects out, under the lock. */
    private final class Interpreter implements Effect.Handler {
        private Effect.@Nullable MutationAnswer answer;

        /** In their order. Returns the one that answers the event at once, if there is one. */
        Effect.@Nullable MutationAnswer carryOut(List<Effect> effects) {
            Effect.MutationAnswer outer = answer; // of a step that is being carried out, where that has led to this one
            answer = null;
            for (Effect effect : effects) {
                effect.handOver(this);
            }
            Effect.MutationAnswer own = answer;
            answer = outer;
            return own;
        }

        @Override
        public void on(Effect.MutationAnswer given) {
            answer = given;
        }

        @Override
        public void on(Effect.ReadAnswer given) {
            deliver(waitingReads, given.readId(), given, given.isLast());
        }

        @Override
        public void on(Effect.WriteAnswer given) {
            deliver(waitingWrites, given.writeId(), given, given.isLast());
        }

        @Override
        public void on(Effect.Send send) {
            transport.send(send.to(), send.message());
        }

        @Override
        public void on(Effect.JournalApplied applied) {
            journal.applied(applied.update(), applied.appliedMicros());
        }

        @Override
        public void on(Effect.JournalRetired retired) {
            journal.retired(retired.key(), retired.id());
        }

        @Override
        public void on(Effect.PersistCeiling ceiling) {
            journal.ceiling(ceiling.ceilingMicros());
        }

        @Override
        public void on(Effect.JournalTable table) {
            journal.table(new Journal.TableState(table.table(), table.sinceMicros(), table.baseline(), table.ready()));
        }

        @Override
        public void on(Effect.JournalTableDropped dropped) {
            journal.tableDropped(dropped.table());
        }

        @Override
        public void on(Effect.JournalStale peer) {
            journal.stale(peer.peer(), peer.stale());
        }

        @Override
        public void on(Effect.FillFrom order) {
            fill(order);
        }

        @Override
        public void on(Effect.ApplyFromJournal apply) {
            journalReads.read(journal.reading(apply.key(), apply.id()), store::apply);
        }

        @Override
        public void on(Effect.SettleFromJournal settle) {
            journalReads.read(journal.reading(settle.key(), settle.id()), update -> settle(settle, update));
        }

        @Override
        public void on(Effect.ApplyToStore apply) {
            store.apply(apply.update());
        }

        @Override
        public void on(Effect.Stirred stirred) {
            atRest.stirred(stirred);
        }

        @Override
        public void on(Effect.Rested rested) {
            atRest.rested(rested);
        }

        @Override
        public void on(Effect.Alarm alarm) {
            alarms.alarm(alarm);
        }
    }

    /** On the thread that has read it. A node that has stopped tells its peers nothing. */
    private void settle(Effect.SettleFromJournal settle, Update update) {
        if (isRunning()) {
            transport.send(settle.to(), new Message.Settle(settle.hlcMicros(), update));
        }
    }

    private static <A> void deliver(Map<Long, Mailbox<A>> waiting, long id, A answer, boolean isLast) {
        Mailbox<A> mailbox = isLast ? waiting.remove(id) : waiting.get(id);
        if (mailbox != null) {
            mailbox.put(answer);
        }
    }

    /** Asks the core; what it answers goes into the mailbox, which stays open until the last of it is there, or until it is closed. */
    private <A> Mailbox<A> ask(Map<Long, Mailbox<A>> waiting, LongFunction<Event> question) {
        Mailbox<A> mailbox = new Mailbox<>(nextId.getAndIncrement());
        Event event = question.apply(mailbox.id);
        lock.lock();
        try {
            if (stopped == null) {
                waiting.put(mailbox.id, mailbox);
            }
            perform(event);
        } finally {
            lock.unlock();
        }
        return mailbox;
    }

    /** Of one that may still be open. */
    private <A> void close(Map<Long, Mailbox<A>> waiting, long id, Event farewell) {
        lock.lock();
        try {
            waiting.remove(id);
            if (stopped == null) {
                perform(farewell);
            }
        } finally {
            lock.unlock();
        }
    }
}
