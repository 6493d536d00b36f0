/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Update;

/** A closed-loop client: one operation at a time, with its token, at its node or, now and then, at another one. */
final class Session {
    private static final long TIMEOUT_MICROS = 2_000_000;

    private final String name;
    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final SimulationPlan plan;
    private final List<SimulatedNode> nodes;
    private final Network network;
    private final Recorder recorder;
    private final Oracle oracle;
    private final SimulationResult result;
    private SimulatedNode node;
    private long tokenMicros;
    private long writes;
    private long current;
    boolean busy;

    Session(
            int number,
            Scheduler scheduler,
            SplittableRandom random,
            SimulationPlan plan,
            List<SimulatedNode> nodes,
            Network network,
            Recorder recorder,
            Oracle oracle,
            SimulationResult result) {
        this.name = "s" + number;
        this.scheduler = scheduler;
        this.random = random;
        this.plan = plan;
        this.nodes = nodes;
        this.network = network;
        this.recorder = recorder;
        this.oracle = oracle;
        this.result = result;
        this.node = nodes.get(number % nodes.size());
    }

    void run() {
        if (result.begun >= plan.operations()) {
            return;
        }
        result.begun++;
        if (random.nextDouble() < plan.moveShare() || !node.isUp()) {
            node = nodes.get(random.nextInt(nodes.size()));
        }
        if (!node.isUp()) {
            scheduler.after(50_000, this::run);
            return;
        }
        busy = true;
        current++;
        PartitionKey key = key(random.nextInt(plan.partitions()));
        if (random.nextDouble() < plan.readShare()) {
            read(key);
        } else {
            write(key);
        }
    }

    static PartitionKey key(int partition) {
        return new PartitionKey(SimulatedNode.TABLE, new byte[] {(byte) (partition >> 8), (byte) partition});
    }

    private void next(long operation) {
        if (operation == current && busy) {
            busy = false;
            scheduler.after(random.nextInt(2_000), this::run);
        }
    }

    // --- reads -------------------------------------------------------------------------------------------------

    private void read(PartitionKey key) {
        int row = plan.rows() > 1 && random.nextInt(3) == 0 ? -1 : random.nextInt(plan.rows());
        long operation = current;
        long startMicros = scheduler.nowMicros();
        SimulatedNode at = node;
        long request = at.open(new SimulatedNode.Client() {
            private Map<Integer, Cell> content = new TreeMap<>();
            private Effect.ReadInfo info = new Effect.ReadInfo(0, org.meteorshower.protocol.Served.LOCAL, 0);
            private long requestId;

            @Override
            public void answered(Effect effect) {
                if (effect instanceof Effect.ReadAt offered) {
                    requestId = offered.readId();
                    // The store is read some time after the cut was offered, and confirmed some time after that.
                    scheduler.after(random.nextInt(150), () -> {
                        info = offered.info();
                        content = at.store.read(
                                key, Math.max(row, 0), row < 0 ? plan.rows() - 1 : row, offered.overlay());
                        if (offered.confirm()) {
                            scheduler.after(
                                    random.nextInt(150), () -> at.perform(new Event.StoreRead(offered.readId())));
                        } else {
                            done();
                        }
                    });
                } else if (effect instanceof Effect.ReadConfirmed) {
                    done();
                } else if (effect instanceof Effect.ReadFailed failed) {
                    result.failed(failed);
                    next(operation);
                }
            }

            private void done() {
                at.close(requestId);
                if (operation != current || !busy) {
                    return;
                }
                tokenMicros = Math.max(tokenMicros, info.cutMicros());
                result.read(info, scheduler.nowMicros() - startMicros);
                oracle.read(
                        name,
                        at.number,
                        key,
                        Math.max(row, 0),
                        row < 0 ? plan.rows() - 1 : row,
                        info.cutMicros(),
                        content);
                record(key, row, content, startMicros);
                next(operation);
            }
        });
        long timeoutNanos = at.now().elapsedNanos() + 1_000 * TIMEOUT_MICROS;
        at.perform(new Event.ReadStarted(
                request,
                key,
                row < 0 ? Update.ANY_ROW : CellUpdate.rowHash(row),
                tokenMicros,
                plan.mode(),
                timeoutNanos));
        scheduler.after(2 * TIMEOUT_MICROS, () -> next(operation)); // the node died with the request
    }

    private void record(PartitionKey key, int row, Map<Integer, Cell> content, long startMicros) {
        boolean single = plan.columns() == 1 && (row >= 0 || plan.rows() == 1);
        long endNanos = scheduler.nowMicros() * 1_000;
        recorder.begin();
        for (int r = Math.max(row, 0); r <= (row < 0 ? plan.rows() - 1 : row); r++) {
            for (int c = 0; c < plan.columns(); c++) {
                Cell cell = content.get(r * 100 + c);
                recorder.read(
                        name,
                        key,
                        r * 100 + c,
                        cell == null ? null : cell.value(),
                        single ? startMicros * 1_000 : endNanos,
                        endNanos);
            }
        }
    }

    // --- writes ------------------------------------------------------------------------------------------------

    private void write(PartitionKey key) {
        TreeMap<Integer, Cell> cells = new TreeMap<>();
        boolean delete = random.nextDouble() < plan.deleteShare();
        boolean allRows = plan.rows() > 1 && random.nextInt(4) == 0;
        int onlyRow = random.nextInt(plan.rows());
        for (int r = 0; r < plan.rows(); r++) {
            for (int c = 0; c < plan.columns(); c++) {
                if ((allRows || r == onlyRow) && (cells.isEmpty() || random.nextBoolean())) {
                    cells.put(r * 100 + c, new Cell(0, delete ? null : name + "-" + writes));
                }
            }
        }
        writes++;
        long operation = current;
        long startMicros = scheduler.nowMicros();
        SimulatedNode at = node;
        var client = new SimulatedNode.Client() {
            private long timestampMicros;
            private long requestId;

            @Override
            public void answered(Effect effect) {
                if (effect instanceof Effect.WriteStamped stamped) {
                    timestampMicros = stamped.timestampMicros();
                    requestId = stamped.writeId();
                    cells.replaceAll((cell, value) -> new Cell(timestampMicros, value.value()));
                    CellUpdate update = new CellUpdate(key, cells);
                    for (SimulatedNode replica : nodes) {
                        deliver(at, replica, update, 0);
                    }
                } else if (effect instanceof Effect.WriteDone done) {
                    finish(done.tokenMicros());
                } else if (effect instanceof Effect.WriteRefused) {
                    next(operation);
                }
            }

            /** @param token the session's new token, or -1 where the outcome is not known */
            void finish(long token) {
                at.close(requestId);
                if (operation != current || !busy) {
                    return;
                }
                if (token < 0) {
                    at.perform(new Event.WriteAbandoned(requestId));
                    result.unknownWrites++;
                } else {
                    tokenMicros = Math.max(tokenMicros, token);
                    result.write(scheduler.nowMicros() - startMicros);
                }
                boolean single = cells.size() == 1;
                long nowNanos = scheduler.nowMicros() * 1_000;
                if (timestampMicros != 0) {
                    recorder.begin();
                    cells.forEach((cell, value) -> recorder.write(
                            name,
                            key,
                            cell,
                            value.value(),
                            single ? startMicros * 1_000 : nowNanos,
                            token < 0 ? -1 : nowNanos,
                            timestampMicros));
                }
                next(operation);
            }
        };
        long request = at.open(client);
        at.perform(new Event.WriteStarted(
                request, List.of(key), tokenMicros, plan.mode().kind() == ReadMode.Kind.STRICT));
        scheduler.after(TIMEOUT_MICROS, () -> client.finish(-1));
    }

    /** Sends the mutation; one that does not get through is delivered by a hint, later. */
    private void deliver(SimulatedNode from, SimulatedNode to, CellUpdate update, int attempt) {
        boolean[] arrived = {false};
        network.send(from.number, to.number, () -> {
            if (to.isUp()) {
                arrived[0] = true;
                to.mutate(update, attempt == 0 ? from.id : null);
            }
        });
        scheduler.after(plan.hintDelayMicros(), () -> {
            if (!arrived[0] && attempt < 20 && from.isUp()) {
                deliver(from, to, update, attempt + 1);
            }
        });
    }
}
