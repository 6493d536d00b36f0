/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A node of a {@link ScriptedCluster}: the protocol core with a store, a journal and clients in memory. What the core
 * asks of them is done at once, unless the test does it by hand.
 */
final class ScriptedNode {
    /** A write that this node coordinates: its timestamp, and the token once it is acknowledged. */
    static final class Write {
        final ScriptedNode coordinator;
        final long id;
        Put put;
        Effect.WriteRefused refused;
        Long tokenMicros;

        Write(ScriptedNode coordinator, long id) {
            this.coordinator = coordinator;
            this.id = id;
        }

        Put put() {
            return put;
        }

        long timestampMicros() {
            return put.id().timestampMicros();
        }

        boolean isDone() {
            return tokenMicros != null;
        }
    }

    /** A read at this node: answered, failed, or still waiting. */
    static final class Reading {
        final long id;
        private final int row;
        Effect.ReadAt offer;
        Effect.ReadFailed failed;
        String value;
        boolean byHand;

        Reading(long id, int row) {
            this.id = id;
            this.row = row;
        }

        boolean waits() {
            return value == null && failed == null;
        }

        long cutMicros() {
            return offer.info().cutMicros();
        }

        Served served() {
            return offer.info().served();
        }
    }

    final NodeId id;
    final ScriptedCluster cluster;
    Settings settings;
    private final Map<Message.RetiredMutation, Recovery.StampedUpdate> journal = new LinkedHashMap<>();
    private final List<Recovery.RecoveredTable> tables = new ArrayList<>();
    private final Set<NodeId> stale = new LinkedHashSet<>();

    /** Those that it has promised to wait for again; it may be said once more that they are left behind. */
    private final Set<NodeId> promised = new LinkedHashSet<>();

    private final Map<Long, Reading> readings = new HashMap<>();
    private final Map<Long, Write> writes = new HashMap<>();
    final List<Effect> effects = new ArrayList<>();
    Rows store = new Rows();
    long clockAheadMicros;
    long ceilingMicros;
    private long incarnation = 1;
    /** By what name its store's mutations come, where that is not the one that they are asked for by. */
    UUID tableName;

    /** What the core wants in the store is stamped at once, and gets there when the test says so. */
    boolean storeIsSlow;

    private final ArrayDeque<Put> toApply = new ArrayDeque<>();
    private long nextId = 1;
    private SequentialReads core;

    ScriptedNode(NodeId id, ScriptedCluster cluster, Settings settings) {
        this.id = id;
        this.cluster = cluster;
        this.settings = settings;
    }

    // --- life --------------------------------------------------------------------------------------------------

    void start(Recovery recovery) {
        core = new SequentialReads(id, settings, cluster.placement(), recovery);
        step(new Event.PeersChanged(new LinkedHashSet<>(cluster.group().members())));
    }

    void crash() {
        core = null;
        promised.clear();
        readings.clear();
        writes.clear();
    }

    void restart() {
        start(new Recovery(
                ++incarnation, ceilingMicros, List.copyOf(journal.values()), List.copyOf(tables), List.copyOf(stale)));
    }

    boolean isUp() {
        return core != null;
    }

    SequentialReads core() {
        return core;
    }

    Set<Message.RetiredMutation> journaled() {
        return journal.keySet();
    }

    // --- steps -------------------------------------------------------------------------------------------------

    long wallMicros() {
        return cluster.nowMicros + clockAheadMicros;
    }

    Now now() {
        return new Now(wallMicros(), cluster.nowNanos());
    }

    List<Effect> step(Event event) {
        if (cluster.transcript != null) {
            cluster.transcript.event(this, event);
        }
        List<Effect> step = core.step(event, now());
        effects.addAll(step);
        for (Effect effect : step) {
            if (cluster.transcript != null) {
                cluster.transcript.effect(this, effect);
            }
            carryOut(effect);
        }
        while (!toApply.isEmpty()) {
            Put wanted = toApply.removeFirst();
            Put put = tableName == null ? wanted : wanted.named(tableName);
            if (storeIsSlow) {
                stamp(put);
            } else {
                apply(put);
            }
        }
        return step;
    }

    List<Effect> receive(NodeId from, Message message) {
        return step(new Event.Received(from, message));
    }

    private void carryOut(Effect effect) {
        if (effect instanceof Effect.Send send) {
            if (send.message() instanceof Message.Awaited) {
                promised.add(send.to());
            }
            cluster.post(id, send.to(), send.message());
        } else if (effect instanceof Effect.JournalApplied applied) {
            journal.put(
                    new Message.RetiredMutation(
                            applied.update().key(), applied.update().id()),
                    new Recovery.StampedUpdate(applied.update(), applied.appliedMicros()));
        } else if (effect instanceof Effect.JournalRetired retired) {
            journal.remove(new Message.RetiredMutation(retired.key(), retired.id()));
        } else if (effect instanceof Effect.PersistCeiling ceiling) {
            ceilingMicros = ceiling.ceilingMicros();
        } else if (effect instanceof Effect.JournalTable table) {
            tables.clear();
            tables.add(new Recovery.RecoveredTable(
                    table.table(), table.sinceMicros(), table.baseline(), table.ready(), table.live()));
        } else if (effect instanceof Effect.JournalTableDropped) {
            tables.clear();
        } else if (effect instanceof Effect.JournalStale peer) {
            boolean givenUpAgain = peer.stale() && promised.remove(peer.peer());
            boolean changed = peer.stale() ? stale.add(peer.peer()) : stale.remove(peer.peer());
            if (!changed && !givenUpAgain) {
                throw new IllegalStateException("the journal heard nothing new: " + peer);
            }
        } else if (effect instanceof Effect.ApplyToStore apply) {
            toApply.addLast((Put) apply.update());
        } else if (effect instanceof Effect.ApplyFromJournal apply) {
            toApply.addLast((Put) fromJournal(apply.key(), apply.id()));
        } else if (effect instanceof Effect.SettleFromJournal settle) {
            cluster.post(
                    id, settle.to(), new Message.Settle(settle.hlcMicros(), fromJournal(settle.key(), settle.id())));
        } else if (effect instanceof Effect.WriteDone done) {
            writes.get(done.writeId()).tokenMicros = done.tokenMicros();
        } else {
            answerRead(effect);
        }
    }

    private Update fromJournal(PartitionKey key, MutationId mutation) {
        return journal.get(new Message.RetiredMutation(key, mutation)).update();
    }

    private void answerRead(Effect effect) {
        if (effect instanceof Effect.ReadFailed failed && readings.get(failed.readId()) != null) {
            readings.get(failed.readId()).failed = failed;
        } else if (effect instanceof Effect.ReadAt at && readings.get(at.readId()) != null) {
            Reading reading = readings.get(at.readId());
            reading.offer = at;
            if (!reading.byHand) {
                finish(reading);
            }
        }
    }

    // --- mutations ---------------------------------------------------------------------------------------------

    /** Begins a write of row 1 here; the mutation goes nowhere by itself. */
    Write write(String value, long tokenMicros) {
        return write(Map.of("1.v", value), tokenMicros, false);
    }

    Write write(Map<String, String> cells, long tokenMicros, boolean strict) {
        return write(null, cells, tokenMicros, strict);
    }

    /** By another name of the table. */
    Write write(PartitionKey key, String value) {
        return write(key, null, Map.of("1.v", value), 0, false);
    }

    /** @param carrier another node, which sends the mutation to the replicas; null for this one */
    Write write(@Nullable NodeId carrier, Map<String, String> cells, long tokenMicros, boolean strict) {
        return write(Put.KEY, carrier, cells, tokenMicros, strict);
    }

    private Write write(
            PartitionKey key, @Nullable NodeId carrier, Map<String, String> cells, long tokenMicros, boolean strict) {
        Write write = new Write(this, nextId++);
        writes.put(write.id, write);
        for (Effect effect : step(new Event.WriteStarted(write.id, List.of(key), tokenMicros, strict, carrier))) {
            if (effect instanceof Effect.WriteStamped stamped) {
                write.put = Put.of(key, stamped.timestampMicros(), cells);
            } else if (effect instanceof Effect.WriteRefused refused) {
                write.refused = refused;
            }
        }
        return write;
    }

    /**
     * The whole way into the store: stamped, applied, announced. Returns the stamp, or null if there was nothing to
     * stamp.
     */
    Long apply(Put put) {
        Long stamp = stamp(put);
        land(put);
        return stamp;
    }

    /** Only stamps the mutation: the store does not have it yet. */
    Long stamp(Put put) {
        Event.Intended intended = new Event.Intended(put, null, 0, 0);
        for (int attempt = 1; attempt < 10; attempt++) {
            for (Effect effect : step(intended)) {
                if (effect instanceof Effect.Stamped stamped) {
                    return stamped.appliedMicros();
                } else if (effect instanceof Effect.AlreadyApplied
                        || effect instanceof Effect.RefuseMutation
                        || effect instanceof Effect.NoRoom) {
                    return null;
                } else if (effect instanceof Effect.NeedHistory needed) {
                    intended = new Event.Intended(put, store.only(put.rows()), needed.asOfVersion(), attempt);
                }
            }
        }
        throw new IllegalStateException("the core asks for history again and again");
    }

    /** A stamped mutation reaches the store. */
    void land(Put put) {
        store.apply(put);
        step(new Event.Applied(put.key(), put.id()));
        step(new Event.Acknowledging(null, put.key(), put.id())); // it may be a write of this coordinator's
    }

    /** As {@link #apply}, of a mutation that a node which holds no replica has sent. */
    void applyFrom(NodeId sender, Put put) {
        stamp(put);
        store.apply(put);
        step(new Event.Applied(put.key(), put.id()));
        step(new Event.Acknowledging(sender, put.key(), put.id()));
    }

    void acknowledge(Write write) {
        step(new Event.Acknowledging(write.coordinator.id, write.put.key(), write.put.id()));
    }

    /** @return whether no status message will carry the receipt */
    boolean isReturned(Write write, long receipt) {
        return step(new Event.Acknowledging(write.coordinator.id, write.put.key(), write.put.id(), receipt))
                .contains(new Effect.ReceiptReturned(write.coordinator.id, receipt));
    }

    // --- reads -------------------------------------------------------------------------------------------------

    /** Reads row 1 with a deadline two seconds away. */
    Reading read(long tokenMicros) {
        return read(1, tokenMicros, ReadMode.SEQUENTIAL);
    }

    Reading read(ReadMode mode) {
        return read(1, 0, mode);
    }

    Reading read(int row, long tokenMicros, ReadMode mode) {
        return begin(new Reading(nextId++, row), Put.rowHash(row), tokenMicros, mode);
    }

    /** As {@link #read(long)}, but the store is read, and the read confirmed, when the test says so. */
    Reading readByHand(long tokenMicros) {
        Reading reading = new Reading(nextId++, 1);
        reading.byHand = true;
        return begin(reading, Put.rowHash(1), tokenMicros, ReadMode.SEQUENTIAL);
    }

    /** Reads the whole partition; the value is that of one row. */
    Reading readAll(int rowShown, long tokenMicros) {
        return begin(new Reading(nextId++, rowShown), Update.ANY_ROW, tokenMicros, ReadMode.SEQUENTIAL);
    }

    private Reading begin(Reading reading, long rowHash, long tokenMicros, ReadMode mode) {
        readings.put(reading.id, reading);
        step(new Event.ReadStarted(
                reading.id, Put.KEY, rowHash, tokenMicros, mode, cluster.nowNanos() + 2_000_000_000L));
        return reading;
    }

    /** Reads the store as offered, and has it confirmed. Returns whether that was the answer. */
    boolean finish(Reading reading) {
        Effect.ReadAt offer = reading.offer;
        String value = Rows.read(store, offer.overlay(), reading.row);
        if (!offer.confirm()) {
            reading.value = value;
            return true;
        }
        for (Effect effect : step(new Event.StoreRead(reading.id))) {
            if (effect instanceof Effect.ReadConfirmed) {
                reading.value = value;
                return true;
            }
        }
        return false;
    }

    // --- looking back ------------------------------------------------------------------------------------------

    <E extends Effect> List<E> all(Class<E> type) {
        return effects.stream().filter(type::isInstance).map(type::cast).toList();
    }

    List<Effect.AlarmKind> alarms() {
        return all(Effect.Alarm.class).stream().map(Effect.Alarm::kind).toList();
    }
}
