/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
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
    private static final long SETTLED_LOOK_EVERY_MICROS = 1_000_000;
    private static final long LONGEST_RUN_MICROS = 3_600_000_000L;

    private final SimulationPlan plan;
    private final Scheduler scheduler = new Scheduler();
    private final SplittableRandom random;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<Session> sessions = new ArrayList<>();
    private final FaultInjector faults;
    private final SimulationResult result = new SimulationResult();
    private final Recorder recorder = new Recorder();
    private final Oracle oracle;

    private Simulation(SimulationPlan plan, Trace trace) {
        this.plan = plan;
        this.oracle = new Oracle(plan);
        this.random = new SplittableRandom(plan.seed());
        Network network = new Network(scheduler, random.split(), plan);
        Set<NodeId> everyone = new LinkedHashSet<>();
        for (int i = 0; i < plan.nodes(); i++) {
            everyone.add(NodeId.of(i));
        }
        Placement placement = placement(plan);
        for (int i = 0; i < plan.nodes(); i++) {
            nodes.add(new SimulatedNode(
                    i, scheduler, random.split(), plan, placement, everyone, network, nodes, oracle, trace));
        }
        for (int i = 0; i < plan.workload().sessions(); i++) {
            sessions.add(new Session(
                    i, scheduler, random.split(), plan, placement, nodes, network, recorder, oracle, result));
        }
        this.faults = new FaultInjector(scheduler, random.split(), plan, nodes, network);
    }

    /** Partition p lives on the nodes p, p + 1 and so on. */
    private static Placement placement(SimulationPlan plan) {
        List<ReplicaGroup> groups = new ArrayList<>();
        for (int first = 0; first < plan.nodes(); first++) {
            List<NodeId> members = new ArrayList<>();
            for (int i = 0; i < plan.replicas(); i++) {
                members.add(NodeId.of((first + i) % plan.nodes()));
            }
            groups.add(new ReplicaGroup(members, plan.writeQuorum()));
        }
        return (PartitionKey key) -> groups.get(Session.partitionOf(key) % groups.size());
    }

    public static SimulationResult run(SimulationPlan plan, OperationSink sink) {
        return run(plan, sink, Trace.NONE);
    }

    public static SimulationResult run(SimulationPlan plan, OperationSink sink, Trace trace) {
        Simulation simulation = new Simulation(plan, trace);
        simulation.run();
        simulation.recorder.tell(sink, simulation.oracle);
        simulation.result.wrongRead = simulation.oracle.firstWrongRead();
        simulation.result.staleRead = simulation.oracle.firstStaleRead();
        if (plan.mode().needsClock()) {
            simulation.result.acknowledgedAheadMicros = simulation.oracle.acknowledgedAheadMicros();
        }
        return simulation.result;
    }

    private void run() {
        nodes.forEach(SimulatedNode::start);
        // Clients begin when the first streams are up.
        sessions.forEach(session -> scheduler.after(1_000_000 + random.nextInt(10_000), session::run));
        faults.plan();
        long endMicros = Long.MAX_VALUE;
        long lookMicros = 0;
        while (scheduler.nowMicros() < Math.min(endMicros, LONGEST_RUN_MICROS) && scheduler.step()) {
            result.steps++;
            if (scheduler.nowMicros() < lookMicros) {
                continue;
            }
            lookMicros = scheduler.nowMicros() + SETTLED_LOOK_EVERY_MICROS;
            if (endMicros != Long.MAX_VALUE) {
                if (isSettled()) {
                    break;
                }
            } else if (result.begun >= plan.workload().operations()
                    && sessions.stream().noneMatch(s -> s.busy)) {
                faults.calm();
                endMicros = scheduler.nowMicros() + COOL_DOWN_MICROS;
            }
        }
        result.simulatedMicros = scheduler.nowMicros();
        for (SimulatedNode node : nodes) {
            result.leftBehind += node.leftBehindCount;
            var core = node.core();
            if (core != null) {
                result.recordsLeft += core.recordCount();
                result.stuck.addAll(core.describeRecords(3));
                result.readsLeft += core.waitingReadCount();
            }
        }
    }

    private boolean isSettled() {
        return nodes.stream().allMatch(node -> {
            var core = node.core();
            return core != null && core.recordCount() == 0 && core.waitingReadCount() == 0;
        });
    }
}
