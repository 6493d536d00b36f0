/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.List;

/** Takes nodes and links down, and brings them back after a while. */
final class Outages {
    record Link(int from, int to) {}

    private final Scheduler scheduler;
    private final Chance random;
    private final SimulationPlan plan;
    private final List<SimulatedNode> nodes;
    private final Network network;
    private final Trace trace;

    /** When the minority went down, in true time; {@link Long#MAX_VALUE} while it is up. */
    long minorityDownSinceMicros = Long.MAX_VALUE;

    Outages(
            Scheduler scheduler,
            Chance random,
            SimulationPlan plan,
            List<SimulatedNode> nodes,
            Network network,
            Trace trace) {
        this.scheduler = scheduler;
        this.random = random;
        this.plan = plan;
        this.nodes = nodes;
        this.network = network;
        this.trace = trace;
    }

    void note(String what) {
        trace.note(scheduler.nowMicros(), () -> what);
    }

    SimulatedNode any() {
        return nodes.get(random.nextInt(nodes.size()));
    }

    void crash(SimulatedNode victim, long downMicros) {
        if (victim.isUp()) {
            note("n" + victim.number + " crashes");
            victim.crash();
            restartLater(victim, downMicros);
        }
    }

    void restartLater(SimulatedNode victim, long downMicros) {
        scheduler.after(downMicros, () -> {
            if (!victim.isUp() && victim.inService && minorityDownSinceMicros == Long.MAX_VALUE) {
                note("n" + victim.number + " restarts");
                victim.start();
            }
        });
    }

    /** All nodes of a data centre without which both quorums are there. */
    void takeAMinorityDown() {
        int spare = Math.min(plan.cluster().replicas() - plan.writeQuorum(), plan.writeQuorum() - 1);
        List<Integer> candidates = new ArrayList<>();
        for (int dc = 0; dc < plan.cluster().nodesPerDc().size(); dc++) {
            int replicas = plan.cluster().replicasPerDc().get(dc);
            if (replicas > 0 && replicas <= spare) {
                candidates.add(dc);
            }
        }
        if (candidates.isEmpty()) {
            return;
        }
        int dc = candidates.get(random.nextInt(candidates.size()));
        note("data centre " + dc + " goes down");
        minorityDownSinceMicros = scheduler.nowMicros();
        nodes.stream()
                .filter(node -> plan.cluster().dcOf(node.number) == dc && node.isUp())
                .forEach(SimulatedNode::crash);
    }

    void cut(List<Link> links, long micros) {
        note("cut " + links);
        links.forEach(link -> network.cut(link.from, link.to));
        scheduler.after(micros, () -> {
            note("healed " + links);
            links.forEach(link -> network.healOneWay(link.from, link.to));
        });
    }

    void reconnect(int node) {
        for (int other = 0; other < nodes.size(); other++) {
            network.heal(node, other);
        }
    }

    void cutOff(int node) {
        for (int other = 0; other < nodes.size(); other++) {
            network.cut(node, other);
            network.cut(other, node);
        }
    }
}
