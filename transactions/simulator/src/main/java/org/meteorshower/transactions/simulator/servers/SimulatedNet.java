/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.servers;

import java.util.Map;
import java.util.TreeMap;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.servers.ChainCodec;
import org.meteorshower.transactions.servers.ChainMessage;
import org.meteorshower.transactions.servers.Packets;

/** Carries messages between nodes as bytes, by packets, which are lost, repeated, late and overtaken as a whole. */
final class SimulatedNet {
    /** In place of a node. */
    static final int SEQUENCER = -1;

    private final ServersWorld world;
    private final ChainCodec codec;
    private final Map<Integer, Packets> bySender = new TreeMap<>();
    private boolean isToBeFlushed;
    private long packets;

    SimulatedNet(ServersWorld world) {
        this.world = world;
        this.codec = new ChainCodec(world.plan.ranges());
    }

    long packets() {
        return packets;
    }

    /** Between nodes, or {@link #SEQUENCER}. What is sent within a moment goes together. */
    void send(int from, int to, ChainMessage message) {
        bySender.computeIfAbsent(
                        from,
                        sender -> new Packets(
                                codec, world.plan.packetBytes(), (bytes, node) -> carry(sender, node, bytes)))
                .add(to, message);
        if (!isToBeFlushed) {
            isToBeFlushed = true;
            world.scheduler.after(0, this::flush);
        }
    }

    private void flush() {
        isToBeFlushed = false;
        bySender.values().forEach(Packets::flush);
    }

    private void carry(int from, int to, byte[] packet) {
        packets++;
        double chance = world.random.nextDouble();
        ServersPlan plan = world.plan;
        int copies = chance < plan.lost() ? 0 : chance < plan.lost() + plan.repeated() ? 2 : 1;
        for (int copy = 0; copy < copies; copy++) {
            long micros = to == from ? 10 : 100 + world.random.nextLong(plan.jitterMicros());
            world.scheduler.after(micros, () -> arrive(to, packet));
        }
    }

    private void arrive(int to, byte[] packet) {
        try {
            Packets.read(packet, codec).forEach(message -> world.deliver(to, message));
        } catch (BadDataException e) {
            world.broken("a packet cannot be read: " + e.getMessage());
        }
    }
}
