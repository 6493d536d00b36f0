/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.meteorshower.onlinecheck.Violation;
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
    /** In which everything in flight must be settled once all faults have healed. */
    public static final long SETTLED_WITHIN_MICROS = 90_000_000;

    private static final long SETTLED_LOOK_EVERY_MICROS = 200_000;
    private static final long LONGEST_RUN_MICROS = 3_600_000_000L;

    /** Far more than any run takes whose nodes do not feed on their own work. */
    private static final long MOST_STEPS = 4_000_000;

    private final SimulationPlan plan;
    private final Scheduler scheduler = new Scheduler();
    private final SplittableRandom random;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<Session> sessions = new ArrayList<>();
    private final FaultInjector faults;
    private final SimulationResult result = new SimulationResult();
    private final Recorder recorder = new Recorder();
    private final Oracle oracle;
    private final Promises promises;
    private final Epochs epochs;
    private final BudgetWatch budgets;

    /** Null where partitions stay where they are. */
    private @Nullable MovingTable moves;

    /** Null where the table is enabled all the time. */
    private @Nullable TableOperator operator;

    private Simulation(SimulationPlan plan, Trace trace) {
        this.plan = plan;
        Ring first = Ring.of(IntStream.range(0, plan.nodes())
                .filter(node -> !plan.faults().special().moves().spares().contains(node))
                .boxed()
                .toList());
        Epoch epoch = new Epoch(0, 1_000, false, first);
        this.epochs = new Epochs(plan);
        epochs.name(epoch);
        Placement placement = plan.hasMoves() ? epochs : placement(plan);
        this.oracle = new Oracle(plan, placement);
        this.promises = new Promises(placement, plan.nodes());
        this.random = new SplittableRandom(plan.seed());
        Mistakes mistakes = new Mistakes(plan.bug());
        Network network = new Network(scheduler, random.split(), plan);
        Set<NodeId> everyone = new LinkedHashSet<>();
        for (int i = 0; i < plan.nodes(); i++) {
            everyone.add(NodeId.of(i));
        }
        for (int i = 0; i < plan.nodes(); i++) {
            SimulatedNode node = new SimulatedNode(
                    i, scheduler, random.split(), plan, network, nodes, oracle, promises, mistakes, trace);
            node.knows(new FixedTable(node, placement, everyone, nodes));
            nodes.add(node);
        }
        this.budgets = new BudgetWatch(scheduler, plan, nodes, promises);
        ClockWatch clocks = new ClockWatch(scheduler, plan, nodes, network, promises);
        this.faults = new FaultInjector(scheduler, random.split(), plan, nodes, network, trace);
        Session.Surroundings surroundings = new Session.Surroundings(
                scheduler, plan, nodes, network, recorder, oracle, clocks, faults, result, trace);
        if (plan.hasMoves()) {
            this.moves = new MovingTable(
                    scheduler, random.split(), plan, nodes, network, oracle, promises, epochs, epoch, faults.outages());
        }
        if (plan.isSwitched()) {
            TableOperator switches = new TableOperator(
                    scheduler, random.split(), plan, nodes, network, placement, promises, faults.outages());
            this.operator = switches;
            nodes.forEach(node -> node.knows(
                    new SwitchedTable(node, plan, placement, everyone, nodes, oracle, promises, switches::begun)));
        }
        for (int i = 0; i < plan.workload().sessions(); i++) {
            sessions.add(new Session(i, random.split(), surroundings));
        }
    }

    private static Placement placement(SimulationPlan plan) {
        SimulationPlan.Cluster cluster = plan.cluster();
        List<ReplicaGroup> groups = new ArrayList<>();
        for (int partition = 0; partition < 12; partition++) { // a common multiple of 1 to 4 nodes a data centre
            List<NodeId> members = new ArrayList<>();
            int first = 0;
            for (int dc = 0; dc < cluster.nodesPerDc().size(); dc++) {
                int here = cluster.nodesPerDc().get(dc);
                for (int i = 0; i < cluster.replicasPerDc().get(dc); i++) {
                    members.add(NodeId.of(first + (partition + i) % here));
                }
                first += here;
            }
            groups.add(new ReplicaGroup(members, plan.writeQuorum(), cluster.strictAtHome()));
        }
        return (PartitionKey key) -> groups.get(Session.partitionOf(key) % groups.size());
    }

    public static SimulationResult run(SimulationPlan plan, OperationSink sink) {
        return run(plan, sink, Trace.NONE);
    }

    public static SimulationResult run(SimulationPlan plan, OperationSink sink, Trace trace) {
        Simulation simulation = new Simulation(plan, trace);
        simulation.run();
        simulation.judge(sink);
        return simulation.result;
    }

    private void run() {
        nodes.stream().filter(node -> node.inService).forEach(SimulatedNode::start);
        // Clients begin when the first streams are up.
        sessions.forEach(session -> scheduler.after(1_000_000 + random.nextInt(10_000), session::run));
        faults.plan();
        if (plan.hasSizes()) {
            budgets.watch();
        }
        if (moves != null) {
            moves.plan();
        }
        if (operator != null) {
            operator.plan();
        }
        long calmMicros = Long.MAX_VALUE;
        long lookMicros = 0;
        while (scheduler.nowMicros() < LONGEST_RUN_MICROS && result.steps < MOST_STEPS && scheduler.step()) {
            result.steps++;
            if (scheduler.nowMicros() < lookMicros) {
                continue;
            }
            lookMicros = scheduler.nowMicros() + SETTLED_LOOK_EVERY_MICROS;
            if (calmMicros == Long.MAX_VALUE) {
                if (result.begun >= plan.workload().operations() && nobodyIsBusy()) {
                    faults.calm();
                    calmMicros = scheduler.nowMicros();
                }
            } else if (isSettled() || scheduler.nowMicros() > calmMicros + SETTLED_WITHIN_MICROS) {
                result.settledAfterMicros = scheduler.nowMicros() - calmMicros;
                break;
            }
        }
        result.simulatedMicros = scheduler.nowMicros();
    }

    private boolean nobodyIsBusy() {
        for (Session session : sessions) {
            if (session.busy) {
                return false;
            }
        }
        return true;
    }

    private boolean isSettled() {
        if ((moves != null && moves.whyUnserved() != null) || (operator != null && operator.whyUnserved() != null)) {
            return false;
        }
        for (SimulatedNode node : nodes) {
            var core = node.core();
            if (node.inService
                    && (core == null
                            || core.view().recordCount() > 0
                            || core.view().waitingReadCount() > 0)) {
                return false;
            }
        }
        return whoIsLeftBehind() == null;
    }

    /**
     * A node that takes part and that another one does not wait for, and counts for nothing; null where there is none.
     */
    private @Nullable String whoIsLeftBehind() {
        for (SimulatedNode node : nodes) {
            var core = node.core();
            if (node.inService && core != null) {
                for (SimulatedNode other : nodes) {
                    if (other.inService
                            && core.view().leftBehind().contains(other.id)
                            && core.view().peers().contains(other.id)) {
                        return "n" + node.number + " has left n" + other.number + " behind";
                    }
                }
            }
        }
        return null;
    }

    private void judge(OperationSink sink) {
        oracle.close();
        budgets.lookForWhatWasNotReleased();
        recorder.tell(sink, oracle);
        result.wrongRead = oracle.firstWrongRead();
        result.staleRead = oracle.firstStaleRead();
        result.brokenPromise = promises.firstBroken();
        if (plan.hasGoodClocks()) {
            result.acknowledgedAheadMicros = oracle.acknowledgedAheadMicros();
        }
        if (moves != null) {
            result.ringChanges = moves.ringChanges();
            result.unserved = moves.whyUnserved();
            result.lostWrite = result.unserved == null ? oracle.firstLostWrite(moves::replicas) : null;
        }
        if (operator != null) {
            TableOperator switches = operator;
            result.unserved = switches.whyUnserved();
            result.lostWrite =
                    result.unserved == null && switches.isEnabled() ? oracle.firstLostWrite(switches::replicas) : null;
        }
        if (result.unserved == null) {
            result.unserved = whoIsLeftBehind();
        }
        for (SimulatedNode node : nodes) {
            result.leftBehind += node.leftBehindCount;
            node.checks.end();
            result.online = result.online.plus(node.checks.figures());
            Violation violation = node.checks.first();
            if (result.foundOnline == null && violation != null) {
                result.foundOnline = "n" + node.number + ", " + violation.kind() + ": " + violation.text();
            }
            var core = node.core();
            if (core != null && node.inService) {
                result.recordsLeft += core.view().recordCount();
                result.stuck.addAll(core.view().describeRecords(3));
                result.readsLeft += core.view().waitingReadCount();
            }
        }
    }
}
