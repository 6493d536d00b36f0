/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;
import java.util.SplittableRandom;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.NodeId;

/** Breaks things as planned, and plays the operator who repairs what was left behind. */
final class FaultInjector {
    private static final long OPERATOR_LOOKS_EVERY_MICROS = 3_000_000;
    private static final long REPAIR_TAKES_MICROS = 1_500_000;

    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final SimulationPlan plan;
    private final List<SimulatedNode> nodes;
    private final Network network;
    private boolean calmed;

    /** Until then no new fault: the source of a repair must be heard until its streams have told what came with it. */
    private long quietUntilMicros;

    FaultInjector(
            Scheduler scheduler,
            SplittableRandom random,
            SimulationPlan plan,
            List<SimulatedNode> nodes,
            Network network) {
        this.scheduler = scheduler;
        this.random = random;
        this.plan = plan;
        this.nodes = nodes;
        this.network = network;
    }

    void plan() {
        SimulationPlan.Faults faults = plan.faults();
        repeat(faults.crashes(), this::crashOne);
        repeat(faults.cuts(), this::cutSome);
        repeat(faults.pauses(), this::pauseOne);
        repeat(faults.repairs(), this::repairOne);
        repeat(faults.readersCutOff(), this::cutOffAReaderWhileAHolderRestarts);
        if (faults.clockOffsetMicros() > 0) {
            repeat(3, () -> any().jumpClock());
        }
        operate();
    }

    private void repeat(int times, Runnable fault) {
        // Runs take some ten seconds: an operation about a tenth of a second.
        long expected = 100_000L
                * plan.workload().operations()
                / Math.max(1, plan.workload().sessions());
        for (int i = 0; i < times; i++) {
            scheduler.after(1_500_000 + (long) (random.nextDouble() * expected), () -> {
                if (!calmed && scheduler.nowMicros() >= quietUntilMicros) {
                    fault.run();
                }
            });
        }
    }

    private SimulatedNode any() {
        return nodes.get(random.nextInt(nodes.size()));
    }

    /** Everything heals, and stays so. */
    void calm() {
        calmed = true;
        network.heal();
        for (SimulatedNode node : nodes) {
            if (!node.isUp()) {
                node.start();
            }
        }
    }

    private void crashOne() {
        crash(any(), 10_000 + random.nextInt(4_000_000));
    }

    private void crash(SimulatedNode victim, long downMicros) {
        if (!victim.isUp()) {
            return;
        }
        victim.crash();
        scheduler.after(downMicros, () -> {
            if (!victim.isUp()) {
                victim.start();
            }
        });
    }

    private void cutSome() {
        int a = random.nextInt(nodes.size());
        int b = random.nextInt(nodes.size());
        boolean oneWay = random.nextBoolean();
        boolean whole = random.nextInt(3) == 0;
        for (int other = 0; other < nodes.size(); other++) {
            if (whole || other == b) {
                network.cut(a, other);
                if (!oneWay) {
                    network.cut(other, a);
                }
            }
        }
        scheduler.after(100_000 + random.nextInt(7_000_000), network::heal);
    }

    private void pauseOne() {
        any().pause(1_000_000 + random.nextInt(9_000_000));
    }

    private void cutOffAReaderWhileAHolderRestarts() {
        int reader = random.nextInt(nodes.size());
        int holder = (reader + 1 + random.nextInt(Math.max(1, nodes.size() - 1))) % nodes.size();
        for (int other = 0; other < nodes.size(); other++) {
            network.cut(reader, other);
            network.cut(other, reader);
        }
        long writesGoOnMicros = 100_000L + random.nextInt(400_000);
        long downMicros = 20_000L + random.nextInt(200_000);
        scheduler.after(writesGoOnMicros, () -> crash(nodes.get(holder), downMicros));
        scheduler.after(writesGoOnMicros + downMicros, () -> network.heal(reader, holder));
        scheduler.after(writesGoOnMicros + downMicros + 1_500_000, network::heal);
    }

    /** One replica's rows are copied to another, as a repair streams them: past the core, which hears of it after. */
    private void repairOne() {
        SimulatedNode from = any();
        SimulatedNode to = any();
        if (from == to || !from.isRunning() || !to.isRunning() || network.isCut()) {
            return;
        }
        quietUntilMicros = scheduler.nowMicros() + 2_000_000;
        to.store.absorb(from.store);
        if (plan.bug() != Bug.REPAIR_UNANNOUNCED) {
            to.perform(new Event.ForeignData(SimulatedNode.TABLE));
        }
    }

    /** The operator looks now and then: who was left behind gets a full repair as soon as the network is whole. */
    private void operate() {
        scheduler.after(OPERATOR_LOOKS_EVERY_MICROS, () -> {
            if (!network.isCut() && nodes.stream().allMatch(SimulatedNode::isRunning)) {
                for (SimulatedNode node : nodes) {
                    if (nodes.stream().anyMatch(other -> other.hasLeftBehind(node.id))) {
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
        nodes.forEach(other -> other.perform(new Event.PeerRepairing(repaired)));
        node.perform(new Event.ForeignDataComing(SimulatedNode.TABLE));
        nodes.forEach(other -> node.store.absorb(other.store));
        // Writes go on, and a repair does not bring what came after it had looked.
        scheduler.after(REPAIR_TAKES_MICROS, () -> {
            node.perform(new Event.ForeignData(SimulatedNode.TABLE));
            nodes.forEach(other -> other.perform(new Event.PeerRepaired(repaired)));
        });
    }
}
