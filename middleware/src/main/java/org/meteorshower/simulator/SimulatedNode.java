/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Now;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.Recovery;
import org.meteorshower.protocol.SequentialReads;

/**
 * A node of the simulation: the protocol core, a store, a journal, a wrong clock. A crash loses the core and what was on
 * its way; the store and the journal stay.
 */
final class SimulatedNode {
    private record JournalKey(PartitionKey key, MutationId id) {}

    /** Hears what becomes of a client's request at this node. */
    interface Client {
        void answered(Effect effect);
    }

    static final UUID TABLE = new UUID(7, 7);
    /** What a perfect physical clock shows when simulated time is 0. */
    static final long EPOCH_MICROS = 1_000_000_000_000L;

    private static final long TICK_MICROS = 2_000;

    final int number;
    final NodeId id;
    final CellStore store = new CellStore();
    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final SimulationPlan plan;
    private final Placement placement;
    private final Network network;
    private final List<SimulatedNode> nodes;
    private final Oracle oracle;
    private final Set<NodeId> everyone;
    private final Trace trace;
    private final ArrayDeque<Runnable> held = new ArrayDeque<>();
    private final Map<JournalKey, Recovery.StampedUpdate> journal = new LinkedHashMap<>();
    private final List<Recovery.RecoveredTable> tables = new ArrayList<>();
    private final Set<NodeId> stale = new TreeSet<>();
    private final Map<Long, Client> clients = new HashMap<>();
    private long ceilingMicros;
    private long incarnation;
    private long clockOffsetMicros;
    private double clockRate;
    private @Nullable SequentialReads core;
    private int life;
    private long nextRequest = 1;
    private boolean paused;
    int leftBehindCount;
    long alarms;

    SimulatedNode(
            int number,
            Scheduler scheduler,
            SplittableRandom random,
            SimulationPlan plan,
            Placement placement,
            Set<NodeId> everyone,
            Network network,
            List<SimulatedNode> nodes,
            Oracle oracle,
            Trace trace) {
        this.number = number;
        this.id = NodeId.of(number);
        this.scheduler = scheduler;
        this.random = random;
        this.plan = plan;
        this.placement = placement;
        this.network = network;
        this.nodes = nodes;
        this.oracle = oracle;
        this.everyone = everyone;
        this.trace = trace;
        this.clockRate = 1 + plan.faults().clockDriftShare() * (2 * random.nextDouble() - 1);
        jumpClock();
    }

    void jumpClock() {
        clockOffsetMicros = (long) (plan.faults().clockOffsetMicros() * (2 * random.nextDouble() - 1));
    }

    Now now() {
        long trueMicros = scheduler.nowMicros();
        return new Now(EPOCH_MICROS + (long) (trueMicros * clockRate) + clockOffsetMicros, trueMicros * 1_000);
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

    boolean hasLeftBehind(NodeId peer) {
        return stale.contains(peer);
    }

    void start() {
        life++;
        incarnation++;
        if (plan.bug() == Bug.CEILING_LOST) {
            ceilingMicros = 0;
            clockOffsetMicros -= life > 1 ? 10_000_000 : 0;
        } else if (plan.bug() == Bug.JOURNAL_LOST) {
            journal.clear();
        }
        core = new SequentialReads(
                id,
                plan.settings(),
                placement,
                new Recovery(
                        incarnation,
                        ceilingMicros,
                        List.copyOf(journal.values()),
                        List.copyOf(tables),
                        List.copyOf(stale)));
        perform(new Event.PeersChanged(everyone));
        if (tables.isEmpty()) {
            perform(new Event.TableEnabled(TABLE, true));
        }
        tickOn(life);
    }

    private void tickOn(int inLife) {
        scheduler.after(TICK_MICROS, () -> {
            if (isUp() && life == inLife) {
                act(() -> {
                    perform(new Event.Tick());
                    tickOn(inLife);
                });
            }
        });
    }

    void crash() {
        core = null;
        life++;
        clients.clear();
        held.clear();
        paused = false;
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

    /** Runs an action after a delay, unless the node has crashed meanwhile. */
    private void later(long micros, Runnable action) {
        int inLife = life;
        scheduler.after(micros, () -> {
            if (isUp() && life == inLife) {
                act(action);
            }
        });
    }

    // --- clients -----------------------------------------------------------------------------------------------

    long open(Client client) {
        long request = nextRequest++;
        clients.put(request, client);
        return request;
    }

    void close(long request) {
        clients.remove(request);
    }

    // --- mutations ---------------------------------------------------------------------------------------------

    /** A mutation arrives, from a coordinator, a hint or a settling peer. */
    void mutate(CellUpdate update, @Nullable NodeId coordinator) {
        offer(update, coordinator, new Event.Intended(update, null, 0, 0));
    }

    private void offer(CellUpdate update, @Nullable NodeId coordinator, Event.Intended intended) {
        Effect answer = perform(intended);
        if (answer instanceof Effect.NeedHistory needed) {
            later(random.nextInt(100), () -> {
                var history = store.historyFor(update);
                later(
                        random.nextInt(100),
                        () -> offer(
                                update,
                                coordinator,
                                new Event.Intended(update, history, needed.asOfVersion(), intended.attempt() + 1)));
            });
        } else if (!(answer instanceof Effect.RefuseMutation)) {
            if (plan.bug() == Bug.APPLIED_TOO_EARLY) {
                perform(new Event.Applied(update.key(), update.id()));
            }
            later(random.nextInt(20) == 0 ? 5_000 : random.nextInt(300), () -> {
                store.apply(update);
                perform(new Event.Applied(update.key(), update.id()));
                if (coordinator != null) {
                    perform(new Event.Acknowledging(coordinator, update.key(), update.id()));
                }
            });
        }
    }

    // --- the interpreter ---------------------------------------------------------------------------------------

    @Nullable
    Effect perform(Event event) {
        SequentialReads running = core;
        if (running == null) {
            return null;
        }
        Effect answer = null;
        trace.step(scheduler.nowMicros(), number, event);
        for (Effect effect : running.step(event, now())) {
            trace.step(scheduler.nowMicros(), number, effect);
            answer = carryOut(effect, answer);
        }
        return answer;
    }

    private @Nullable Effect carryOut(Effect effect, @Nullable Effect answer) {
        if (effect instanceof Effect.Send send) {
            int to = (int) send.to().value().getLeastSignificantBits();
            Message message = plan.bug() == Bug.PROMISE_FORGED ? forged(send.message()) : send.message();
            SimulatedNode receiver = nodes.get(to);
            network.send(number, to, () -> receiver.act(() -> receiver.perform(new Event.Received(id, message))));
        } else if (effect instanceof Effect.JournalApplied applied) {
            oracle.stamped(number, (CellUpdate) applied.update(), applied.appliedMicros());
            journal.put(
                    new JournalKey(applied.update().key(), applied.update().id()),
                    new Recovery.StampedUpdate(applied.update(), applied.appliedMicros()));
        } else if (effect instanceof Effect.JournalRetired retired) {
            journal.remove(new JournalKey(retired.key(), retired.id()));
        } else if (effect instanceof Effect.PersistCeiling ceiling) {
            ceilingMicros = ceiling.ceilingMicros();
        } else if (effect instanceof Effect.JournalTable table) {
            tables.clear();
            tables.add(
                    new Recovery.RecoveredTable(table.table(), table.sinceMicros(), table.baseline(), table.ready()));
        } else if (effect instanceof Effect.JournalTableDropped) {
            tables.clear();
        } else if (effect instanceof Effect.JournalStale peer) {
            if (peer.stale()) {
                stale.add(peer.peer());
                leftBehindCount++;
            } else {
                stale.remove(peer.peer());
            }
        } else if (effect instanceof Effect.ApplyToStore apply) {
            later(random.nextInt(2_000), () -> mutate((CellUpdate) apply.update(), null));
        } else if (effect instanceof Effect.Alarm) {
            alarms++;
        } else if (effect instanceof Effect.Stamped
                || effect instanceof Effect.AlreadyApplied
                || effect instanceof Effect.NeedHistory
                || effect instanceof Effect.RefuseMutation) {
            return effect;
        } else {
            deliver(effect);
        }
        return answer;
    }

    private static Message forged(Message message) {
        return message instanceof Message.StatusMessage honest && honest.msgTsMicros() > 0
                ? new Message.StatusMessage(
                        honest.hlcMicros() + 20_000,
                        honest.stream(),
                        honest.seq(),
                        honest.msgTsMicros() + 20_000,
                        honest.payload(),
                        honest.redundant(),
                        honest.acknowledgedStream(),
                        honest.acknowledgedSeq(),
                        honest.echo())
                : message;
    }

    private void deliver(Effect effect) {
        if (effect instanceof Effect.ReadAt at) {
            tell(at.readId(), at);
        } else if (effect instanceof Effect.ReadConfirmed confirmed) {
            tell(confirmed.readId(), confirmed);
        } else if (effect instanceof Effect.ReadFailed failed) {
            tell(failed.readId(), failed);
        } else if (effect instanceof Effect.WriteStamped stamped) {
            tell(stamped.writeId(), stamped);
        } else if (effect instanceof Effect.WriteRefused refused) {
            tell(refused.writeId(), refused);
        } else if (effect instanceof Effect.WriteDone done) {
            tell(done.writeId(), done);
        }
    }

    /** The client hears of it in an event of its own, as a thread that waits would. */
    private void tell(long request, Effect effect) {
        Consumer<Client> tell = client -> client.answered(effect);
        later(0, () -> {
            Client client = clients.get(request);
            if (client != null) {
                tell.accept(client);
            }
        });
    }
}
