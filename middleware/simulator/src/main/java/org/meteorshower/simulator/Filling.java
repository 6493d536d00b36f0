/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;
import java.util.SplittableRandom;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.NodeId;

/**
 * Brings a node what others hold, as repairs that only pull do it: past the core, from one source after the other, a
 * part of the partitions at a time, while writes go on. It fails where a source is not there, or a link is cut.
 */
final class Filling {
    private static final int PARTS = 4;
    private static final int LONGEST_PART_MICROS = 600_000;

    private final SimulatedNode node;
    private final SplittableRandom random;
    private final SimulationPlan plan;
    private final Network network;
    private final long order;
    private final List<NodeId> sources;

    Filling(
            SimulatedNode node,
            SplittableRandom random,
            SimulationPlan plan,
            Network network,
            long order,
            List<NodeId> sources) {
        this.node = node;
        this.random = random;
        this.plan = plan;
        this.network = network;
        this.order = order;
        this.sources = sources;
    }

    void begin() {
        node.later(random.nextInt(LONGEST_PART_MICROS), () -> {
            node.table().names().forEach(name -> node.perform(new Event.ForeignDataComing(name)));
            part(0, 0);
        });
    }

    private void part(int source, int part) {
        if (source == sources.size()) {
            end(true);
            return;
        }
        node.later(random.nextInt(LONGEST_PART_MICROS), () -> {
            SimulatedNode from = node.other(SimulatedNode.numberOf(sources.get(source)));
            if (!from.isRunning()
                    || network.isCut(from.number, node.number)
                    || network.isCut(node.number, from.number)) {
                end(false);
                return;
            }
            if (plan.bug() != Bug.FILLED_WITH_NOTHING) {
                node.store.absorbPart(from.store, part, PARTS);
            }
            boolean last = part + 1 == PARTS;
            part(last ? source + 1 : source, last ? 0 : part + 1);
        });
    }

    private void end(boolean complete) {
        node.table().names().forEach(name -> node.perform(new Event.ForeignData(name)));
        node.perform(new Event.Filled(order, complete));
    }
}
