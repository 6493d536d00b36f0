/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Now;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Recovery;
import org.meteorshower.protocol.SequentialReads;
import org.meteorshower.protocol.Settings;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.UpdateCodec;
import org.meteorshower.simulator.Cell;
import org.meteorshower.simulator.CellUpdate;
import org.meteorshower.transport.MessageCodec;

/**
 * The status traffic of a whole cluster: the protocol core of every node, driven in steps of a millisecond as a node's
 * ticker drives it, over a network that takes 50 ms and loses nothing. Stores and reads are left out: they send
 * nothing. For one thread.
 */
final class TrafficSimulation {
    private static final long STEP_MICROS = 1_000;
    private static final long DELAY_MICROS = 50_000;

    // Numbers as large as those of real nodes, for a message has fewer bytes where they are small.
    private static final long EPOCH_MICROS = 1_700_000_000_000_000L;
    private static final long INCARNATION = 1_700_000_000;
    private static final long UP_NANOS = 100_000_000_000_000L;

    private static final int WARM_UP_STEPS = 1_500;
    private static final int STEPS = 1_000;
    private static final int ROWS_PER_SEGMENT = 100;

    /** Length, type and tag of a frame. */
    private static final int FRAME_BYTES = 13;

    /** More than are ever under way. */
    private static final int RESEND_WINDOW = 64;

    private static final UUID TABLE = new UUID(7, 7);

    /** Nothing is lost, so no message is asked for again: what is kept for that would only fill the memory. */
    private static final Settings SETTINGS = settings();

    /** Updates travel in repairs alone, of which there are none here. */
    private static final MessageCodec CODEC = new MessageCodec(new UpdateCodec() {
        @Override
        public byte[] encode(Update update) {
            return new byte[update.sizeBytes()];
        }

        @Override
        public Update decode(ByteBuffer bytes) {
            throw new IllegalArgumentException("nothing is decoded here");
        }
    });

    private record Due(long micros, Runnable arrival) {}

    private final EvenRing ring;
    private final int nodes;
    private final int tokensPerNode;
    private final double writesPerNode;
    private final List<SequentialReads> cores = new ArrayList<>();
    private final ArrayDeque<Due> network = new ArrayDeque<>();
    private final SplittableRandom random = new SplittableRandom(1);
    private long micros;
    private long nextWrite = 1;
    private long messages;
    private long bytes;
    private long steps;

    /**
     * @param nodes a multiple of three, at least 3
     * @param writesPerNode a second, that each node coordinates
     */
    TrafficSimulation(int nodes, int tokensPerNode, double writesPerNode) {
        if (nodes < EvenRing.DATA_CENTRES || nodes % EvenRing.DATA_CENTRES != 0) {
            throw new IllegalArgumentException(
                    "--traffic: " + nodes + " nodes cannot be dealt out to three data centres; give multiples of 3");
        }
        this.nodes = nodes;
        this.tokensPerNode = tokensPerNode;
        this.writesPerNode = writesPerNode;
        ring = new EvenRing(nodes, tokensPerNode);
        for (int node = 0; node < nodes; node++) {
            cores.add(new SequentialReads(NodeId.of(node), SETTINGS, ring.placement(node), Recovery.none(INCARNATION)));
        }
    }

    private static Settings settings() {
        Settings usual = Settings.DEFAULTS;
        return new Settings(
                usual.dispatchIntervalMicros(),
                usual.restIntervalMicros(),
                usual.minFlushMicros(),
                usual.redundancy(),
                RESEND_WINDOW,
                usual.reorderWindow(),
                usual.clockErrorMicros(),
                usual.watchClocks(),
                usual.maxAheadMicros(),
                usual.ceilingStepMicros(),
                usual.lead(),
                false,
                usual.settleAfterMicros(),
                usual.pullAfterMicros(),
                usual.streamTimeoutMicros(),
                usual.maxRecords(),
                usual.recordsBytes(),
                usual.maxWaitingReads(),
                usual.announcementsPerMessage(),
                usual.leaseIdleMicros());
    }

    /** Of a second, once all streams are under way. */
    TrafficFigures run() {
        for (int node = 0; node < nodes; node++) {
            perform(node, new Event.PeersChanged(ring.peers(node)));
            perform(node, new Event.TableEnabled(TABLE, true));
        }
        advance(WARM_UP_STEPS);
        messages = 0;
        bytes = 0;
        steps = 0;
        long start = threadNanos();
        advance(STEPS);
        double seconds = STEPS * STEP_MICROS / 1e6;
        double spent = (threadNanos() - start) / 1e9;
        double peers = 0;
        for (int node = 0; node < nodes; node++) {
            peers += ring.peers(node).size();
        }
        return new TrafficFigures(
                nodes,
                tokensPerNode,
                writesPerNode,
                peers / nodes,
                messages / seconds / nodes,
                bytes / seconds / nodes,
                steps / seconds / nodes,
                spent / seconds / nodes);
    }

    /** What this thread was busy for: others may use the machine, too. */
    private static long threadNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private void advance(int count) {
        double writesPerStep = writesPerNode * STEP_MICROS / 1e6;
        for (int i = 0; i < count; i++) {
            micros += STEP_MICROS;
            for (Due due = network.peek(); due != null && due.micros <= micros; due = network.peek()) {
                network.remove();
                due.arrival.run();
            }
            for (int node = 0; node < nodes; node++) {
                perform(node, new Event.Tick());
                if (random.nextDouble() < writesPerStep) {
                    write(node);
                }
            }
        }
    }

    /** One that this node coordinates, of a partition that it holds. */
    private void write(int node) {
        List<Integer> own = ring.segmentsOf(node);
        int segment = own.get(random.nextInt(own.size()));
        PartitionKey key = ring.key(TABLE, segment, random.nextInt(ROWS_PER_SEGMENT));
        for (Effect effect : perform(node, new Event.WriteStarted(nextWrite++, List.of(key), 0, false))) {
            if (effect instanceof Effect.WriteStamped stamped) {
                Update update = new CellUpdate(key, Map.of(0, new Cell(stamped.timestampMicros(), "v")));
                for (NodeId member : ring.group(segment).members()) {
                    int to = EvenRing.number(member);
                    if (to == node) {
                        apply(node, null, update);
                    } else {
                        network.add(new Due(micros + DELAY_MICROS, () -> apply(to, NodeId.of(node), update)));
                    }
                }
            }
        }
    }

    private void apply(int node, @Nullable NodeId coordinator, Update update) {
        perform(node, new Event.Intended(update, null, 0, 0));
        perform(node, new Event.Applied(update.key(), update.id()));
        perform(node, new Event.Acknowledging(coordinator, update.key(), update.id()));
    }

    private List<Effect> perform(int node, Event event) {
        // Nodes are started, and tick, at times of their own.
        long now = micros + node * 37L % STEP_MICROS;
        steps++;
        List<Effect> effects =
                List.copyOf(cores.get(node).step(event, new Now(EPOCH_MICROS + now, UP_NANOS + now * 1_000)));
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send send) {
                Message message = send.message();
                messages++;
                bytes += CODEC.encode(message).length + FRAME_BYTES;
                int to = EvenRing.number(send.to());
                network.add(new Due(
                        micros + DELAY_MICROS, () -> perform(to, new Event.Received(NodeId.of(node), message))));
            }
        }
        return effects;
    }
}
