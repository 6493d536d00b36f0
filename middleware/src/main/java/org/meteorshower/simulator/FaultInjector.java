/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;

/** Breaks things as planned, and plays the operator who repairs what was left behind. */
final class FaultInjector {
    private static final long OPERATOR_LOOKS_EVERY_MICROS = 3_000_000;
    private static final long REPAIR_TAKES_MICROS = 1_500_000;

    private record Link(int from, int to) {}

    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final SimulationPlan plan;
    private final Placement placement;
    private final List<SimulatedNode> nodes;
    private final Network network;
    private final Trace trace;
    private boolean calmed;

    /** When the minority went down, in true time; {@link Long#MAX_VALUE} while it is up. */
    long minorityDownSinceMicros = Long.MAX_VALUE;

    /** Until then no new fault: what an operator does takes its time, and the operator would begin anew. */
    private long quietUntilMicros;

    FaultInjector(
            Scheduler scheduler,
            SplittableRandom random,
            SimulationPlan plan,
            Placement placement,
            List<SimulatedNode> nodes,
            Network network,
            Trace trace) {
        this.scheduler = scheduler;
        this.random = random;
        this.plan = plan;
        this.placement = placement;
        this.nodes = nodes;
        this.network = network;
        this.trace = trace;
    }

    void plan() {
        SimulationPlan.Faults faults = plan.faults();
        repeat(faults.crashes(), this::crashOne);
        repeat(faults.cuts(), this::cutSome);
        repeat(faults.flaps(), this::flap);
        repeat(faults.pauses(), this::pauseOne);
        repeat(faults.repairs(), this::repairOne);
        repeat(faults.readRepairs(), this::readRepair);
        repeat(faults.readersCutOff(), this::cutOffAReaderWhileAHolderRestarts);
        repeat(faults.special().restartBursts(), this::restartInABurst);
        repeat(faults.special().repairsCutShort(), this::cutARepairShort);
        repeat(faults.special().leftBehindByOne(), this::letOneLeaveAnotherBehind);
        inTurn(faults.special().halfDeafRestarts(), 450_000, this::restartHalfDeaf);
        inTurn(faults.special().leftBehindByAll(), 10_000_000, this::letAllLeaveOneBehind);
        if (faults.clockOffsetMicros() > 10_000) {
            repeat(3, () -> any().jumpClock());
            repeat(2, () -> any().freezeClock(random.nextLong(3_000_000)));
        }
        operate();
    }

    /** How long the clients will be at work, roughly: about a round trip for a write, less for a read. */
    private long expectedMicros() {
        SimulationPlan.Workload workload = plan.workload();
        double oneWays = 2 - 1.5 * workload.readShare();
        long operationMicros = 2_000 + (long) (oneWays * plan.links().oneWayMicros());
        return operationMicros * workload.operations() / Math.max(1, workload.sessions());
    }

    /** Of a fault: mostly in proportion to the run, now and then as long as faults can be. */
    private long lastsMicros(int longest) {
        long most = random.nextInt(3) == 0 ? longest : Math.min(longest, expectedMicros() / 3);
        return 10_000 + random.nextLong(Math.max(1, most));
    }

    /** Clients have begun so many operations. */
    void begun(int operations) {
        if (plan.faults().minorityDown() && operations == plan.workload().operations() / 3) {
            takeAMinorityDown();
        }
    }

    private void repeat(int times, Runnable fault) {
        for (int i = 0; i < times; i++) {
            scheduler.after(1_020_000 + (long) (random.nextDouble() * expectedMicros()), () -> {
                if (!calmed && scheduler.nowMicros() >= quietUntilMicros) {
                    fault.run();
                }
            });
        }
    }

    /** One after another, each when the one before is over and healed. */
    private void inTurn(int times, long apartMicros, Runnable fault) {
        if (times > 0) {
            scheduler.after(1_200_000 + random.nextLong(apartMicros / 4), () -> onceInTurn(times, apartMicros, fault));
        }
    }

    private void onceInTurn(int times, long apartMicros, Runnable fault) {
        if (!calmed && times > 0) {
            fault.run();
            scheduler.after(
                    apartMicros + random.nextLong(apartMicros / 2), () -> onceInTurn(times - 1, apartMicros, fault));
        }
    }

    private SimulatedNode any() {
        return nodes.get(random.nextInt(nodes.size()));
    }

    private void note(String what) {
        trace.note(scheduler.nowMicros(), () -> what);
    }

    /** Everything heals, and stays so. */
    void calm() {
        calmed = true;
        note("all faults heal");
        network.heal();
        for (SimulatedNode node : nodes) {
            if (!node.isUp()) {
                node.start();
            }
        }
    }

    private void crashOne() {
        SimulatedNode victim = any();
        long downMicros = lastsMicros(4_000_000);
        if (random.nextInt(3) == 0 && victim.isUp()) {
            victim.crashWithinAStep(random.nextInt(4), () -> restartLater(victim, downMicros));
        } else {
            crash(victim, downMicros);
        }
    }

    private void crash(SimulatedNode victim, long downMicros) {
        if (victim.isUp()) {
            note("n" + victim.number + " crashes");
            victim.crash();
            restartLater(victim, downMicros);
        }
    }

    private void restartLater(SimulatedNode victim, long downMicros) {
        scheduler.after(downMicros, () -> {
            if (!victim.isUp() && minorityDownSinceMicros == Long.MAX_VALUE) {
                note("n" + victim.number + " restarts");
                victim.start();
            }
        });
    }

    /** All nodes of a data centre without which both quorums are there. */
    private void takeAMinorityDown() {
        int spare = Math.min(plan.cluster().replicas() - plan.writeQuorum(), plan.writeQuorum() - 1);
        List<Integer> candidates = new ArrayList<>();
        for (int dc = 0; dc < plan.cluster().nodesPerDc().size(); dc++) {
            int replicas = plan.cluster().replicasPerDc().get(dc);
            if (replicas > 0 && replicas <= spare) {
                candidates.add(dc);
            }
        }
        if (calmed || candidates.isEmpty()) {
            return;
        }
        int dc = candidates.get(random.nextInt(candidates.size()));
        note("data centre " + dc + " goes down");
        minorityDownSinceMicros = scheduler.nowMicros();
        nodes.stream()
                .filter(node -> plan.cluster().dcOf(node.number) == dc && node.isUp())
                .forEach(SimulatedNode::crash);
    }

    private void cutSome() {
        int a = random.nextInt(nodes.size());
        int b = random.nextInt(nodes.size());
        boolean oneWay = random.nextBoolean();
        boolean whole = random.nextInt(3) == 0;
        List<Link> links = new ArrayList<>();
        for (int other = 0; other < nodes.size(); other++) {
            if (whole || other == b) {
                links.add(new Link(a, other));
                if (!oneWay) {
                    links.add(new Link(other, a));
                }
            }
        }
        cut(links, lastsMicros(7_000_000));
    }

    private void cut(List<Link> links, long micros) {
        note("cut " + links);
        links.forEach(link -> network.cut(link.from, link.to));
        scheduler.after(micros, () -> {
            note("healed " + links);
            links.forEach(link -> network.healOneWay(link.from, link.to));
        });
    }

    private void flap() {
        List<Link> link = List.of(new Link(random.nextInt(nodes.size()), random.nextInt(nodes.size())));
        long atMicros = 0;
        for (int i = 0; i < 12; i++) {
            scheduler.after(atMicros, () -> cut(link, 5_000 + random.nextInt(200_000)));
            atMicros += 5_000 + random.nextInt(400_000);
        }
    }

    private void pauseOne() {
        SimulatedNode node = any();
        note("n" + node.number + " stands still");
        node.pause(lastsMicros(10_000_000));
    }

    private void cutOffAReaderWhileAHolderRestarts() {
        int reader = random.nextInt(nodes.size());
        int holder = (reader + 1 + random.nextInt(Math.max(1, nodes.size() - 1))) % nodes.size();
        note("n" + reader + " is cut off, and n" + holder + " is about to restart");
        cutOff(reader);
        long writesGoOnMicros = 100_000L + random.nextInt(400_000);
        long downMicros = 20_000L + random.nextInt(200_000);
        scheduler.after(writesGoOnMicros, () -> crash(nodes.get(holder), downMicros));
        scheduler.after(writesGoOnMicros + downMicros, () -> network.heal(reader, holder));
        scheduler.after(writesGoOnMicros + downMicros + 1_500_000, network::heal);
    }

    /** Dies again and again, each time before the answers to what the last life asked for can have come. */
    private void restartInABurst() {
        SimulatedNode victim = any();
        long atMicros = 0;
        for (int i = 0; i < 4; i++) {
            scheduler.after(atMicros, () -> crash(victim, 2_000));
            atMicros += 5_000 + random.nextLong(2 * plan.links().oneWayMicros());
        }
    }

    /** What was written at a node that is cut off comes to another one as a repair streams it, which dies right after. */
    private void cutARepairShort() {
        SimulatedNode from = any();
        SimulatedNode to = any();
        if (from == to || network.isCut()) {
            return;
        }
        note("n" + from.number + " is cut off, and a repair still brings n" + to.number + " what it holds");
        cutOff(from.number);
        scheduler.after(100_000 + random.nextInt(200_000), () -> {
            if (from.isRunning() && to.isRunning()) {
                to.store.absorb(from.store);
                to.perform(new Event.ForeignData(SimulatedNode.TABLE));
                crash(to, 20_000);
            }
        });
        scheduler.after(2_500_000, network::heal);
    }

    private void cutOff(int node) {
        for (int other = 0; other < nodes.size(); other++) {
            network.cut(node, other);
            network.cut(other, node);
        }
    }

    /** Two nodes do not hear each other until one leaves the other behind; then a third restarts, which hears both. */
    private void letOneLeaveAnotherBehind() {
        int a = random.nextInt(nodes.size());
        int b = (a + 1) % nodes.size();
        int third = (a + 2) % nodes.size();
        if (network.isCut()) {
            return;
        }
        cut(List.of(new Link(a, b), new Link(b, a)), 8_000_000);
        for (int i = 0; i < 3; i++) {
            scheduler.after(4_000_000 + i * 1_000_000L, () -> crash(nodes.get(third), 20_000));
        }
    }

    /** A node restarts and hears one of the others only: what the other one has applied it cannot know. */
    private void restartHalfDeaf() {
        int deaf = random.nextInt(nodes.size());
        int unheard = (deaf + 1 + random.nextInt(Math.max(1, nodes.size() - 1))) % nodes.size();
        cut(List.of(new Link(unheard, deaf)), 350_000);
        scheduler.after(random.nextInt(20_000), () -> crash(nodes.get(deaf), 5_000));
    }

    /** A node that takes writes, and cannot tell the others of them, is cut off until these have left it behind. */
    private void letAllLeaveOneBehind() {
        int alone = random.nextInt(nodes.size());
        note("n" + alone + " is cut off until the others leave it behind");
        cutOff(alone);
        scheduler.after(4_500_000 + random.nextInt(1_000_000), network::heal);
    }

    /** One replica's rows are copied to another, as a repair streams them: past the core, which hears of it after. */
    private void repairOne() {
        SimulatedNode from = any();
        SimulatedNode to = any();
        if (from == to || !from.isRunning() || !to.isRunning() || network.isCut()) {
            return;
        }
        note("what n" + from.number + " holds is copied to n" + to.number);
        to.store.absorb(from.store);
        if (plan.bug() != Bug.REPAIR_UNANNOUNCED) {
            to.perform(new Event.ForeignData(SimulatedNode.TABLE));
        }
    }

    /** A replica gets, as one mutation with the old timestamps, what it lacks of what another one holds. */
    private void readRepair() {
        PartitionKey key = Session.key(random.nextInt(plan.workload().partitions()));
        List<NodeId> replicas = placement.replicasOf(key).members();
        SimulatedNode from = node(replicas.get(random.nextInt(replicas.size())));
        SimulatedNode to = node(replicas.get(random.nextInt(replicas.size())));
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
            note("a read repair brings " + lacking + " from n" + from.number + " to n" + to.number);
            to.mutate(new CellUpdate(key, lacking), null);
        }
    }

    private SimulatedNode node(NodeId id) {
        return nodes.get((int) id.value().getLeastSignificantBits());
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
        note("n" + node.number + " is repaired in full");
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
