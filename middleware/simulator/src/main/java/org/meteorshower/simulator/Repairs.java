/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;

/** Brings mutations past the core, as repairs do, and plays the operator who repairs what was left behind. */
final class Repairs {
    private static final long COMES_BACK_EVERY_MICROS = 1_000_000;

    /** In one of so many runs those left behind wait for an operator. */
    private static final int BY_HAND = 6;

    private static final long OPERATOR_LOOKS_EVERY_MICROS = 3_000_000;
    private static final long REPAIR_TAKES_MICROS = 1_500_000;

    private final Scheduler scheduler;
    private final Chance random;
    private final SimulationPlan plan;
    private final List<SimulatedNode> nodes;
    private final Network network;
    private final Outages outages;

    /** Until then no new fault: what an operator does takes its time, and the operator would begin anew. */
    long quietUntilMicros;

    Repairs(
            Scheduler scheduler,
            Chance random,
            SimulationPlan plan,
            List<SimulatedNode> nodes,
            Network network,
            Outages outages) {
        this.scheduler = scheduler;
        this.random = random;
        this.plan = plan;
        this.nodes = nodes;
        this.network = network;
        this.outages = outages;
    }

    /** One replica's rows are copied to another, as a repair streams them: past the core, which hears of it after. */
    void repairOne() {
        SimulatedNode from = outages.any();
        SimulatedNode to = outages.any();
        if (from == to || !from.isRunning() || !to.isRunning() || network.isCut()) {
            return;
        }
        outages.note("what n" + from.number + " holds is copied to n" + to.number);
        to.store.absorb(from.store);
        if (plan.bug() != Bug.REPAIR_UNANNOUNCED) {
            to.table().names().forEach(name -> to.perform(new Event.ForeignData(name)));
        }
    }

    /** A replica gets, as one mutation with the old timestamps, what it lacks of what another one holds. */
    void readRepair() {
        PartitionKey key = Session.key(random.nextInt(plan.workload().partitions()));
        List<SimulatedNode> replicas = nodes.get(0).table().targets(key);
        SimulatedNode from = replicas.get(random.nextInt(replicas.size()));
        SimulatedNode to = replicas.get(random.nextInt(replicas.size()));
        if (!from.isRunning() || !to.isRunning()) {
            return;
        }
        Map<Integer, Cell> held = to.store.partition(key);
        TreeMap<Integer, Cell> lacking = new TreeMap<>();
        from.store.partition(key).forEach((cell, value) -> {
            if (!value.equals(held.get(cell)) && value.equals(Cell.latest(value, held.get(cell)))) {
                lacking.put(cell, value);
            }
        });
        if (!lacking.isEmpty()) {
            outages.note("a read repair brings " + lacking + " from n" + from.number + " to n" + to.number);
            to.mutate(new CellUpdate(key, lacking));
        }
    }

    /** Who was left behind comes back by itself, or an operator sees to it. */
    void careForThoseLeftBehind() {
        if (plan.seed() % BY_HAND == 0) {
            operate();
        } else {
            comeBack();
        }
    }

    private void comeBack() {
        scheduler.after(COMES_BACK_EVERY_MICROS, () -> {
            nodes.stream()
                    .filter(node -> node.inService && node.isRunning())
                    .forEach(node -> node.perform(new Event.ComeBack()));
            comeBack();
        });
    }

    /** The operator looks now and then: who was left behind gets a full repair as soon as the network is whole. */
    private void operate() {
        scheduler.after(OPERATOR_LOOKS_EVERY_MICROS, () -> {
            List<SimulatedNode> inService =
                    nodes.stream().filter(node -> node.inService).toList();
            if (!network.isCut() && inService.stream().allMatch(SimulatedNode::isRunning)) {
                for (SimulatedNode node : inService) {
                    if (inService.stream().anyMatch(other -> other.hasLeftBehind(node.id))) {
                        repairInFull(node);
                    }
                }
            }
            operate();
        });
    }

    private void repairInFull(SimulatedNode node) {
        NodeId repaired = node.id;
        quietUntilMicros = scheduler.nowMicros() + REPAIR_TAKES_MICROS + 2_000_000;
        outages.note("n" + node.number + " is repaired in full");
        nodes.forEach(other -> other.perform(new Event.PeerRepairing(repaired)));
        node.table().names().forEach(name -> node.perform(new Event.ForeignDataComing(name)));
        nodes.stream().filter(other -> other.inService).forEach(other -> node.store.absorb(other.store));
        // Writes go on, and a repair does not bring what came after it had looked.
        scheduler.after(REPAIR_TAKES_MICROS, () -> {
            node.table().names().forEach(name -> node.perform(new Event.ForeignData(name)));
            nodes.forEach(other -> other.perform(new Event.PeerRepaired(repaired)));
        });
    }
}
