/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.driver;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.atrest.PartitionsAtRest;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Now;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.SequentialReads;
import org.meteorshower.protocol.Update;

/**
 * Takes the core's steps and has their effects carried out, each once, in order, all of a step before the next one. Has
 * no lock and no thread: whoever has several calls it under one lock.
 *
 * <p>Where an effect cannot be carried out, such as a stamp that is not journaled, none may follow: what this node
 * tells its peers would no longer be true. So it stops, as if the node had crashed there.
 */
public class CoreDriver {
    private static final long TICK_NANOS = 1_000_000;
    private static final long LONGEST_DOZE_NANOS = 100_000_000;

    private final SequentialReads core;
    private final Ports ports;
    private final JournalWriter journal;
    private final PartitionsAtRest atRest = new PartitionsAtRest();
    private final Map<Long, Inbox<Effect.ReadAnswer>> reads = new HashMap<>();
    private final Map<Long, Inbox<Effect.WriteAnswer>> writes = new HashMap<>();
    private final Interpreter interpreter = new Interpreter();
    private boolean stepping;
    private @Nullable StepListener steps;
    private boolean dozing;
    private long dozeEndsNanos;

    /** Seen by other threads, too. */
    private volatile @Nullable RuntimeException stopped;

    public CoreDriver(SequentialReads core, Ports ports) {
        this.core = core;
        this.ports = ports;
        this.journal = ports.journal();
    }

    public final SequentialReads core() {
        return core;
    }

    /** What reads can do without a step. Of any thread, and without the lock. */
    public final PartitionsAtRest atRest() {
        return atRest;
    }

    /** False once something could not be carried out. Of any thread, and without the lock. */
    public final boolean isRunning() {
        return stopped == null;
    }

    /** @param listener hears of each step from now on; null: nobody does */
    public final void listenToSteps(@Nullable StepListener listener) {
        steps = listener;
    }

    // --- events ------------------------------------------------------------------------------------------------

    /**
     * Takes one step.
     *
     * @throws StoppedException if the driver has stopped, or stops with this
     */
    public final void tell(Event event) {
        var unused = answer(event);
    }

    /**
     * Asks for a mutation to be stamped. What the journal says of its room holds until the step that may fill it.
     *
     * @param entering learns what becomes of it, or that it is to be brought what its rows hold
     * @throws StoppedException if the driver has stopped, or stops with this
     */
    public final void offer(Entering entering) {
        String obstacle = isRunning() ? journal.obstacle(entering.update()) : null;
        // One that was stamped before takes no room, and lets the journal retire it.
        if (obstacle != null && core.view().wouldStamp(entering.update())) {
            refuse(entering, obstacle);
        } else {
            entering.judge(atRest, core.view());
            entering.answered(answer(entering.intended()));
        }
    }

    /** For want of room in the journal. */
    protected void refuse(Entering entering, String obstacle) {
        entering.refused(obstacle);
    }

    /**
     * The store has a mutation, and the acknowledgement of a client's write is about to leave.
     *
     * @param coordinator the node that sent the mutation here; null for this one, or where nobody waits
     * @param receipt see {@link Event.Acknowledging}
     */
    public final void applied(PartitionKey key, MutationId id, @Nullable NodeId coordinator, long receipt) {
        tell(new Event.Applied(key, id));
        tell(new Event.Acknowledging(coordinator, key, id, receipt));
    }

    /**
     * Lets time pass.
     *
     * @return nanoseconds until the next call: a status message is due then, or what is in flight is to be looked at
     *     again; a millisecond while a read waits
     */
    public final long tick() {
        if (!isRunning()) {
            return LONGEST_DOZE_NANOS;
        }
        tell(new Event.Tick());
        if (journal.isNearlyFull()) {
            tell(new Event.JournalNearlyFull());
        }
        long pauseNanos = dozeNanos();
        dozing = pauseNanos > TICK_NANOS;
        dozeEndsNanos = ports.now().elapsedNanos() + pauseNanos;
        return pauseNanos;
    }

    private long dozeNanos() {
        return Math.max(TICK_NANOS, Math.min(LONGEST_DOZE_NANOS, 1_000 * core.microsToNextTick()));
    }

    /** A read waits now, or a peer wants to hear of this node sooner. */
    private boolean isTooLongADoze() {
        return ports.now().elapsedNanos() + dozeNanos() + TICK_NANOS - dozeEndsNanos < 0;
    }

    // --- requests ----------------------------------------------------------------------------------------------

    /**
     * Begins a read.
     *
     * @param question with a number that no other request of this driver has
     * @param inbox for all its answers
     * @throws StoppedException if the driver has stopped, or stops with this
     */
    public final void read(Event.ReadStarted question, Inbox<Effect.ReadAnswer> inbox) {
        requireRunning();
        reads.put(question.readId(), inbox);
        tell(question);
    }

    /** The same of one partition, at a scan's cut. */
    public final void read(Event.PinnedReadStarted question, Inbox<Effect.ReadAnswer> inbox) {
        requireRunning();
        reads.put(question.readId(), inbox);
        tell(question);
    }

    /** The same of many partitions. {@link #endRead} must follow: until then the scan's cut is kept. */
    public final void scan(Event.ScanStarted question, Inbox<Effect.ReadAnswer> inbox) {
        requireRunning();
        reads.put(question.readId(), inbox);
        tell(question);
    }

    /** The same for a write. Refused where this node's journal would have to take it, and is nearly full. */
    public final void write(Event.WriteStarted question, Inbox<Effect.WriteAnswer> inbox) {
        requireRunning();
        String obstacle = journal.obstacle();
        if (obstacle != null && core.view().holdsAny(question.keys())) {
            inbox.put(new Effect.WriteRefused(question.writeId(), Effect.Failure.OVERLOADED, obstacle));
            return;
        }
        writes.put(question.writeId(), inbox);
        tell(question);
    }

    /** Nobody waits for the rest of the answers. */
    public final void endRead(long request) {
        reads.remove(request);
        tellIfRunning(new Event.ReadAbandoned(request));
    }

    /** As {@link #endRead}. */
    public final void endWrite(long request) {
        writes.remove(request);
        tellIfRunning(new Event.WriteAbandoned(request));
    }

    private void tellIfRunning(Event event) {
        if (isRunning()) {
            tell(event);
        }
    }

    // --- steps -------------------------------------------------------------------------------------------------

    /** What answers the event at once, if anything does. */
    private Effect.@Nullable MutationAnswer answer(Event event) {
        requireRunning();
        try {
            beginStep();
            Now now = ports.now();
            List<Effect> effects = core.step(event, now);
            StepListener listener = steps;
            if (listener != null) {
                listener.stepped(event, effects, now);
            }
            Effect.MutationAnswer answer = interpreter.answerAmong(effects);
            atRest.stepped();
            if (dozing && isTooLongADoze()) {
                dozing = false;
                ports.wakeTimer();
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
            stepping = false;
        }
    }

    /** Effects of one step that were carried out within another one's would be out of order. */
    private void beginStep() {
        if (stepping) {
            throw new IllegalStateException("a port or an inbox has brought an event within a step");
        }
        stepping = true;
    }

    private void requireRunning() {
        RuntimeException cause = stopped;
        if (cause != null) {
            throw new StoppedException(cause);
        }
    }

    /** What was to be remembered cannot be, as it turned out later. */
    public final void fail(RuntimeException cause) {
        if (isRunning()) {
            stop(cause);
        }
    }

    private void stop(RuntimeException cause) {
        stopped = cause;
        atRest.close();
        // What they wait for never comes.
        List<Inbox<?>> waiting = new ArrayList<>(reads.values());
        waiting.addAll(writes.values());
        reads.clear();
        writes.clear();
        waiting.forEach(inbox -> inbox.stop(cause));
        ports.stopped(cause);
    }

    /** Carries out the effects of one step. */
    protected void carryOut(List<Effect> effects) {
        for (Effect effect : effects) {
            requireRunning();
            carryOut(effect);
        }
    }

    /** Carries one effect out. */
    protected void carryOut(Effect effect) {
        effect.handOver(interpreter);
    }

    private void settle(Effect.SettleFromJournal settle, Update update) {
        // Perhaps on another thread, and later: a node that has stopped tells its peers nothing.
        if (isRunning()) {
            ports.send(settle.to(), new Message.Settle(settle.hlcMicros(), update));
        }
    }

    private static <A> void deliver(Map<Long, Inbox<A>> waiting, long request, A answer, boolean isLast) {
        Inbox<A> inbox = isLast ? waiting.remove(request) : waiting.get(request);
        if (inbox != null) {
            inbox.put(answer);
        }
    }

    private final class Interpreter implements Effect.Handler {
        private Effect.@Nullable MutationAnswer answer;

        Effect.@Nullable MutationAnswer answerAmong(List<Effect> effects) {
            answer = null;
            carryOut(effects);
            return answer;
        }

        @Override
        public void on(Effect.MutationAnswer given) {
            answer = given;
        }

        @Override
        public void on(Effect.ReadAnswer given) {
            deliver(reads, given.readId(), given, given.isLast());
        }

        @Override
        public void on(Effect.WriteAnswer given) {
            deliver(writes, given.writeId(), given, given.isLast());
        }

        @Override
        public void on(Effect.Send send) {
            ports.send(send.to(), send.message());
        }

        @Override
        public void on(Effect.ReceiptReturned returned) {
            ports.receiptReturned(returned.coordinator(), returned.receipt());
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
            journal.table(new JournalWriter.TableState(
                    table.table(), table.sinceMicros(), table.baseline(), table.ready(), table.live()));
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
            ports.fill(order.number(), order.sources());
        }

        @Override
        public void on(Effect.ApplyFromJournal apply) {
            ports.readBack(apply.key(), apply.id(), ports::apply);
        }

        @Override
        public void on(Effect.SettleFromJournal settle) {
            ports.readBack(settle.key(), settle.id(), update -> settle(settle, update));
        }

        @Override
        public void on(Effect.ApplyToStore apply) {
            ports.apply(apply.update());
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
            ports.alarm(alarm);
        }
    }
}
