/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.SequentialReads;

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

    /** Where this node lacks what the present source has retired; null where it may lack something in all buckets. */
    private @Nullable BitSet missed;

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
            if (part == 0) {
                missed = missedAt(from);
            }
            if (plan.bug() != Bug.FILLED_WITH_NOTHING) {
                node.store.absorbPart(from.store, part, PARTS, this::isMissed);
            }
            boolean last = part + 1 == PARTS;
            part(last ? source + 1 : source, last ? 0 : part + 1);
        });
    }

    private @Nullable BitSet missedAt(SimulatedNode source) {
        SequentialReads core = source.core();
        UUID name = node.table().name();
        return core == null || name == null ? null : core.view().missedBy(node.id, name);
    }

    private boolean isMissed(PartitionKey key) {
        BitSet known = missed;
        return known == null || known.get(BucketedPlacement.bucket(key));
    }

    private void end(boolean complete) {
        node.table().names().forEach(name -> node.perform(new Event.ForeignData(name)));
        node.perform(new Event.Filled(order, complete));
    }
}
