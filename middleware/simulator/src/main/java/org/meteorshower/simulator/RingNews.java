/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Brings every node the news of the ring and of the schema, each at its own time, as gossip does: past cuts as long as
 * one other node can reach it, and to a node that was down some time after it has started. Cassandra lets one change of
 * the ring happen at a time, so there is one order of them. Of two schemas the later one counts.
 */
final class RingNews {
    /** Gossip finds a node again some seconds after the network does. */
    private static final long AGAIN_MICROS = 300_000;

    private static final long AGAIN_WITHIN_MICROS = 3_000_000;
    private static final long SLOW_MICROS = 6_000_000;

    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final List<SimulatedNode> nodes;
    private final Network network;
    private final int slowNews;

    /** How many changes of the ring there were. */
    private int changes;

    private Ring ring;
    private Ring before;
    private Epoch schema;

    RingNews(
            Scheduler scheduler,
            SplittableRandom random,
            List<SimulatedNode> nodes,
            Network network,
            int slowNews,
            Ring ring,
            Epoch schema) {
        this.scheduler = scheduler;
        this.random = random;
        this.nodes = nodes;
        this.network = network;
        this.slowNews = slowNews;
        this.ring = ring;
        this.before = ring;
        this.schema = schema;
    }

    /** As it is, whoever knows. */
    Ring ring() {
        return ring;
    }

    int changes() {
        return changes;
    }

    Epoch schema() {
        return schema;
    }

    /** The ring changes; this node is the first to know. */
    void changed(Ring next, SimulatedNode first) {
        if (!next.isMoving()) {
            before = ring.still();
        }
        ring = next;
        int change = ++changes;
        first.epochs().sees(change, next);
        tellAll(first, node -> node.epochs().sees(change, next));
    }

    /** A node writes the schema. */
    void written(Epoch epoch, SimulatedNode writer) {
        if (epoch.writtenMicros() > schema.writtenMicros()) {
            schema = epoch;
        }
        writer.epochs().declares(epoch);
        tellAll(writer, node -> node.epochs().declares(epoch));
    }

    /**
     * A node that starts knows the ring that it knew, but for a while some take it for what it was before the last
     * change: Cassandra takes a dead node for the owner of its partitions, though another one has replaced it.
     */
    Ring seenAtStart(Ring seen) {
        return changes > 0 && random.nextInt(4) == 0 ? before : seen;
    }

    /** What a node that has started has missed. */
    void catchUp(SimulatedNode node) {
        tell(node, delayMicros(), one -> {
            one.epochs().sees(changes, ring);
            one.epochs().declares(schema);
        });
    }

    private interface News {
        void told(SimulatedNode node);
    }

    private void tellAll(SimulatedNode but, News news) {
        for (SimulatedNode node : nodes) {
            if (node != but) {
                tell(node, delayMicros(), news);
            }
        }
    }

    /** Mostly within a second, now and then several. */
    private long delayMicros() {
        return 20_000 + random.nextLong(random.nextInt(slowNews) == 0 ? SLOW_MICROS : 900_000);
    }

    private void tell(SimulatedNode node, long afterMicros, News news) {
        scheduler.after(afterMicros, () -> {
            if (!node.isUp() || !node.inService) {
                return; // it asks when it starts
            }
            if (isReachable(node)) {
                node.act(() -> news.told(node));
            } else {
                tell(node, AGAIN_MICROS + random.nextLong(AGAIN_WITHIN_MICROS), news);
            }
        });
    }

    private boolean isReachable(SimulatedNode node) {
        return nodes.stream()
                .anyMatch(other -> other != node && other.isRunning() && !network.isCut(other.number, node.number));
    }
}
