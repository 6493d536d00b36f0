/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.PartitionKey;

/**
 * A read or a write at QUORUM of a table that is an ordinary one at its coordinator: Cassandra's own, with the driver's
 * timestamp and with read repair before the answer. While another node may still serve the table it waits, as
 * {@code DisabledMeanwhile} has it.
 */
final class OrdinaryOperation {
    static final int LOOK_EVERY_MICROS = 5_000;

    private final Session session;
    private final long operation;
    private final PartitionKey key;
    private final boolean reads;
    private final int row;
    private final SimulatedNode coordinator;
    private final int coordinatorsLife;
    private final long startMicros;
    private @Nullable CellUpdate update;
    private int acknowledged;
    private boolean recorded;
    private boolean wins;

    OrdinaryOperation(Session session, long operation, PartitionKey key, boolean reads) {
        this.session = session;
        this.operation = operation;
        this.key = key;
        this.reads = reads;
        this.row = session.random.nextInt(session.plan.workload().rows());
        this.coordinator = session.node;
        this.coordinatorsLife = coordinator.starts;
        this.startMicros = session.scheduler.nowMicros();
    }

    void begin() {
        session.note(() -> "begins to " + (reads ? "read" : "write") + " p" + Session.partitionOf(key)
                + " of the ordinary table at n" + coordinator.number);
        coordinator.act(this::go);
        session.scheduler.after(Session.TIMEOUT_MICROS, this::giveUp);
    }

    private boolean isOver() {
        return !session.isCurrent(operation) || coordinator.starts != coordinatorsLife;
    }

    private void go() {
        if (isOver()) {
            return;
        }
        if (!coordinator.table().isOrdinary()) {
            session.refused(operation);
        } else if (coordinator.table().isEnding()) {
            coordinator.later(LOOK_EVERY_MICROS, this::go);
        } else if (reads) {
            new QuorumRead(session.network, coordinator, key, row, row, false, this::isOver, this::answer).begin();
        } else {
            write();
        }
    }

    private List<SimulatedNode> replicas() {
        return coordinator.table().targets(key);
    }

    private int quorum() {
        return replicas().size() / 2 + 1;
    }

    private void giveUp() {
        if (!session.isCurrent(operation)) {
            return;
        }
        session.note(() -> "does not know what became of it");
        if (update != null) {
            session.result.unknownWrites++;
            record(update, -1);
        }
        session.next(operation);
    }

    private void travel(SimulatedNode a, SimulatedNode b, Runnable then) {
        if (a == b) {
            b.act(then);
        } else {
            session.network.send(a.number, b.number, () -> b.act(then));
        }
    }

    // --- reads -----------------------------------------------------------------------------------------------------

    private void answer(Map<Integer, Cell> content) {
        if (isEnabledByNow()) {
            session.refused(operation);
            return;
        }
        session.note(() -> "read " + Transcript.cells(content) + " of the ordinary table");
        session.sawOrdinary(coordinator.table().overSinceMicros());
        session.result.ordinary++;
        if (!session.plan.isStrict()) { // which these reads are not
            record(content);
        }
        session.next(operation);
    }

    private void record(Map<Integer, Cell> content) {
        long endNanos = session.scheduler.nowMicros() * 1_000;
        session.recorder.begin();
        for (int column = 0; column < session.plan.workload().columns(); column++) {
            Cell cell = content.get(row * 100 + column);
            session.recorder.read(
                    session.name,
                    key,
                    row * 100 + column,
                    cell == null ? null : cell.value(),
                    startMicros * 1_000,
                    endNanos);
        }
    }

    /** The table may be served by now, at cuts that do not show what comes of this. */
    private boolean isEnabledByNow() {
        return !coordinator.table().isOrdinary() && session.plan.bug() != Bug.ORDINARY_ANSWER_LATE;
    }

    // --- writes ----------------------------------------------------------------------------------------------------

    private void write() {
        long timestampMicros = SimulatedNode.EPOCH_MICROS
                + session.scheduler.nowMicros()
                - session.plan.faults().special().switching().behindMicros(session.number());
        CellUpdate made = new CellUpdate(
                key, new TreeMap<>(Map.of(row * 100, new Cell(timestampMicros, session.name + "-" + operation))));
        update = made;
        wins = replicas().stream()
                .allMatch(replica -> isBelow(replica.store.partition(key).get(row * 100), timestampMicros));
        replicas().forEach(replica -> deliver(replica, made, 0));
    }

    private static boolean isBelow(@Nullable Cell cell, long timestampMicros) {
        return cell == null || cell.timestampMicros() < timestampMicros;
    }

    /** Sends the mutation; one that does not get through is delivered by a hint, later. */
    private void deliver(SimulatedNode to, CellUpdate made, int attempt) {
        boolean[] arrived = {false};
        session.network.send(coordinator.number, to.number, () -> {
            if (to.isUp()) {
                arrived[0] = true;
                to.act(() -> to.mutate(made, Sent.by(null, () -> travel(to, coordinator, this::acknowledged))));
            }
        });
        session.scheduler.after(session.plan.faults().hintDelayMicros(), () -> {
            if (!arrived[0] && attempt < 20 && coordinator.isUp()) {
                deliver(to, made, attempt + 1);
            }
        });
    }

    private void acknowledged() {
        if (isOver() || ++acknowledged != quorum()) {
            return;
        }
        CellUpdate made = update;
        if (made == null || isEnabledByNow()) {
            giveUp();
            return;
        }
        session.note(() -> "has written the ordinary table");
        session.sawOrdinary(coordinator.table().overSinceMicros());
        session.result.ordinary++;
        long nowMicros = session.scheduler.nowMicros();
        session.oracle.acknowledged(made, nowMicros);
        record(made, nowMicros * 1_000);
        session.next(operation);
    }

    /**
     * A driver whose clock is behind writes what may lose at once, and its session may see older timestamps after that:
     * then all that is promised is that nobody reads what was never written.
     */
    private void record(CellUpdate made, long endNanos) {
        if (recorded) {
            return;
        }
        recorded = true;
        session.recorder.begin();
        made.cells()
                .forEach((cell, value) -> session.recorder.write(
                        wins ? session.name : session.name + "/" + operation,
                        key,
                        cell,
                        value.value(),
                        startMicros * 1_000,
                        wins ? endNanos : -1,
                        value.timestampMicros()));
    }
}
