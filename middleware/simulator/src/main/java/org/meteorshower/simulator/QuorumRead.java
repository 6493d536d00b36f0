/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.meteorshower.protocol.PartitionKey;

/**
 * Cassandra's own read at QUORUM, or ALL: the newest of a majority's stores, or of all replicas', which all of these
 * have before it ends.
 */
final class QuorumRead {
    private final Network network;
    private final SimulatedNode coordinator;
    private final List<SimulatedNode> replicas;
    private final PartitionKey key;
    private final int from;
    private final int to;
    private final int needed;
    private final BooleanSupplier isOver;
    private final Consumer<Map<Integer, Cell>> ended;
    private final Map<SimulatedNode, Map<Integer, Cell>> answers = new LinkedHashMap<>();
    private final Set<SimulatedNode> lacking = new HashSet<>();

    /**
     * @param from the first row
     * @param to the last row
     * @param ofAll whether all replicas are to answer
     * @param isOver whether nobody waits for it any more
     * @param ended hears at the coordinator what was read
     */
    QuorumRead(
            Network network,
            SimulatedNode coordinator,
            PartitionKey key,
            int from,
            int to,
            boolean ofAll,
            BooleanSupplier isOver,
            Consumer<Map<Integer, Cell>> ended) {
        this.network = network;
        this.coordinator = coordinator;
        this.replicas = coordinator.table().readers(key);
        this.key = key;
        this.from = from;
        this.to = to;
        this.needed = ofAll ? replicas.size() : replicas.size() / 2 + 1;
        this.isOver = isOver;
        this.ended = ended;
    }

    void begin() {
        replicas.forEach(this::ask);
    }

    private void travel(SimulatedNode a, SimulatedNode b, Runnable then) {
        if (a == b) {
            b.act(then);
        } else {
            network.send(a.number, b.number, () -> b.act(then));
        }
    }

    private void ask(SimulatedNode replica) {
        travel(coordinator, replica, () -> {
            Map<Integer, Cell> cells = replica.store.read(key, from, to, null);
            travel(replica, coordinator, () -> answered(replica, cells));
        });
    }

    private void answered(SimulatedNode replica, Map<Integer, Cell> cells) {
        if (isOver.getAsBoolean() || answers.size() == needed) {
            return;
        }
        answers.put(replica, cells);
        if (answers.size() == needed) {
            repair();
        }
    }

    private Map<Integer, Cell> newest() {
        TreeMap<Integer, Cell> newest = new TreeMap<>();
        answers.values().forEach(cells -> cells.forEach((cell, value) -> newest.merge(cell, value, Cell::latest)));
        return newest;
    }

    /** What the answer shows shall be at a quorum before anybody sees it. */
    private void repair() {
        Map<Integer, Cell> newest = newest();
        answers.forEach((replica, held) -> {
            TreeMap<Integer, Cell> missing = new TreeMap<>(newest);
            missing.entrySet().removeIf(cell -> cell.getValue().equals(held.get(cell.getKey())));
            if (!missing.isEmpty()) {
                lacking.add(replica);
                travel(
                        coordinator,
                        replica,
                        () -> replica.mutate(
                                new CellUpdate(key, missing),
                                Sent.by(null, () -> travel(replica, coordinator, () -> repaired(replica)))));
            }
        });
        endIfRepaired();
    }

    private void repaired(SimulatedNode replica) {
        lacking.remove(replica);
        endIfRepaired();
    }

    private void endIfRepaired() {
        if (!isOver.getAsBoolean() && lacking.isEmpty()) {
            ended.accept(newest());
        }
    }
}
