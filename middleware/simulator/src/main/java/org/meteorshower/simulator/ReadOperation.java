/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.meteorshower.atrest.PartitionsAtRest;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.PlainReads;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Served;
import org.meteorshower.protocol.Update;

/**
 * A read of a row or of all rows of a partition. Where the session's node is no replica, or lacks something, another
 * one is asked.
 */
final class ReadOperation implements Effect.ReadAnswer.Handler {
    private final Session session;
    private final long operation;
    private final PartitionKey key;
    private final int from;
    private final int to;
    private final long startMicros;
    private final SimulatedNode coordinator;
    private final ReadMode mode;
    private final int coordinatorsLife;
    private final long tokenMicros;
    private SimulatedNode replica;
    private PartitionKey asked;
    private Effect.ReadAt offered = new Effect.ReadAt(0, new Effect.ReadInfo(0, Served.LOCAL, 0), null, false);
    private Map<Integer, Cell> content = Map.of();
    private boolean hasAsked;

    /** The latest physical clock that the replica knew of when it was asked. */
    private long clockMicros;

    ReadOperation(Session session, long operation, PartitionKey key) {
        this.session = session;
        this.operation = operation;
        this.key = key;
        this.asked = key;
        int rows = session.plan.workload().rows();
        boolean all = rows > 1 && session.random.nextInt(3) == 0;
        this.from = all ? 0 : session.random.nextInt(rows);
        this.to = all ? rows - 1 : from;
        this.startMicros = session.scheduler.nowMicros();
        this.coordinator = session.node;
        this.replica = coordinator;
        this.coordinatorsLife = coordinator.starts;
        this.tokenMicros = session.plan.bug() == Bug.READ_WITHOUT_TOKEN ? 0 : session.tokenMicros();
        List<ReadMode> modes = session.plan.modes();
        this.mode = modes.get(modes.size() == 1 ? 0 : session.random.nextInt(modes.size()));
    }

    void begin() {
        List<SimulatedNode> replicas = coordinator.table().replicas(key);
        if (replicas.isEmpty()) {
            session.refused(operation);
            return;
        }
        if (session.plan.bug() == Bug.QUORUM_READ && session.random.nextInt(3) == 0) {
            quorumRead(replicas);
            return;
        }
        if (!replicas.contains(coordinator)) {
            replica = replicas.get(session.random.nextInt(replicas.size()));
        } else if (goesElsewhere()) {
            replica = another(replicas);
        }
        session.note(() -> "begins to read p" + Session.partitionOf(key) + " rows " + from + " to " + to + " at n"
                + coordinator.number + (replica == coordinator ? "" : " from n" + replica.number));
        travel(coordinator, replica, this::askOnce);
        // Lost with a node, or on the way.
        session.readTimeout.then(this::giveUp);
    }

    /** In half of the runs: in the others such reads wait at the coordinator, as they do where all lack something. */
    private boolean goesElsewhere() {
        return (session.plan.seed() & 1) != 0 && coordinator.lacks(key);
    }

    /** The coordinator itself where all lack something. */
    private SimulatedNode another(List<SimulatedNode> replicas) {
        List<SimulatedNode> others = replicas.stream()
                .filter(node -> node != coordinator && !node.lacks(key))
                .toList();
        return others.isEmpty() ? coordinator : others.get(session.random.nextInt(others.size()));
    }

    private void giveUp() {
        if (session.isCurrent(operation)) {
            session.waited(coordinator, startMicros);
            session.note(() -> "gives up reading");
            session.next(operation);
        }
    }

    private void travel(SimulatedNode a, SimulatedNode b, Runnable then) {
        if (a == b) {
            b.act(then);
        } else {
            session.network.send(a.number, b.number, () -> b.act(then));
        }
    }

    private void askOnce() {
        if (hasAsked || isOver()) {
            return; // the network has brought the request twice; both answers at once would be taken for one
        }
        hasAsked = true;
        PartitionKey named = replica.table().readKeyOf(key);
        if (named == null) {
            refuse();
        } else if (isPlain(named) && !replica.table().mayReadPlainly()) {
            hasAsked = false; // others may still serve it under an earlier name, or read by another ring
            replica.later(OrdinaryOperation.LOOK_EVERY_MICROS, this::askOnce);
        } else if (isPlain(named)) {
            new QuorumRead(
                            session.network,
                            replica,
                            key,
                            from,
                            to,
                            replica.plainReads(named) == PlainReads.AT_ALL,
                            this::isOver,
                            content -> readPlainly(named, content))
                    .begin();
        } else {
            askTheCore(named);
        }
    }

    /** No mode that asks for more than the sequential one, as in the plugin. */
    private boolean isPlain(PartitionKey named) {
        return mode.kind() == ReadMode.Kind.SEQUENTIAL
                && replica.plainReads(named).areAllowed();
    }

    private boolean isOver() {
        return !session.isCurrent(operation);
    }

    /** Other nodes may serve the table by now, where this one does not read it plainly any more. */
    private void readPlainly(PartitionKey named, Map<Integer, Cell> read) {
        boolean plain = isPlain(named) && replica.table().mayReadPlainly();
        if (plain || session.plan.bug() == Bug.PLAIN_ANSWER_LATE) {
            content = read;
            clockMicros = Objects.requireNonNull(replica.core()).view().hybridClockMicros();
            travel(replica, coordinator, this::donePlainly);
        } else {
            hasAsked = false;
            askOnce();
        }
    }

    private void donePlainly() {
        if (isOver() || coordinator.starts != coordinatorsLife) {
            return;
        }
        // What it has shown is written over by what the session writes next, and no earlier name is read at its cut.
        session.saw(
                coordinator,
                Math.max(
                        clockMicros,
                        content.values().stream()
                                .mapToLong(Cell::timestampMicros)
                                .max()
                                .orElse(0)));
        session.note(() -> "read " + Transcript.cells(content) + " plainly");
        session.result.ordinary++;
        record(content);
        session.next(operation);
    }

    private void askTheCore(PartitionKey named) {
        asked = named;
        clockMicros = replica.latestClockMicros(asked);
        PartitionsAtRest.Offer atRest =
                mayReadAtRest() ? replica.offer(asked, tokenMicros, mode.kind() == ReadMode.Kind.STRICT) : null;
        if (atRest == null) {
            takeAStep();
        } else {
            session.trace.offered(replica.number, this, atRest.cutMicros());
            replica.later(session.random.nextInt(150), () -> readAtRest(atRest));
        }
    }

    /** In half of the runs, half of the reads that may; so the core, too, keeps being asked for partitions at rest. */
    private boolean mayReadAtRest() {
        return (mode.kind() == ReadMode.Kind.SEQUENTIAL
                        || session.plan.cluster().strictAtHome())
                && (session.plan.seed() & 2) != 0
                && session.random.nextBoolean();
    }

    private void readAtRest(PartitionsAtRest.Offer atRest) {
        content = replica.store.read(key, from, to, null);
        replica.later(session.random.nextInt(150), () -> {
            if (replica.stands(atRest)) {
                long staleMicros = Math.max(0, replica.now().wallMicros() - atRest.cutMicros());
                var info = new Effect.ReadInfo(atRest.cutMicros(), Served.LOCAL, staleMicros);
                offered = new Effect.ReadAt(0, info, null, false);
                sendBack();
            } else {
                takeAStep();
            }
        });
    }

    private void takeAStep() {
        boolean one = from == to && (session.plan.workload().rows() > 1 || session.random.nextBoolean());
        long row = one ? CellUpdate.rowHash(from) : Update.ANY_ROW;
        long deadlineNanos = replica.now().elapsedNanos() + 1_000 * Session.TIMEOUT_MICROS;
        replica.read(new Event.ReadStarted(replica.nextRequest(), asked, row, tokenMicros, mode, deadlineNanos), this);
    }

    /** The replica does not follow the table, or is off the ring. */
    private void refuse() {
        travel(replica, coordinator, () -> session.refused(operation));
    }

    @Override
    public void on(Effect.ReadAt at) {
        offered = at;
        // The store is read some time after the cut was offered, and confirmed some time after that.
        session.scheduler.after(session.random.nextInt(150), () -> replica.act(this::readTheStore));
    }

    @Override
    public void on(Effect.ReadConfirmed confirmed) {
        sendBack();
    }

    @Override
    public void on(Effect.ReadFailed failed) {
        PartitionKey named = replica.table().readKeyOf(key);
        if (failed.failure() == Effect.Failure.NOT_READY && named != null && !named.equals(asked)) {
            hasAsked = false; // the table goes by another name here since
            askOnce();
            return;
        }
        session.result.failed(failed);
        travel(replica, coordinator, this::giveUp);
    }

    @Override
    public void on(Effect.ScanLowered lowered) {
        throw new IllegalStateException("an answer to a scan");
    }

    @Override
    public void on(Effect.ScanStirred stirred) {
        throw new IllegalStateException("an answer to a scan");
    }

    private void readTheStore() {
        boolean ignored = session.plan.bug() == Bug.OVERLAY_IGNORED;
        content = replica.store.read(key, from, to, ignored ? null : offered.overlay());
        if (offered.confirm() && session.plan.bug() != Bug.READ_UNCONFIRMED) {
            long id = offered.readId();
            session.scheduler.after(
                    session.random.nextInt(150), () -> replica.act(() -> replica.perform(new Event.StoreRead(id))));
        } else {
            sendBack();
        }
    }

    /** Who has left the ring knows so before the others, and looks after each read. */
    private void sendBack() {
        if (replica.table().isOnRing()) {
            replica.checks.answered(asked, tokenMicros, offered.info().cutMicros(), from, to, content);
            travel(replica, coordinator, this::done);
        } else {
            refuse();
        }
    }

    private void done() {
        replica.endRead(offered.readId());
        if (!session.isCurrent(operation) || coordinator.starts != coordinatorsLife) {
            return; // who asked is gone
        }
        if (!coordinator.table().isOnRing()) {
            session.refused(operation);
            return;
        }
        Effect.ReadInfo info = offered.info();
        session.saw(coordinator, info.cutMicros());
        session.waited(coordinator, startMicros);
        session.note(() -> "read " + Transcript.cells(content) + " at cut " + Transcript.time(info.cutMicros()) + ", "
                + info.served());
        session.result.read(info, session.scheduler.nowMicros() - startMicros);
        session.oracle.read(new Oracle.Read(
                session.name,
                replica.number,
                asked,
                from,
                to,
                startMicros,
                clockMicros,
                mode,
                info.cutMicros(),
                content));
        record(content);
        session.trace.wasRead(
                session.name,
                replica.number,
                offered.readId() == 0 ? this : null,
                offered.readId(),
                key,
                info.cutMicros(),
                content);
        session.next(operation);
    }

    private void record(Map<Integer, Cell> read) {
        int columns = session.plan.workload().columns();
        long endNanos = session.scheduler.nowMicros() * 1_000;
        session.recorder.begin();
        for (int row = from; row <= to; row++) {
            for (int column = 0; column < columns; column++) {
                Cell cell = read.get(row * 100 + column);
                session.recorder.read(
                        session.name,
                        key,
                        row * 100 + column,
                        cell == null ? null : cell.value(),
                        columns == 1 && from == to ? startMicros * 1_000 : endNanos,
                        endNanos);
            }
        }
    }

    /** What a plain QUORUM read does: the newest of two stores, at no cut. */
    private void quorumRead(List<SimulatedNode> replicas) {
        SimulatedNode a = replicas.get(session.random.nextInt(replicas.size()));
        SimulatedNode b = replicas.get((replicas.indexOf(a) + 1) % replicas.size());
        TreeMap<Integer, Cell> newest = new TreeMap<>(a.store.read(key, from, to, null));
        session.scheduler.after(session.network.delayMicros(a.number, b.number), () -> {
            b.store.read(key, from, to, null).forEach((cell, value) -> newest.merge(cell, value, Cell::latest));
            record(newest);
            session.next(operation);
        });
    }
}
