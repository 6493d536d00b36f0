/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.driver.CoreDriver;
import org.meteorshower.driver.Entering;
import org.meteorshower.driver.Inbox;
import org.meteorshower.driver.JournalWriter;
import org.meteorshower.driver.MutationRefusedException;
import org.meteorshower.driver.Ports;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Now;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.SequentialReads;
import org.meteorshower.protocol.Update;
import org.meteorshower.simulator.Bug;
import org.meteorshower.simulator.Cell;
import org.meteorshower.simulator.CellUpdate;
import org.meteorshower.simulator.Trace;

/**
 * One node: the protocol core as it is, with a store, a journal and a clock that moves with its timer only.
 * Deterministic, and touched by nothing but its steps: the same steps make the same node.
 */
final class LocalNode {
    static final int NODES = 3;

    /** What a perfect physical clock shows before the timer has fired. */
    static final long EPOCH_MICROS = 1_000_000_000_000L;

    private static final UUID TABLE = new UUID(7, 7);
    private static final ReplicaGroup REPLICAS = ReplicaGroup.majority(NodeId.of(0), NodeId.of(1), NodeId.of(2));
    private static final Placement PLACEMENT = key -> REPLICAS;

    /** How far the nodes' physical clocks are off. */
    private static final long[] OFFSET_MICROS = {0, 3_000, -4_000};

    /** How far a node's physical clock goes back with each of its crashes. */
    private static final long SET_BACK_MICROS = 20_000;

    /** More than any step takes whose node does not feed on its own work. */
    private static final int MOST_TASKS = 1_000;

    private final int number;
    private final Scenario scenario;
    private final Pools pools;
    private final Trace trace;
    private final Disk disk = new Disk();
    private final Witness witness = new Witness();
    private final List<Task> tasks = new ArrayList<>();
    private final World world = new World();
    private final ReadAnswers readAnswers = new ReadAnswers();
    private final WriteAnswers writeAnswers = new WriteAnswers();
    private @Nullable TracedDriver driver;
    private int ticks;
    private long setBackMicros;

    /** Whether the read that was told of last was confirmed. */
    private boolean confirmed;

    private List<Output> outputs = new ArrayList<>();

    /** Whether nobody listens, since what this step sends is known. */
    private boolean repeats;

    /** What was told in this step, by peer. */
    private final Map<Integer, List<Integer>> told = new TreeMap<>();

    LocalNode(int number, Scenario scenario, Pools pools, Trace trace) {
        this.number = number;
        this.scenario = scenario;
        this.pools = pools;
        this.trace = trace;
    }

    /** All that what this node does later depends on. */
    Fingerprint fingerprint() {
        return Digest.of(driver == null ? null : driver.core(), disk, witness, tasks, ticks, setBackMicros);
    }

    int ticks() {
        return ticks;
    }

    /** The names of the tasks that the node can go on with. */
    List<String> tasks() {
        return tasks.stream().map(Task::name).toList();
    }

    Witness witness() {
        return witness;
    }

    /** Takes one step, and tells what others see of it. */
    List<Output> step(Step step) {
        return step(step, false);
    }

    /** Takes a step again that another node like this one has taken before. */
    void again(Step step) {
        step(step, true);
    }

    private List<Output> step(Step step, boolean isRepetition) {
        repeats = isRepetition;
        outputs = new ArrayList<>();
        try {
            take(step);
            for (int done = 0; goOnAtOnce(); done++) {
                if (done > MOST_TASKS) {
                    throw new IllegalStateException("one step made " + MOST_TASKS + " others");
                }
            }
        } catch (RuntimeException e) {
            outputs.add(new Output.Broken("n" + number + " threw " + e));
        }
        told.forEach((to, messages) ->
                outputs.add(new Output.Told(to, pools.batches().number(List.copyOf(messages)))));
        told.clear();
        tasks.sort(Comparator.comparing(Task::name));
        return outputs;
    }

    private void take(Step step) {
        if (step instanceof Step.Start) {
            start();
        } else if (step instanceof Step.Tick) {
            ticks++;
            perform(new Event.Tick());
        } else if (step instanceof Step.Hear hear) {
            for (int message : pools.batches().get(hear.batch())) {
                perform(new Event.Received(
                        NodeId.of(hear.from()), pools.messages().get(message)));
            }
        } else if (step instanceof Step.Take take) {
            Parcel parcel = pools.parcels().get(take.parcel());
            offer(parcel.update(), NodeId.of(parcel.coordinator()));
        } else if (step instanceof Step.GoOn goOn) {
            goOn(tasks.remove(goOn.task()));
        } else if (step instanceof Step.Begin begin) {
            begin(begin);
        } else if (step instanceof Step.Crash) {
            tasks.clear();
            setBackMicros += SET_BACK_MICROS;
            if (scenario.bug() == Bug.JOURNAL_LOST) {
                disk.loseJournal();
            } else if (scenario.bug() == Bug.CEILING_LOST) {
                disk.loseCeiling();
            }
            start();
        }
    }

    private void start() {
        TracedDriver begun = new TracedDriver(
                new SequentialReads(NodeId.of(number), scenario.settings(), PLACEMENT, disk.recovery()));
        begun.listenToSteps((event, effects, now) -> trace.step(elapsedMicros(), number, event));
        driver = begun;
        Set<NodeId> everyone = new LinkedHashSet<>(REPLICAS.members());
        perform(new Event.PeersChanged(everyone));
        if (disk.isNew()) {
            perform(new Event.TableEnabled(TABLE, true));
        }
    }

    private void begin(Step.Begin begin) {
        Op op = scenario.sessions().get(begin.session()).get(begin.operation());
        PartitionKey key = key(op.partition());
        if (op.isWrite()) {
            driver().write(
                            new Event.WriteStarted(request(begin), List.of(key), begin.tokenMicros(), false),
                            (Answers<Effect.WriteAnswer>) answer -> answer.handOver(writeAnswers));
        } else {
            long token = scenario.bug() == Bug.READ_WITHOUT_TOKEN ? 0 : begin.tokenMicros();
            driver().read(
                            new Event.ReadStarted(
                                    request(begin),
                                    key,
                                    CellUpdate.rowHash(op.row()),
                                    token,
                                    ReadMode.SEQUENTIAL,
                                    Long.MAX_VALUE),
                            (Answers<Effect.ReadAnswer>) answer -> answer.handOver(readAnswers));
        }
    }

    private static PartitionKey key(int partition) {
        return new PartitionKey(TABLE, new byte[] {0, (byte) partition});
    }

    // A request's number says whose it is.

    private static long request(Step.Begin begin) {
        return 100L * begin.session() + begin.operation();
    }

    private static int session(long request) {
        return (int) (request / 100);
    }

    private Op op(long request) {
        return scenario.sessions().get(session(request)).get((int) (request % 100));
    }

    // --- tasks -------------------------------------------------------------------------------------------------

    private void offer(CellUpdate update, @Nullable NodeId coordinator) {
        if (scenario.bug() == Bug.STAMPED_AFTER_APPLIED) {
            disk.store.apply(update);
        }
        tasks.add(new Task.Offer(new Entering(update), coordinator));
    }

    /** Goes on with a task that takes no time; false where there is none. */
    private boolean goOnAtOnce() {
        for (int i = 0; i < tasks.size(); i++) {
            if (!takesTime(tasks.get(i))) {
                goOn(tasks.remove(i));
                return true;
            }
        }
        return false;
    }

    private boolean takesTime(Task task) {
        if (task instanceof Task.Apply) {
            return scenario.fine().contains(Scenario.Fine.APPLY);
        } else if (task instanceof Task.ReadStore) {
            return scenario.fine().contains(Scenario.Fine.READ);
        }
        return task instanceof Task.Offer offer
                && (offer.entering().attempt() > 0 || scenario.bug() == Bug.STAMPED_AFTER_APPLIED)
                && scenario.fine().contains(Scenario.Fine.HISTORY);
    }

    private void goOn(Task task) {
        if (task instanceof Task.Offer offer) {
            offered(offer);
        } else if (task instanceof Task.Apply apply) {
            CellUpdate update = apply.update();
            disk.store.apply(update);
            perform(new Event.Applied(update.key(), update.id()));
            if (apply.coordinator() != null) {
                perform(new Event.Acknowledging(apply.coordinator(), update.key(), update.id()));
            }
        } else if (task instanceof Task.ReadStore read) {
            Effect.ReadAt at = read.at();
            Output.Read answer = read(at);
            if (at.confirm() && scenario.bug() != Bug.READ_UNCONFIRMED) {
                confirmed = false;
                perform(new Event.StoreRead(at.readId()));
                if (!confirmed) {
                    return; // it waits, or has been offered another cut
                }
            }
            outputs.add(answer);
        }
    }

    private Output.Read read(Effect.ReadAt at) {
        Op op = op(at.readId());
        Effect.Overlay overlay = scenario.bug() == Bug.OVERLAY_IGNORED ? null : at.overlay();
        Map<Integer, Cell> content = disk.store.read(key(op.partition()), op.row(), op.row(), overlay);
        return new Output.Read(session(at.readId()), at.info().cutMicros(), new TreeMap<>(content));
    }

    private void offered(Task.Offer offer) {
        Entering entering = offer.entering();
        CellUpdate update = (CellUpdate) entering.update();
        driver().offer(entering);
        if (!entering.isDecided()) {
            entering.bring(disk.store.historyFor(update));
            tasks.add(offer);
        } else if (isTaken(entering)) {
            if (scenario.bug() == Bug.APPLIED_TOO_EARLY) {
                perform(new Event.Applied(update.key(), update.id()));
            }
            tasks.add(new Task.Apply(update, offer.coordinator()));
        }
    }

    private static boolean isTaken(Entering entering) {
        try {
            var unused = entering.isStamped();
            return true;
        } catch (MutationRefusedException e) {
            return false;
        }
    }

    // --- the driver --------------------------------------------------------------------------------------------

    private TracedDriver driver() {
        TracedDriver running = driver;
        if (running == null) {
            throw new IllegalStateException("not started");
        }
        return running;
    }

    private void perform(Event event) {
        driver().tell(event);
    }

    private long elapsedMicros() {
        return ticks * Scenario.TICK_MICROS;
    }

    private final class TracedDriver extends CoreDriver {
        TracedDriver(SequentialReads core) {
            super(core, world);
        }

        @Override
        protected void carryOut(Effect effect) {
            trace.step(elapsedMicros(), number, effect);
            if (effect instanceof Effect.JournalApplied applied) {
                String broken = witness.stamped((CellUpdate) applied.update(), applied.appliedMicros());
                if (broken != null) {
                    outputs.add(new Output.Broken("n" + number + " " + broken));
                }
            }
            super.carryOut(effect);
        }
    }

    /** A node that has stopped is broken, and that is told elsewhere. */
    @FunctionalInterface
    private interface Answers<A> extends Inbox<A> {
        @Override
        default void stop(RuntimeException cause) {}
    }

    private final class World implements Ports {
        @Override
        public Now now() {
            long micros = elapsedMicros();
            return new Now(EPOCH_MICROS + OFFSET_MICROS[number] - setBackMicros + micros, 1_000 * micros);
        }

        @Override
        public JournalWriter journal() {
            return disk;
        }

        @Override
        public void send(NodeId to, Message message) {
            witness.told(to, message);
            if (!repeats) {
                told.computeIfAbsent(numberOf(to), peer -> new ArrayList<>())
                        .add(pools.messages().number(message));
            }
        }

        @Override
        public void receiptReturned(NodeId coordinator, long receipt) {
            throw new IllegalStateException("no receipts are given in a small scope");
        }

        @Override
        public void apply(Update update) {
            offer((CellUpdate) update, null);
        }

        @Override
        public void readBack(PartitionKey key, MutationId id, Consumer<Update> then) {
            then.accept(disk.read(key, id));
        }

        @Override
        public void fill(long number, List<NodeId> sources) {
            throw new IllegalStateException("nobody is left behind in a small scope");
        }

        // No operator listens, and ticks come at all times.

        @Override
        public void alarm(Effect.Alarm alarm) {}

        @Override
        public void wakeTimer() {}

        @Override
        public void stopped(RuntimeException cause) {}
    }

    private final class ReadAnswers implements Effect.ReadAnswer.Handler {
        @Override
        public void on(Effect.ReadAt at) {
            tasks.add(new Task.ReadStore(session(at.readId()), at));
        }

        @Override
        public void on(Effect.ReadConfirmed answer) {
            confirmed = true;
        }

        @Override
        public void on(Effect.ReadFailed failed) {
            outputs.add(new Output.Refused(session(failed.readId())));
        }

        @Override
        public void on(Effect.ScanLowered lowered) {
            throw new IllegalStateException("nobody scans here");
        }

        @Override
        public void on(Effect.ScanStirred stirred) {
            throw new IllegalStateException("nobody scans here");
        }
    }

    private final class WriteAnswers implements Effect.WriteAnswer.Handler {
        @Override
        public void on(Effect.WriteStamped stamped) {
            stamped(stamped);
        }

        @Override
        public void on(Effect.WriteDone done) {
            outputs.add(new Output.Written(session(done.writeId()), done.tokenMicros()));
        }

        @Override
        public void on(Effect.WriteRefused refused) {
            outputs.add(new Output.Refused(session(refused.writeId())));
        }

        @Override
        public void on(Effect.WriteLost lost) {
            throw new IllegalStateException("no table is disabled in a small scope: " + lost);
        }
    }

    private void stamped(Effect.WriteStamped stamped) {
        Op op = op(stamped.writeId());
        Map<Integer, Cell> cells = new LinkedHashMap<>();
        op.write().forEach((cell, value) -> cells.put(cell, new Cell(stamped.timestampMicros(), value)));
        CellUpdate update = new CellUpdate(key(op.partition()), cells);
        outputs.add(new Output.Stamped(session(stamped.writeId()), stamped.timestampMicros()));
        for (int replica = 0; replica < NODES; replica++) {
            if (replica == number) {
                offer(update, NodeId.of(number));
            } else if (!repeats) {
                outputs.add(new Output.Shipped(replica, pools.parcels().number(new Parcel(update, number))));
            }
        }
    }

    private static int numberOf(NodeId node) {
        return (int) node.value().getLeastSignificantBits();
    }
}
