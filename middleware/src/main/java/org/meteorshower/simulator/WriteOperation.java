/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReadMode;

/** A write of some cells of a partition: stamped by the session's node, sent to all replicas, hinted where it is lost. */
final class WriteOperation implements SimulatedNode.Client {
    private final Session session;
    private final long operation;
    private final PartitionKey key;
    private final TreeMap<Integer, Cell> cells = new TreeMap<>();
    private final long startMicros;
    private final SimulatedNode coordinator;
    private @Nullable CellUpdate update;
    private long requestId;
    private int received;

    WriteOperation(Session session, long operation, PartitionKey key) {
        this.session = session;
        this.operation = operation;
        this.key = key;
        this.startMicros = session.scheduler.nowMicros();
        this.coordinator = session.node;
        SimulationPlan.Workload workload = session.plan.workload();
        boolean delete = session.random.nextDouble() < workload.deleteShare();
        boolean allRows = workload.rows() > 1 && session.random.nextInt(4) == 0;
        int onlyRow = session.random.nextInt(workload.rows());
        for (int row = 0; row < workload.rows(); row++) {
            for (int column = 0; column < workload.columns(); column++) {
                if ((allRows || row == onlyRow) && (cells.isEmpty() || session.random.nextBoolean())) {
                    cells.put(row * 100 + column, new Cell(0, delete ? null : session.name + "-" + operation));
                }
            }
        }
    }

    void begin() {
        requestId = coordinator.open(this);
        coordinator.act(() -> coordinator.perform(stampRequest(requestId)));
        session.scheduler.after(Session.TIMEOUT_MICROS, () -> finish(-1));
        if (session.plan.bug() == Bug.RETRIED_AS_ANOTHER_WRITE && session.random.nextInt(3) == 0) {
            session.scheduler.after(100_000 + session.random.nextInt(300_000), () -> coordinator.act(this::repeat));
        }
    }

    private Event.WriteStarted stampRequest(long id) {
        boolean strict = session.plan.mode().kind() == ReadMode.Kind.STRICT;
        return new Event.WriteStarted(id, List.of(key), session.tokenMicros, strict);
    }

    @Override
    public void answered(Effect effect) {
        if (effect instanceof Effect.WriteStamped stamped) {
            CellUpdate stampedUpdate = at(stamped.timestampMicros());
            update = stampedUpdate;
            for (SimulatedNode replica : session.replicas(key)) {
                deliver(replica, stampedUpdate, 0);
            }
        } else if (effect instanceof Effect.WriteDone done) {
            finish(done.tokenMicros());
        } else if (effect instanceof Effect.WriteRefused) {
            session.next(operation);
        }
    }

    private CellUpdate at(long timestampMicros) {
        TreeMap<Integer, Cell> stamped = new TreeMap<>(cells);
        stamped.replaceAll((cell, value) -> new Cell(timestampMicros, value.value()));
        return new CellUpdate(key, stamped);
    }

    /** Sends the mutation; one that does not get through is delivered by a hint, later. */
    private void deliver(SimulatedNode to, CellUpdate mutation, int attempt) {
        boolean[] arrived = {false};
        session.network.send(coordinator.number, to.number, () -> {
            if (to.isUp()) {
                arrived[0] = true;
                to.act(() -> to.mutate(mutation, attempt == 0 ? coordinator.id : null));
                if (++received == session.plan.writeQuorum() && session.plan.bug() == Bug.ACKNOWLEDGED_BEFORE_APPLIED) {
                    session.network.send(to.number, coordinator.number, () -> finish(0));
                }
            }
        });
        session.scheduler.after(session.plan.faults().hintDelayMicros(), () -> {
            if (!arrived[0] && attempt < 20 && coordinator.isUp()) {
                deliver(to, mutation, attempt + 1);
            }
        });
    }

    /** @param token the session's new token, or -1 where the outcome is not known */
    private void finish(long token) {
        coordinator.close(requestId);
        if (!session.isCurrent(operation)) {
            return;
        }
        CellUpdate written = update;
        if (token < 0) {
            coordinator.act(() -> coordinator.perform(new Event.WriteAbandoned(requestId)));
            session.result.unknownWrites++;
        } else {
            if (session.plan.bug() != Bug.WRITE_TOKEN_DROPPED) {
                session.tokenMicros = Math.max(session.tokenMicros, token);
            }
            session.result.write(session.scheduler.nowMicros() - startMicros);
        }
        if (written != null) {
            record(written, token >= 0);
        }
        session.next(operation);
    }

    private void record(CellUpdate written, boolean known) {
        long nowMicros = session.scheduler.nowMicros();
        if (known) {
            session.oracle.acknowledged(written, nowMicros);
        }
        session.recorder.begin();
        written.cells()
                .forEach((cell, value) -> session.recorder.write(
                        session.name,
                        key,
                        cell,
                        value.value(),
                        (cells.size() == 1 ? startMicros : nowMicros) * 1_000,
                        known ? nowMicros * 1_000 : -1,
                        value.timestampMicros()));
    }

    /** The mistake of a driver that repeats a write as a new one. */
    private void repeat() {
        long again = coordinator.open(effect -> {
            if (effect instanceof Effect.WriteStamped stamped) {
                CellUpdate second = at(stamped.timestampMicros());
                session.replicas(key).forEach(replica -> deliver(replica, second, 0));
            }
        });
        coordinator.perform(stampRequest(again));
        session.scheduler.after(2 * Session.TIMEOUT_MICROS, () -> coordinator.perform(new Event.WriteAbandoned(again)));
    }
}
