/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.atrest.PartitionsAtRest;
import org.meteorshower.driver.CoreDriver;
import org.meteorshower.driver.Entering;
import org.meteorshower.driver.Inbox;
import org.meteorshower.driver.JournalWriter;
import org.meteorshower.driver.MutationRefusedException;
import org.meteorshower.driver.Ports;
import org.meteorshower.driver.StoppedException;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Now;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.PlainReads;
import org.meteorshower.protocol.Recovery;
import org.meteorshower.protocol.SequentialReads;
import org.meteorshower.protocol.Update;

/**
 * A node of the simulation: the driver and the core of a real one, a store, a journal, a wrong clock. A crash loses the
 * core and what was on its way; the store and the journal stay.
 */
final class SimulatedNode {
    static final UUID TABLE = new UUID(7, 7);

    /** What peers brought and the store does not have yet; one more is dropped. */
    private static final int MOST_SETTLING = 500;

    /** Two elapsed clocks may differ by twice as much, and by a fiftieth at most. */
    private static final double MOST_OFF_RATE = 0.009;

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

    /** By the number of the request. */
    private final Map<Long, Runnable> awaited = new HashMap<>();

    private final NodeDisk disk = new NodeDisk();
    private final ClocksHeard clocksHeard = new ClocksHeard();
    private final Mistakes mistakes;
    private final Scheduler.Delay untilNextTick;
    private final Scheduler.Delay atOnce;
    final NodeChecks checks;
    private final World world;

    private @Nullable TableView table;
    private long clockOffsetMicros;
    private double clockRate;
    private final double elapsedRate;
    private @Nullable SimulatedDriver driver;
    private int life;
    private long nextRequest = 1;
    private boolean paused;
    private long frozenUntilMicros;
    private long frozenAtMicros;
    private long settlingUntilMicros;
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
        this.elapsedRate = plan.cluster().strictAtHome() ? 1 + MOST_OFF_RATE * (2 * random.nextDouble() - 1) : 1;
        this.world = new World();
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
        long wallMicros = trueMicros < frozenUntilMicros ? frozenAtMicros : wallMicros(trueMicros);
        return new Now(wallMicros, elapsedRate == 1 ? trueMicros * 1_000 : (long) (trueMicros * 1_000 * elapsedRate));
    }

    /** The physical clock is so much behind where it was, until it jumps again. */
    void setClockBack(long micros) {
        clockOffsetMicros -= micros;
    }

    /**
     * The latest physical clock that it has heard of, its own among them, as of now: what the age of an answer is
     * measured by.
     */
    long latestClockMicros(PartitionKey key) {
        SequentialReads running = core();
        long own = now().wallMicros();
        return running == null
                ? own
                : Math.max(
                        own,
                        clocksHeard.latestMicros(
                                table().placement().replicasOf(key).members(), scheduler.nowMicros()));
    }

    private long wallMicros(long trueMicros) {
        return EPOCH_MICROS + (long) (trueMicros * clockRate) + clockOffsetMicros;
    }

    boolean isUp() {
        return driver != null;
    }

    @Nullable
    SequentialReads core() {
        SimulatedDriver running = driver;
        return running == null ? null : running.core();
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
            disk.settleMoved(table().forgetsInTheCommitLog() ? List.of() : table().names(), store);
        }
        Recovery recovery = disk.recovery();
        clocksHeard.begin(recovery.incarnation());
        SequentialReads begun =
                new SequentialReads(id, plan.settings(), new BucketedPlacement(table().placement()), recovery);
        SimulatedDriver driven = new SimulatedDriver(
                begun, world, plan.bug(), effect -> trace.step(scheduler.nowMicros(), number, effect));
        driven.listenToSteps(this::stepped);
        driver = driven;
        trace.started(number, begun.view());
        checks.begin(table().placement(), plan.settings(), begun.view().hybridClockMicros());
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
        SequentialReads dying = core();
        disk.foreignData |= dying != null && table().names().stream().anyMatch(dying.view()::hasForeignData);
        driver = null;
        checks.end();
        if (plan.bug() == Bug.APPLIED_LOST_IN_CRASH) {
            disk.loseTheTail();
        }
        if (plan.bug() == Bug.SPILL_LOST && dying != null) {
            disk.loseWhatIsOlder(dying.view().hybridClockMicros() - 1_000_000);
        }
        store.crash(name -> disk.holds(name) && (plan.bug() == Bug.APPLIED_LOST_IN_CRASH || random.nextBoolean()));
        life++;
        settlingUntilMicros = 0;
        held.clear();
        awaited.clear();
        paused = false;
    }

    /** Dies in the middle of a step that stamps something, some of its effects carried out and others not. */
    void crashWithinAStep(int effects, Runnable then) {
        SimulatedDriver running = driver;
        if (running != null) {
            running.dieWithinAStep(effects);
            afterCrash = then;
        }
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
        received.message().receipts().forEach(this::answered);
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

    /** Whether reads of the partition are for others, although this is a replica. */
    boolean lacks(PartitionKey key) {
        SequentialReads running = core();
        PartitionKey named = table().readKeyOf(key);
        return running == null
                || (named != null
                        && running.view()
                                .lacksData(named.table(), table().placement().replicasOf(named)));
    }

    /** Which reads of the partition here are Cassandra's own. */
    PlainReads plainReads(PartitionKey named) {
        SequentialReads running = core();
        return running == null ? PlainReads.NONE : running.view().plainReads(named.table());
    }

    /** What a read can do here that takes no step; null where it takes one. */
    PartitionsAtRest.@Nullable Offer offer(PartitionKey key, long tokenMicros, boolean strict) {
        SimulatedDriver running = driver;
        return running == null
                ? null
                : running.atRest()
                        .offer(key, table().placement().replicasOf(key), tokenMicros, strict, now().elapsedNanos());
    }

    /** Whether what the store said since is the answer. */
    boolean stands(PartitionsAtRest.Offer offer) {
        SimulatedDriver running = driver;
        return (running != null && running.atRest().stands(offer, now().elapsedNanos()))
                || plan.bug() == Bug.REST_NOT_CONFIRMED;
    }

    // --- clients -----------------------------------------------------------------------------------------------

    /** For a request; no other one of this node has the same. */
    long nextRequest() {
        return nextRequest++;
    }

    /** @param reader hears of each answer in an event of its own, as a thread that waits would */
    void read(Event.ReadStarted question, Effect.ReadAnswer.Handler reader) {
        drive(running -> running.read(question, new Later<>(answer -> answer.handOver(reader))));
    }

    /** The same of a partition, at a scan's cut. */
    void read(Event.PinnedReadStarted question, Effect.ReadAnswer.Handler reader) {
        drive(running -> running.read(question, new Later<>(answer -> answer.handOver(reader))));
    }

    /** The same of many partitions. {@link #endRead} must follow. */
    void scan(Event.ScanStarted question, Effect.ReadAnswer.Handler scanner) {
        drive(running -> running.scan(question, new Later<>(answer -> answer.handOver(scanner))));
    }

    /** The same for a write. */
    void write(Event.WriteStarted question, Effect.WriteAnswer.Handler writer) {
        drive(running -> running.write(question, new Later<>(answer -> answer.handOver(writer))));
    }

    void endRead(long request) {
        drive(running -> running.endRead(request));
    }

    void endWrite(long request) {
        drive(running -> running.endWrite(request));
    }

    private final class Later<A> implements Inbox<A> {
        private final Consumer<A> reader;

        Later(Consumer<A> reader) {
            this.reader = reader;
        }

        @Override
        public void put(A answer) {
            atOnce.then(inThisLife(() -> reader.accept(answer)));
        }

        /** The node dies with it. */
        @Override
        public void stop(RuntimeException cause) {}
    }

    // --- mutations ---------------------------------------------------------------------------------------------

    /** A mutation arrives that no client waits for, from a hint or a settling peer. */
    void mutate(CellUpdate update) {
        mutate(update, Sent.by(null));
    }

    /** A mutation arrives. */
    void mutate(CellUpdate update, Sent sent) {
        table().admit(update, admitted -> {
            Entering entering = new Entering(admitted);
            if (plan.bug() == Bug.STAMPED_AFTER_APPLIED) {
                store.apply(admitted);
                later(diskMicros(), () -> offer(entering, sent));
            } else {
                foresee(entering, () -> offer(entering, sent));
            }
        });
    }

    /** In half of the plans. Others' steps come between the look at the store and the mutation. */
    private void foresee(Entering entering, Runnable next) {
        CellUpdate update = (CellUpdate) entering.update();
        SimulatedDriver running = driver;
        PartitionsAtRest.Stillness still = running == null || plan.seed() % 4 % 3 == 0
                ? null
                : running.atRest().stillness(update.key());
        if (still == null) {
            next.run();
        } else {
            later(random.nextInt(100), () -> {
                entering.foresee(still, store.historyFor(update));
                later(random.nextInt(100), next);
            });
        }
    }

    private void offer(Entering entering, Sent sent) {
        drive(running -> running.offer(entering));
        CellUpdate update = (CellUpdate) entering.update();
        if (!isUp()) {
            enter(update, false, sent); // it has died of it: what is begun here comes to nothing
            return;
        }
        if (!entering.isDecided()) {
            later(random.nextInt(100), () -> {
                entering.bring(store.historyFor(update));
                later(random.nextInt(100), () -> offer(entering, sent));
            });
            return;
        }
        try {
            enter(update, entering.isStamped(), sent);
        } catch (MutationRefusedException e) {
            table().out();
        }
    }

    private void enter(CellUpdate update, boolean journaled, Sent sent) {
        if (plan.bug() == Bug.APPLIED_TOO_EARLY) {
            perform(new Event.Applied(update.key(), update.id()));
        } else if (plan.bug() == Bug.RECEIPT_BEFORE_STORED) {
            perform(new Event.Acknowledging(sent.coordinator(), update.key(), update.id(), sent.receipt()));
        }
        later(diskMicros(), () -> {
            // Where the table was given up meanwhile the commit log alone keeps it.
            if (journaled && (!plan.isSwitched() || disk.holds(MutationName.of(update)))) {
                store.applyJournaled(update);
            } else {
                store.apply(update);
            }
            applied(update, sent);
            table().out();
        });
    }

    private void applied(CellUpdate update, Sent sent) {
        NodeId coordinator = sent.coordinator();
        if (coordinator == null) {
            perform(new Event.Applied(update.key(), update.id()));
        } else {
            drive(running -> running.applied(update.key(), update.id(), coordinator, sent.receipt()));
        }
        sent.answer().run();
    }

    /**
     * Awaits that another node has carried out a request.
     *
     * @return its number
     */
    long awaitAnswer(Runnable answered) {
        long receipt = nextRequest();
        awaited.put(receipt, answered);
        return receipt;
    }

    /** Each counts once, however often it comes. */
    private void answered(long receipt) {
        Runnable waiting = awaited.remove(receipt);
        if (waiting != null) {
            waiting.run();
        }
    }

    /** The journal takes nothing new for a while. */
    void fillDisk(long micros) {
        disk.fill(scheduler.nowMicros() + micros);
    }

    private long diskMicros() {
        long slowest = plan.faults().diskMicros();
        return random.nextInt(20) == 0 ? Math.max(5_000, slowest) : random.nextLong(Math.max(1, slowest));
    }

    /** A line for whoever reads the run. */
    void note(Supplier<String> what) {
        trace.note(scheduler.nowMicros(), () -> "n" + number + " " + what.get());
    }

    // --- the driver --------------------------------------------------------------------------------------------

    /** Tells the core of an event; does nothing where the node is down. */
    void perform(Event event) {
        drive(running -> running.tell(event));
    }

    /** Nothing becomes of it where the node is down, or dies with it. */
    private void drive(Consumer<CoreDriver> use) {
        SimulatedDriver running = driver;
        if (running == null) {
            return;
        }
        try {
            use.accept(running);
        } catch (StoppedException e) {
            if (!(e.getCause() instanceof SimulatedDriver.Death)) {
                throw e;
            }
            crash();
            afterCrash.run();
        }
    }

    private void stepped(Event event, List<Effect> effects, Now now) {
        trace.step(scheduler.nowMicros(), number, event);
        SequentialReads running = core();
        if (running != null) {
            trace.stepped(number, event, running.view());
        }
        checks.stepped(event, effects, now);
    }

    /** What the driver carries effects out with: at once, or by what is planned for later. */
    private final class World implements Ports {
        private final JournalWriter journal =
                new SimulatedJournal(SimulatedNode.this, disk, scheduler, oracle, promises);

        @Override
        public Now now() {
            return SimulatedNode.this.now();
        }

        @Override
        public JournalWriter journal() {
            return journal;
        }

        @Override
        public void send(NodeId peer, Message honest) {
            if (WriteOperation.isCarrier(peer)) {
                return; // it waits for the word of the node that gave the timestamp, and of nobody else
            }
            int to = numberOf(peer);
            Message message = mistakes.sent(honest);
            SimulatedNode receiver = nodes.get(to);
            promises.sent(number, to, message);
            clocksHeard.sent(peer, message);
            Event.Received received = new Event.Received(id, message);
            network.send(number, to, () -> receiver.hear(received));
        }

        @Override
        public void receiptReturned(NodeId coordinator, long receipt) {
            int to = numberOf(coordinator);
            network.send(number, to, () -> nodes.get(to).answered(receipt));
        }

        @Override
        public void apply(Update update) {
            Runnable applying = () -> mutate(mistakes.settled((CellUpdate) update, now().wallMicros()));
            long eachMicros = plan.faults().special().settleMicros();
            if (eachMicros == 0) {
                later(random.nextInt(2_000), applying);
            } else {
                applyInTurn(eachMicros, applying);
            }
        }

        /** One after the other; what does not fit is dropped, and offered again. */
        private void applyInTurn(long eachMicros, Runnable applying) {
            long now = scheduler.nowMicros();
            if (settlingUntilMicros - now > MOST_SETTLING * eachMicros) {
                return;
            }
            settlingUntilMicros = Math.max(now, settlingUntilMicros) + eachMicros;
            later(settlingUntilMicros - now, applying);
        }

        /** Small values are read in no time. */
        @Override
        public void readBack(PartitionKey key, MutationId mutation, Consumer<Update> then) {
            if (plan.hasSizes()) {
                later(random.nextInt(2_000), () -> readNow(key, mutation, then));
            } else {
                readNow(key, mutation, then);
            }
        }

        private void readNow(PartitionKey key, MutationId mutation, Consumer<Update> then) {
            MutationName name = new MutationName(key, mutation);
            CellUpdate update = disk.read(name);
            if (update != null) {
                then.accept(plan.bug() == Bug.READ_FROM_THE_WRONG_PLACE ? disk.readNext(name) : update);
            }
        }

        @Override
        public void fill(long order, List<NodeId> sources) {
            new Filling(SimulatedNode.this, random, plan, network, order, sources).begin();
        }

        /** Heard by operators, who look by themselves here. */
        @Override
        public void alarm(Effect.Alarm alarm) {}

        /** Ticks come at all times here. */
        @Override
        public void wakeTimer() {}

        /** Told to whoever brought the event. */
        @Override
        public void stopped(RuntimeException cause) {}
    }
}
