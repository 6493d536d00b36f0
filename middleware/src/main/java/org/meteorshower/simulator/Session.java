/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;
import java.util.SplittableRandom;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;

/** A closed-loop client: one operation at a time, with its token, at its node or, now and then, at another one. */
final class Session {
    static final long TIMEOUT_MICROS = 2_000_000;

    final String name;
    final Scheduler scheduler;
    final SplittableRandom random;
    final SimulationPlan plan;
    final Placement placement;
    final List<SimulatedNode> nodes;
    final Network network;
    final Recorder recorder;
    final Oracle oracle;
    final SimulationResult result;
    SimulatedNode node;
    long tokenMicros;
    private long current;
    boolean busy;

    Session(
            int number,
            Scheduler scheduler,
            SplittableRandom random,
            SimulationPlan plan,
            Placement placement,
            List<SimulatedNode> nodes,
            Network network,
            Recorder recorder,
            Oracle oracle,
            SimulationResult result) {
        this.name = "s" + number;
        this.scheduler = scheduler;
        this.random = random;
        this.plan = plan;
        this.placement = placement;
        this.nodes = nodes;
        this.network = network;
        this.recorder = recorder;
        this.oracle = oracle;
        this.result = result;
        this.node = nodes.get(number % nodes.size());
    }

    void run() {
        SimulationPlan.Workload workload = plan.workload();
        if (result.begun >= workload.operations()) {
            return;
        }
        result.begun++;
        if (random.nextDouble() < workload.moveShare() || !node.isUp()) {
            node = nodes.get(random.nextInt(nodes.size()));
        }
        if (!node.isUp()) {
            scheduler.after(50_000, this::run);
            return;
        }
        busy = true;
        current++;
        PartitionKey key = key(partition(workload));
        if (random.nextDouble() < workload.readShare()) {
            new ReadOperation(this, current, key).begin();
        } else {
            new WriteOperation(this, current, key).begin();
        }
    }

    private int partition(SimulationPlan.Workload workload) {
        if (!workload.zipf()) {
            return random.nextInt(workload.partitions());
        }
        // About 1/k for the k-th most popular.
        return (int) Math.exp(random.nextDouble() * Math.log(workload.partitions() + 1.0)) - 1;
    }

    static PartitionKey key(int partition) {
        return new PartitionKey(SimulatedNode.TABLE, new byte[] {(byte) (partition >> 8), (byte) partition});
    }

    static int partitionOf(PartitionKey key) {
        return (key.bytes()[0] & 0xff) * 256 + (key.bytes()[1] & 0xff);
    }

    boolean isCurrent(long operation) {
        return operation == current && busy;
    }

    /** The operation is over, one way or the other. */
    void next(long operation) {
        if (isCurrent(operation)) {
            busy = false;
            scheduler.after(random.nextInt(2_000), this::run);
        }
    }

    /** The replicas of a partition. */
    List<SimulatedNode> replicas(PartitionKey key) {
        return placement.replicasOf(key).members().stream().map(this::node).toList();
    }

    private SimulatedNode node(NodeId id) {
        return nodes.get((int) id.value().getLeastSignificantBits());
    }
}
