/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.atrest.PartitionsAtRest;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Now;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Recovery;
import org.meteorshower.protocol.SequentialReads;

/**
 * A node of the simulation: the protocol core, a store, a journal, a wrong clock. A crash loses the core and what was on
 * its way; the store and the journal stay.
 */
final class SimulatedNode {
    static final UUID TABLE = new UUID(7, 7);
    /** What a perfect physical clock shows when simulated time is 0. */
    static final long EPOCH_MICROS = 1_000_000_000_000L;

    final int number;
    final NodeId id;
    final CellStore store;
    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final SimulationPlan plan;
    private final Network network;
    private final List<SimulatedNode> nodes;
    private final Oracle oracle;
    private final Promises promises;
    private final Trace trace;
    private final ArrayDeque<Runnable> held = new ArrayDeque<>();
    private final NodeDisk disk = new NodeDisk();
    private final ClocksHeard clocksHeard = new ClocksHeard();
    private final Mistakes mistakes;
    private final Scheduler.Delay untilNextTick;
    private final Scheduler.Delay atOnce;
    final NodeChecks checks;
    private final Interpreter interpreter = new Interpreter();

    // Who hears what becomes of a client's request at this node, by the request.
    private final Map<Long, Effect.ReadAnswer.Handler> readers = new HashMap<>();
    private final Map<Long, Effect.WriteAnswer.Handler> writers = new HashMap<>();

    private @Nullable TableView table;
    private long clockOffsetMicros;
    private double clockRate;
    private @Nullable SequentialReads core;
    private PartitionsAtRest atRest = new PartitionsAtRest();
    private int life;
    private long nextRequest = 1;
    private boolean paused;
    private long frozenUntilMicros;
    private long frozenAtMicros;

    /** How many effects of the next step that stamps something are carried out before the node dies; -1 for all. */
    private int effectsUntilCrash = -1;

    private Runnable afterCrash = () -> {};

    /** The token of all clients that bring none; lost with a restart. */
    long sharedTokenMicros;

    /** Whether it takes part: not one that has yet to join, nor one that has left or was replaced. */
    boolean inService = true;

    int leftBehindCount;
    int starts;

    SimulatedNode(
            int number,
            Scheduler scheduler,
            SplittableRandom random,
            SimulationPlan plan,
            Network network,
            List<SimulatedNode> nodes,
            Oracle oracle,
            Promises promises,
            Mistakes mistakes,
            Trace trace) {
        this.number = number;
        this.id = NodeId.of(number);
        this.scheduler = scheduler;
        this.random = random;
        this.plan = plan;
        this.network = network;
        this.nodes = nodes;
        this.oracle = oracle;
        this.promises = promises;
        this.mistakes = mistakes;
        this.untilNextTick = scheduler.delay(plan.cluster().tickMicros());
        this.atOnce = scheduler.delay(0);
        this.checks = new NodeChecks(id, plan.seed());
        this.store = new CellStore(plan.faults().storeForgets() || plan.bug() == Bug.APPLIED_LOST_IN_CRASH);
        this.trace = trace;
        this.clockRate = 1 + plan.faults().clockDriftShare() * (2 * random.nextDouble() - 1);
        jumpClock();
    }

    /** How it knows the table; to be set before it starts. */
    void knows(TableView view) {
        table = view;
    }

    TableView table() {
        return Objects.requireNonNull(table);
    }

    /** Where partitions move. */
    EpochFollower epochs() {
        return (EpochFollower) table();
    }

    static int numberOf(NodeId id) {
        return (int) id.value().getLeastSignificantBits();
    }

    void jumpClock() {
        clockOffsetMicros = (long) (plan.faults().clockOffsetMicros() * (2 * random.nextDouble() - 1));
    }

    /** The physical clock stands still for a while, and then shows the right time at once. */
    void freezeClock(long micros) {
        frozenAtMicros = wallMicros(scheduler.nowMicros());
        frozenUntilMicros = scheduler.nowMicros() + micros;
    }

    Now now() {
        long trueMicros = scheduler.nowMicros();
        return new Now(trueMicros < frozenUntilMicros ? frozenAtMicros : wallMicros(trueMicros), trueMicros * 1_000);
    }

    /** The physical clock is so much behind where it was, until it jumps again. */
    void setClockBack(long micros) {
        clockOffsetMicros -= micros;
    }

    /** The latest physical clock that it has heard of, its own among them, as of now: what the age of an answer is measured by. */
    long latestClockMicros(PartitionKey key) {
        SequentialReads running = core;
        long own = now().wallMicros();
        return running == null
                ? own
                : Math.max(own, clocksHeard.latestMicros(running.replicasOf(key).members(), scheduler.nowMicros()));
    }

    private long wallMicros(long trueMicros) {
        return EPOCH_MICROS + (long) (trueMicros * clockRate) + clockOffsetMicros;
    }

    boolean isUp() {
        return core != null;
    }

    @Nullable
    SequentialReads core() {
        return core;
    }

    // --- life and death ----------------------------------------------------------------------------------------

    boolean isRunning() {
        return isUp() && !paused;
    }

    SimulatedNode other(int itsNumber) {
        return nodes.get(itsNumber);
    }

    /** Whether clients are served here. */
    boolean isServing() {
        return isUp() && inService && table().isOnRing();
    }

    boolean hasLeftBehind(NodeId peer) {
        return disk.hasLeftBehind(peer);
    }

    int life() {
        return life;
    }

    void start() {
        life++;
        starts++;
        promises.restarted(number);
        if (plan.bug() == Bug.CEILING_LOST) {
            disk.loseCeiling();
            clockOffsetMicros -= life > 1 ? 10_000_000 : 0;
        } else if (plan.bug() == Bug.JOURNAL_LOST) {
            disk.loseJournal();
        }
        sharedTokenMicros = 0;
        List<UUID> journaled = disk.tables();
        table().recover(journaled);
        if (plan.bug() != Bug.MOVED_JOURNAL_FORGOTTEN) {
            disk.settleMoved(table().names(), store);
        }
        Recovery recovery = disk.recovery();
        clocksHeard.begin(recovery.incarnation());
        SequentialReads begun = new SequentialReads(id, plan.settings(), table().placement(), recovery);
        core = begun;
        atRest = new PartitionsAtRest();
        checks.begin(table().placement(), plan.settings(), begun.hybridClockMicros());
        table().begin(journaled);
        if (disk.foreignData && plan.bug() != Bug.FOREIGN_DATA_FORGOTTEN) {
            table().names().forEach(name -> perform(new Event.ForeignData(name)));
        }
        disk.foreignData = false;
        tickOn(life);
    }

    private void tickOn(int inLife) {
        untilNextTick.then(() -> {
            if (isUp() && life == inLife) {
                act(() -> {
                    perform(new Event.Tick());
                    tickOn(inLife);
                });
            }
        });
    }

    void crash() {
        // Whoever runs the core must remember that data has come in which nobody announced yet.
        SequentialReads dying = core;
        disk.foreignData |= dying != null && table().names().stream().anyMatch(dying::hasForeignData);
        core = null;
        checks.end();
        effectsUntilCrash = -1;
        if (plan.bug() == Bug.APPLIED_LOST_IN_CRASH) {
            disk.loseTheTail();
        }
        if (plan.bug() == Bug.SPILL_LOST && dying != null) {
            disk.loseWhatIsOlder(dying.hybridClockMicros() - 1_000_000);
        }
        store.crash(name -> disk.holds(name) && (plan.bug() == Bug.APPLIED_LOST_IN_CRASH || random.nextBoolean()));
        life++;
        readers.clear();
        writers.clear();
        held.clear();
        paused = false;
    }

    /** Dies in the middle of a step that stamps something, some of its effects carried out and others not. */
    void crashWithinAStep(int effects, Runnable then) {
        effectsUntilCrash = effects;
        afterCrash = then;
    }

    /** The node does nothing for a while, and then everything at once; a long garbage collection. */
    void pause(long micros) {
        if (!isRunning()) {
            return;
        }
        paused = true;
        int inLife = life;
        scheduler.after(micros, () -> {
            if (life == inLife) {
                paused = false;
                while (!paused && !held.isEmpty()) {
                    held.removeFirst().run();
                }
            }
        });
    }

    /** Does something at this node: now, or when its pause is over; not at all if it is down. */
    void act(Runnable action) {
        if (paused) {
            held.addLast(action);
        } else if (isUp()) {
            action.run();
        }
    }

    private void hear(Event.Received message) {
        if (paused) {
            held.addLast(() -> take(message));
        } else {
            take(message);
        }
    }

    private void take(Event.Received received) {
        clocksHeard.heard(received.from(), received.message(), scheduler.nowMicros());
        perform(received);
    }

    /** Runs an action after a delay, unless the node has crashed meanwhile. */
    void later(long micros, Runnable action) {
        scheduler.after(micros, inThisLife(action));
    }

    private Runnable inThisLife(Runnable action) {
        int inLife = life;
        return () -> {
            if (isUp() && life == inLife) {
                act(action);
            }
        };
    }

    /** What a read can do here that takes no step; null where it takes one. */
    PartitionsAtRest.@Nullable Offer offer(PartitionKey key, long tokenMicros) {
        SequentialReads running = core;
        return running == null ? null : atRest.offer(key, running.replicasOf(key), tokenMicros, now().elapsedNanos());
    }

    /** Whether what the store said since is the answer. */
    boolean stands(PartitionsAtRest.Offer offer) {
        return atRest.stands(offer) || plan.bug() == Bug.REST_NOT_CONFIRMED;
    }

    // --- clients -----------------------------------------------------------------------------------------------

    long open(Effect.ReadAnswer.Handler reader) {
        long request = nextRequest++;
        readers.put(request, reader);
        return request;
    }

    long open(Effect.WriteAnswer.Handler writer) {
        long request = nextRequest++;
        writers.put(request, writer);
        return request;
    }

    void close(long request) {
        readers.remove(request);
        writers.remove(request);
    }

    // --- mutations ---------------------------------------------------------------------------------------------

    /** A mutation arrives, from a coordinator, a hint or a settling peer. */
    void mutate(CellUpdate update, @Nullable NodeId coordinator) {
        mutate(update, coordinator, () -> {});
    }

    /** @param done when the store has it */
    void mutate(CellUpdate update, @Nullable NodeId coordinator, Runnable done) {
        table().admit(update, admitted -> {
            var intended = new Event.Intended(admitted, null, 0, 0);
            if (plan.bug() == Bug.STAMPED_AFTER_APPLIED) {
                store.apply(admitted);
                later(diskMicros(), () -> offer(admitted, coordinator, intended, done));
            } else {
                offer(admitted, coordinator, intended, done);
            }
        });
    }

    private void offer(CellUpdate update, @Nullable NodeId coordinator, Event.Intended intended, Runnable done) {
        Offered offered = new Offered(update, coordinator, intended, done);
        Effect.MutationAnswer answer = perform(intended);
        if (answer == null) {
            offered.enter(false); // it has died: what is begun here comes to nothing
        } else {
            answer.handOver(offered);
        }
    }

    /** A mutation that the core was asked about. */
    private final class Offered implements Effect.MutationAnswer.Handler {
        private final CellUpdate update;
        private final @Nullable NodeId coordinator;
        private final Event.Intended intended;
        private final Runnable done;

        Offered(CellUpdate update, @Nullable NodeId coordinator, Event.Intended intended, Runnable done) {
            this.update = update;
            this.coordinator = coordinator;
            this.intended = intended;
            this.done = done;
        }

        @Override
        public void on(Effect.NeedHistory needed) {
            later(random.nextInt(100), () -> {
                var history = store.historyFor(update);
                var again = new Event.Intended(update, history, needed.asOfVersion(), intended.attempt() + 1);
                later(random.nextInt(100), () -> offer(update, coordinator, again, done));
            });
        }

        @Override
        public void on(Effect.RefuseMutation refused) {
            table().out();
        }

        @Override
        public void on(Effect.NoRoom full) {
            table().out();
        }

        @Override
        public void on(Effect.Stamped stamped) {
            enter(true);
        }

        @Override
        public void on(Effect.AlreadyApplied known) {
            enter(false);
        }

        private void enter(boolean journaled) {
            if (plan.bug() == Bug.APPLIED_TOO_EARLY) {
                perform(new Event.Applied(update.key(), update.id()));
            }
            later(diskMicros(), () -> {
                // Where the table was given up meanwhile the commit log alone keeps it.
                if (journaled && (!plan.isSwitched() || disk.holds(MutationName.of(update)))) {
                    store.applyJournaled(update);
                } else {
                    store.apply(update);
                }
                perform(new Event.Applied(update.key(), update.id()));
                if (coordinator != null) {
                    perform(new Event.Acknowledging(coordinator, update.key(), update.id()));
                }
                done.run();
                table().out();
            });
        }
    }

    private long diskMicros() {
        long slowest = plan.faults().diskMicros();
        return random.nextInt(20) == 0 ? Math.max(5_000, slowest) : random.nextLong(Math.max(1, slowest));
    }

    /** A line for whoever reads the run. */
    void note(Supplier<String> what) {
        trace.note(scheduler.nowMicros(), () -> "n" + number + " " + what.get());
    }

    // --- the interpreter ---------------------------------------------------------------------------------------

    /** Returns what answers the event at once, if anything does. */
    Effect.@Nullable MutationAnswer perform(Event event) {
        SequentialReads running = core;
        if (running == null) {
            return null;
        }
        trace.step(scheduler.nowMicros(), number, event);
        Now now = now();
        List<Effect> effects = running.step(event, now);
        checks.stepped(event, effects, now);
        boolean dies = effectsUntilCrash >= 0 && stampsAnything(effects);
        Effect.MutationAnswer outer =
                interpreter.answer; // of a step that is being carried out, where that has led to this one
        interpreter.answer = null;
        for (Effect effect : effects) {
            if (dies && outlives(effect) && effectsUntilCrash-- == 0) {
                interpreter.answer = outer;
                crash();
                afterCrash.run();
                return null;
            }
            trace.step(scheduler.nowMicros(), number, effect);
            effect.handOver(interpreter);
        }
        Effect.MutationAnswer answer = interpreter.answer;
        interpreter.answer = outer;
        return answer;
    }

    /** Whether it matters after a crash that it was carried out. */
    private static boolean outlives(Effect effect) {
        return !(effect instanceof Effect.Stirred || effect instanceof Effect.Rested);
    }

    private static boolean stampsAnything(List<Effect> effects) {
        for (Effect effect : effects) {
            if (effect instanceof Effect.JournalApplied) {
                return true;
            }
        }
        return false;
    }

    /** Carries effects out, at once or by what it has planned for later. */
    private final class Interpreter implements Effect.Handler {
        private Effect.@Nullable MutationAnswer answer;

        @Override
        public void on(Effect.Send send) {
            send(send);
        }

        @Override
        public void on(Effect.JournalApplied applied) {
            oracle.stamped(number, (CellUpdate) applied.update(), applied.appliedMicros());
            promises.stamped(number, (CellUpdate) applied.update(), applied.appliedMicros());
            disk.stamped(applied);
        }

        @Override
        public void on(Effect.JournalRetired retired) {
            MutationName name = new MutationName(retired.key(), retired.id());
            disk.retired(name);
            store.sync(name);
            promises.retired(number, name);
        }

        @Override
        public void on(Effect.PersistCeiling ceiling) {
            disk.ceiling(ceiling.ceilingMicros());
        }

        @Override
        public void on(Effect.JournalTable journaled) {
            disk.table(journaled);
            if (journaled.baseline()) {
                table().vouched(journaled.table(), journaled.sinceMicros());
            }
        }

        @Override
        public void on(Effect.JournalTableDropped dropped) {
            disk.dropped(dropped.table());
        }

        @Override
        public void on(Effect.JournalStale peer) {
            disk.stale(peer);
            if (peer.stale()) {
                promises.leftBehind(number, peer.peer());
                leftBehindCount++;
            }
        }

        @Override
        public void on(Effect.FillFrom order) {
            new Filling(SimulatedNode.this, random, plan, network, order).begin();
        }

        @Override
        public void on(Effect.ApplyToStore apply) {
            CellUpdate update = (CellUpdate) apply.update();
            later(random.nextInt(2_000), () -> mutate(mistakes.settled(update, now().wallMicros()), null));
        }

        @Override
        public void on(Effect.ApplyFromJournal apply) {
            later(random.nextInt(2_000), () -> {
                CellUpdate update = fromJournal(apply.key(), apply.id());
                if (update != null) {
                    mutate(mistakes.settled(update, now().wallMicros()), null);
                }
            });
        }

        @Override
        public void on(Effect.SettleFromJournal settle) {
            if (plan.hasSizes()) {
                later(random.nextInt(2_000), () -> settle(settle));
            } else {
                settle(settle); // small values are read in no time
            }
        }

        @Override
        public void on(Effect.Stirred stirred) {
            atRest.stirred(stirred);
        }

        @Override
        public void on(Effect.Rested rested) {
            atRest.rested(rested);
        }

        /** Heard by operators, who look by themselves here. */
        @Override
        public void on(Effect.Alarm alarm) {}

        @Override
        public void on(Effect.MutationAnswer given) {
            answer = given;
        }

        // The client hears of it in an event of its own, as a thread that waits would.

        @Override
        public void on(Effect.ReadAnswer given) {
            atOnce.then(inThisLife(() -> {
                Effect.ReadAnswer.Handler reader = readers.get(given.readId());
                if (reader != null) {
                    given.handOver(reader);
                }
            }));
        }

        @Override
        public void on(Effect.WriteAnswer given) {
            atOnce.then(inThisLife(() -> {
                Effect.WriteAnswer.Handler writer = writers.get(given.writeId());
                if (writer != null) {
                    given.handOver(writer);
                }
            }));
        }
    }

    private void settle(Effect.SettleFromJournal settle) {
        CellUpdate update = fromJournal(settle.key(), settle.id());
        if (update != null) {
            send(new Effect.Send(settle.to(), new Message.Settle(settle.hlcMicros(), update)));
        }
    }

    private void send(Effect.Send send) {
        int to = numberOf(send.to());
        Message message = mistakes.sent(send.message());
        SimulatedNode receiver = nodes.get(to);
        promises.sent(number, to, message);
        clocksHeard.sent(send.to(), message);
        Event.Received received = new Event.Received(id, message);
        network.send(number, to, () -> receiver.hear(received));
    }

    /** Null where it was retired meanwhile. */
    private @Nullable CellUpdate fromJournal(PartitionKey key, MutationId mutation) {
        MutationName name = new MutationName(key, mutation);
        CellUpdate update = disk.read(name);
        return update != null && plan.bug() == Bug.READ_FROM_THE_WRONG_PLACE ? disk.readNext(name) : update;
    }
}
