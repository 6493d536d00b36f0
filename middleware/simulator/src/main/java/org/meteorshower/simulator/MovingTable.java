/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.SequentialReads;

/** A table whose partitions move: puts together what that takes. */
final class MovingTable {
    private final List<SimulatedNode> nodes;
    private final Epochs epochs;
    private final RingNews news;
    private final RingOperator operator;

    MovingTable(
            Scheduler scheduler,
            SplittableRandom random,
            SimulationPlan plan,
            List<SimulatedNode> nodes,
            Network network,
            Oracle oracle,
            Promises promises,
            Epochs epochs,
            Epoch first,
            Outages outages) {
        this.nodes = nodes;
        this.epochs = epochs;
        this.news = new RingNews(
                scheduler,
                random,
                nodes,
                network,
                plan.faults().special().moves().slowNews(),
                first.ring(),
                first);
        RingRepair repair = new RingRepair(scheduler, random, plan, nodes, network);
        RepairSharing sharing = plan.sharesRepairs()
                ? new RepairSharing(scheduler, random.split(), plan, nodes, network, repair, promises)
                : null;
        this.operator = new RingOperator(
                scheduler, random, plan, nodes, epochs, news, repair, outages, () -> whyNotServed() == null);
        EpochFollower.Lives lives = new EpochFollower.Lives() {
            @Override
            public Ring seenAtStart(Ring seen) {
                return news.seenAtStart(seen);
            }

            @Override
            public void begun(SimulatedNode node) {
                new RingLook(node, nodes, scheduler, plan, network, news, epochs, repair, sharing).lookOn();
                news.catchUp(node);
            }
        };
        for (SimulatedNode node : nodes) {
            node.inService = first.ring().members().contains(node.number);
            node.knows(new EpochFollower(node, plan, nodes, epochs, oracle, promises, first.ring(), first, lives));
        }
    }

    void plan() {
        operator.plan();
    }

    int ringChanges() {
        return news.changes();
    }

    /** Where the partition is to live now. */
    List<SimulatedNode> replicas(PartitionKey key) {
        ReplicaGroup group = epochs.groups(news.ring()).get(Session.partitionOf(key) % Ring.GROUPS);
        return group.members().stream()
                .map(id -> nodes.get(SimulatedNode.numberOf(id)))
                .toList();
    }

    /** Why the table is not served everywhere by the present ring; null where it is. */
    @Nullable
    String whyUnserved() {
        return operator.isDone() ? whyNotServed() : "the ring changes";
    }

    private @Nullable String whyNotServed() {
        Ring ring = news.ring();
        for (int member : ring.members()) {
            SimulatedNode node = nodes.get(member);
            Epoch followed = node.epochs().followed();
            SequentialReads core = node.core();
            if (core == null || followed == null) {
                return "n" + member + " follows no epoch";
            } else if (!followed.ring().digest().equals(ring.digest())) {
                return "n" + member + " follows " + followed + " and not the ring " + ring.digest();
            }
            for (ReplicaGroup group : epochs.groups(ring)) {
                String why = group.contains(node.id) ? core.view().notReady(epochs.name(followed), group) : null;
                if (why != null) {
                    return "n" + member + ": " + why;
                }
            }
            if (!node.epochs().earlierNames().isEmpty()) {
                return "n" + member + " still answers to an earlier name";
            }
        }
        return null;
    }
}
