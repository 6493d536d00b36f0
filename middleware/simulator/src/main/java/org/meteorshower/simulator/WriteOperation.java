/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;

/**
 * A write of some cells of a partition, or of several in a batch: stamped by the session's node, sent to all replicas,
 * hinted where it is lost.
 */
final class WriteOperation implements Effect.WriteAnswer.Handler {
    private static final double SMALLEST_BYTES = 10;

    /** Of writes for strict reads at home. */
    private static final int CARRIED_EVERY = 4;

    private final Session session;
    private final long operation;
    private final Map<PartitionKey, Map<Integer, Cell>> cellsByKey = new LinkedHashMap<>();
    private final long startMicros;
    private final SimulatedNode coordinator;

    /**
     * A node beside the coordinator that holds no replica, and sends the mutations; null where the coordinator does.
     */
    private final @Nullable NodeId carrier;

    private List<CellUpdate> updates = List.of();
    private long requestId;
    private boolean ended;
    private int received;

    /** By partition, how many targets have told the coordinator that they have it, beside the protocol's own count. */
    private final Map<PartitionKey, Integer> written = new HashMap<>();

    private final Map<PartitionKey, Integer> required = new HashMap<>();
    private long doneWithToken = -1;

    WriteOperation(Session session, long operation, Set<PartitionKey> keys) {
        this.session = session;
        this.operation = operation;
        this.startMicros = session.scheduler.nowMicros();
        this.coordinator = session.node;
        // One for each: it uses no timestamp for two writes.
        boolean carried = session.plan.cluster().strictAtHome() && session.random.nextInt(CARRIED_EVERY) == 0;
        this.carrier = carried ? new NodeId(new UUID(session.name.hashCode(), operation)) : null;
        for (PartitionKey key : keys) {
            cellsByKey.put(key, cells());
        }
    }

    private Map<Integer, Cell> cells() {
        SimulationPlan.Workload workload = session.plan.workload();
        Map<Integer, Cell> cells = new TreeMap<>();
        boolean delete = session.random.nextDouble() < workload.deleteShare();
        boolean allRows = workload.rows() > 1 && session.random.nextInt(4) == 0;
        int onlyRow = session.random.nextInt(workload.rows());
        for (int row = 0; row < workload.rows(); row++) {
            for (int column = 0; column < workload.columns(); column++) {
                if ((allRows || row == onlyRow) && (cells.isEmpty() || session.random.nextBoolean())) {
                    cells.put(row * 100 + column, new Cell(0, delete ? null : session.name + "-" + operation + size()));
                }
            }
        }
        return cells;
    }

    /** See {@link Cell#sizeBytes}. */
    private String size() {
        int largest = session.plan.workload().largestBytes();
        if (largest == 0) {
            return "";
        }
        return "#" + (int) (SMALLEST_BYTES * Math.pow(largest / SMALLEST_BYTES, session.random.nextDouble()));
    }

    void begin() {
        requestId = coordinator.nextRequest();
        session.note(() -> "begins to write "
                + cellsByKey.entrySet().stream()
                        .map(e -> "p" + Session.partitionOf(e.getKey()) + " " + Transcript.cells(e.getValue()))
                        .toList()
                + " at n" + coordinator.number);
        coordinator.act(() -> {
            if (coordinator.table().name() == null || !coordinator.table().isOnRing()) {
                session.refused(operation);
            } else {
                coordinator.write(stampRequest(requestId), this);
            }
        });
        session.writeTimeout.then(() -> finish(-1));
        if (session.plan.bug() == Bug.RETRIED_AS_ANOTHER_WRITE && session.random.nextInt(3) == 0) {
            session.scheduler.after(100_000 + session.random.nextInt(300_000), () -> coordinator.act(this::repeat));
        }
    }

    private Event.WriteStarted stampRequest(long id) {
        return new Event.WriteStarted(
                id,
                new ArrayList<>(cellsByKey.keySet().stream()
                        .map(key -> Objects.requireNonNull(coordinator.table().keyOf(key)))
                        .toList()),
                session.tokenMicros(),
                session.plan.isStrict(),
                carrier);
    }

    @Override
    public void on(Effect.WriteStamped stamped) {
        if (ended) {
            return; // nobody waits for it any more
        }
        session.clocks.stamped(coordinator.number, stamped.timestampMicros());
        updates = at(stamped.timestampMicros());
        session.trace.began(session.name, coordinator.number, stamped.writeId(), updates);
        updates.forEach(update -> {
            if (session.plan.bug() != Bug.STORES_NOT_AWAITED) {
                required.put(update.key(), coordinator.table().required(update.key()));
            }
            coordinator.table().targets(update.key()).forEach(replica -> deliver(replica, update, 0));
        });
    }

    @Override
    public void on(Effect.WriteDone done) {
        if (!ended) {
            doneWithToken = done.tokenMicros();
            finishIfWritten();
        }
    }

    @Override
    public void on(Effect.WriteLost lost) {
        if (!ended) {
            finish(-1);
        }
    }

    @Override
    public void on(Effect.WriteRefused refused) {
        if (!ended) {
            session.refused(operation);
        }
    }

    private List<CellUpdate> at(long timestampMicros) {
        return cellsByKey.entrySet().stream()
                .map(entry -> new CellUpdate(entry.getKey(), entry.getValue()).at(timestampMicros))
                .toList();
    }

    /** Sends the mutation; one that does not get through is delivered by a hint, later. */
    private void deliver(SimulatedNode to, CellUpdate mutation, int attempt) {
        boolean[] arrived = {false};
        session.network.send(coordinator.number, to.number, () -> {
            if (to.isUp() && !to.table().refuses()) {
                arrived[0] = true;
                to.act(() -> arrived(to, mutation, attempt));
                if (++received == session.plan.writeQuorum() && session.plan.bug() == Bug.ACKNOWLEDGED_BEFORE_APPLIED) {
                    session.network.send(to.number, coordinator.number, () -> finish(0));
                }
            }
        });
        session.untilHint.then(() -> {
            if (!arrived[0] && attempt < 20 && coordinator.isUp()) {
                deliver(to, mutation, attempt + 1);
            }
        });
    }

    private void arrived(SimulatedNode to, CellUpdate mutation, int attempt) {
        List<SimulatedNode> targets = session.plan.hasEpochs() ? to.table().targets(mutation.key()) : List.of();
        if (attempt > 0 && session.plan.hasEpochs() && !targets.contains(to)) {
            // A hint of a partition that has moved away is passed on to all who hold it now.
            targets.forEach(other ->
                    session.network.send(to.number, other.number, () -> other.act(() -> other.mutate(mutation))));
        } else if (attempt > 0 && session.plan.seed() % 2 == 1 && to.store.shows(mutation)) {
            to.note(() -> "is done with a hint that changes nothing: " + mutation);
        } else if (session.plan.hasEpochs() && attempt == 0) {
            to.mutate(mutation, sent(to, mutation.key()));
        } else {
            to.mutate(mutation, Sent.by(attempt == 0 ? sender() : null));
        }
    }

    /** In two plans of three the protocol may carry the answers. */
    private Sent sent(SimulatedNode to, PartitionKey key) {
        return carrier == null && session.plan.seed() % 3 != 0
                ? Sent.by(coordinator.id, coordinator.awaitAnswer(() -> written(key)))
                : Sent.by(sender(), () -> session.network.send(to.number, coordinator.number, () -> written(key)));
    }

    /** Nodes have small numbers. */
    static boolean isCarrier(NodeId id) {
        return id.value().getMostSignificantBits() != 0;
    }

    private NodeId sender() {
        return carrier == null ? coordinator.id : carrier;
    }

    private void written(PartitionKey key) {
        written.merge(key, 1, Integer::sum);
        finishIfWritten();
    }

    /** Once the protocol has w stamps, and Cassandra as many answers as it wants where partitions move. */
    private void finishIfWritten() {
        if (doneWithToken >= 0
                && required.entrySet().stream()
                        .allMatch(each -> written.getOrDefault(each.getKey(), 0) >= each.getValue())) {
            finish(doneWithToken);
        }
    }

    /** @param token the session's new token, or -1 where the outcome is not known */
    private void finish(long token) {
        ended = true;
        if (!session.isCurrent(operation)) {
            return;
        }
        session.waited(coordinator, startMicros);
        if (token < 0) {
            session.note(() -> "does not know what became of its write");
            coordinator.act(() -> coordinator.endWrite(requestId));
            session.result.unknownWrites++;
        } else {
            session.note(() -> "has written; its token is " + Transcript.time(token));
            if (session.plan.bug() != Bug.WRITE_TOKEN_DROPPED) {
                session.saw(coordinator, token);
            }
            session.result.write(session.scheduler.nowMicros() - startMicros);
        }
        if (!updates.isEmpty()) {
            record(token >= 0);
            session.trace.wrote(session.name, updates, token < 0 ? -1 : session.seenMicros());
        }
        session.next(operation);
    }

    private void record(boolean known) {
        long nowMicros = session.scheduler.nowMicros();
        boolean oneCell = updates.size() == 1 && updates.get(0).cells().size() == 1;
        session.recorder.begin();
        for (CellUpdate update : updates) {
            if (known) {
                session.oracle.acknowledged(update, nowMicros);
            }
            update.cells()
                    .forEach((cell, value) -> session.recorder.write(
                            session.name,
                            update.key(),
                            cell,
                            value.value(),
                            (oneCell ? startMicros : nowMicros) * 1_000,
                            known ? nowMicros * 1_000 : -1,
                            value.timestampMicros()));
        }
    }

    /** The mistake of a driver that repeats a write as a new one. */
    private void repeat() {
        long again = coordinator.nextRequest();
        coordinator.write(stampRequest(again), new Repeated());
        session.scheduler.after(2 * Session.TIMEOUT_MICROS, () -> coordinator.endWrite(again));
    }

    /** Of the write as which it is repeated nobody awaits the end. */
    private final class Repeated implements Effect.WriteAnswer.Handler {
        @Override
        public void on(Effect.WriteStamped stamped) {
            at(stamped.timestampMicros())
                    .forEach(
                            second -> coordinator.table().replicas(second.key()).forEach(to -> deliver(to, second, 0)));
        }

        @Override
        public void on(Effect.WriteRefused refused) {}

        @Override
        public void on(Effect.WriteDone done) {}

        @Override
        public void on(Effect.WriteLost lost) {}
    }
}
