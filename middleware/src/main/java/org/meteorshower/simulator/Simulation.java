/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.ReplicaGroup;

/**
 * One simulated run. Deterministic: the plan's seed decides everything.
 *
 * <p>After the clients have begun all their operations, all faults heal, and the run goes on until everything in flight
 * should have settled.
 */
public final class Simulation {
    private static final long COOL_DOWN_MICROS = 90_000_000;
    private static final long LONGEST_RUN_MICROS = 3_600_000_000L;

    private final SimulationPlan plan;
    private final Scheduler scheduler = new Scheduler();
    private final SplittableRandom random;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<Session> sessions = new ArrayList<>();
    private final Network network;
    private final SimulationResult result = new SimulationResult();
    private final Set<NodeId> everyone = new LinkedHashSet<>();
    private final Recorder recorder = new Recorder();
    private final Oracle oracle;
    private boolean calmed;

    private Simulation(SimulationPlan plan) {
        this.plan = plan;
        this.oracle = new Oracle(plan.nodes(), plan.writeQuorum());
        this.random = new SplittableRandom(plan.seed());
        this.network = new Network(scheduler, random.split(), plan);
        for (int i = 0; i < plan.nodes(); i++) {
            everyone.add(NodeId.of(i));
        }
        ReplicaGroup group = new ReplicaGroup(List.copyOf(everyone), plan.writeQuorum());
        Placement placement = key -> group;
        for (int i = 0; i < plan.nodes(); i++) {
            nodes.add(new SimulatedNode(i, scheduler, random.split(), plan, placement, network, nodes, oracle));
        }
        for (int i = 0; i < plan.sessions(); i++) {
            sessions.add(new Session(i, scheduler, random.split(), plan, nodes, network, recorder, oracle, result));
        }
    }

    public static SimulationResult run(SimulationPlan plan, OperationSink sink) {
        Simulation simulation = new Simulation(plan);
        simulation.run();
        simulation.recorder.tell(sink, simulation.oracle);
        simulation.result.wrongRead = simulation.oracle.firstWrongRead();
        return simulation.result;
    }

    private void run() {
        if (plan.jitterShare() < 0.1) {
            network.allDelays(plan.oneWayMicros());
        }
        nodes.forEach(node -> node.start(everyone));
        // Clients begin when the first streams are up.
        sessions.forEach(session -> scheduler.after(1_000_000 + random.nextInt(10_000), session::run));
        planFaults();
        long endMicros = Long.MAX_VALUE;
        while (scheduler.nowMicros() < Math.min(endMicros, LONGEST_RUN_MICROS) && scheduler.step()) {
            result.steps++;
            if (!calmed
                    && result.begun >= plan.operations()
                    && sessions.stream().noneMatch(s -> s.busy)) {
                calm();
                endMicros = scheduler.nowMicros() + COOL_DOWN_MICROS;
            }
        }
        result.simulatedMicros = scheduler.nowMicros();
        for (SimulatedNode node : nodes) {
            var core = node.core();
            if (core != null) {
                result.recordsLeft += core.recordCount();
                result.stuck.addAll(core.describeRecords(3));
                result.readsLeft += core.waitingReadCount();
            }
        }
    }

    private void calm() {
        calmed = true;
        network.heal();
        for (SimulatedNode node : nodes) {
            if (!node.isUp()) {
                node.start(everyone);
            }
        }
    }

    // --- faults ------------------------------------------------------------------------------------------------

    private void planFaults() {
        for (int i = 0; i < plan.crashes(); i++) {
            scheduler.after(faultTime(), this::crashOne);
        }
        for (int i = 0; i < plan.partitionsOfNetwork(); i++) {
            scheduler.after(faultTime(), this::cutSome);
        }
        if (plan.clockOffsetMicros() > 0) {
            for (int i = 0; i < 3; i++) {
                scheduler.after(faultTime(), () -> nodes.get(random.nextInt(nodes.size()))
                        .jumpClock());
            }
        }
    }

    private long faultTime() {
        // Runs take some ten seconds: an operation about a tenth of a second.
        long expected = 100_000L * plan.operations() / Math.max(1, plan.sessions());
        return 1_500_000 + (long) (random.nextDouble() * expected);
    }

    private void crashOne() {
        SimulatedNode victim = nodes.get(random.nextInt(nodes.size()));
        if (!victim.isUp() || calmed) {
            return;
        }
        victim.crash();
        scheduler.after(10_000 + random.nextInt(4_000_000), () -> {
            if (!victim.isUp()) {
                victim.start(everyone);
            }
        });
    }

    private void cutSome() {
        if (calmed) {
            return;
        }
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
        scheduler.after(100_000 + random.nextInt(5_000_000), network::heal);
    }
}
