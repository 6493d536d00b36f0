/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.views.LeasesView;
import org.meteorshower.cassandra.views.PeersView;
import org.meteorshower.protocol.CoreView;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.MeteorShower;
import org.meteorshower.transport.NettyTransport;
import org.meteorshower.transport.PeerTraffic;

/** How this node's peers do, as the protocol and the transport see them. Thread-safe. */
record PeerLook(MeteorShower meteorShower, NettyTransport transport) {
    private static final PeerTraffic NONE = new PeerTraffic(0, 0);

    /** The nodes that share data with this one, and those that it has left behind. */
    List<PeersView.Peer> peers() {
        Map<NodeId, Seen> seen = meteorShower.inspect(PeerLook::look);
        Map<NodeId, PeerTraffic> sent = transport.traffic();
        Map<NodeId, PeerTraffic> received = transport.received();
        Map<NodeId, Long> queued = transport.queuedBytes();
        List<PeersView.Peer> peers = new ArrayList<>();
        seen.forEach((node, at) -> {
            InetAddressAndPort address =
                    StorageService.instance.getTokenMetadata().getEndpointForHostId(node.value());
            peers.add(new PeersView.Peer(
                    node.value(),
                    addressOf(address),
                    dataCentreOf(address),
                    at.stream,
                    at.lagMicros,
                    at.skewMicros,
                    at.delayMicros,
                    at.silentMicros,
                    at.state,
                    sent.getOrDefault(node, NONE),
                    received.getOrDefault(node, NONE),
                    queued.getOrDefault(node, 0L)));
        });
        return peers;
    }

    /** What is promised between this node and its peers for strict reads at home. */
    List<LeasesView.Entry> leases() {
        List<LeasesView.Entry> entries = new ArrayList<>();
        for (CoreView.Lease lease : meteorShower.inspect(CoreView::leases)) {
            InetAddressAndPort address = StorageService.instance
                    .getTokenMetadata()
                    .getEndpointForHostId(lease.peer().value());
            entries.add(new LeasesView.Entry(addressOf(address), dataCentreOf(address), lease));
        }
        return entries;
    }

    private static String addressOf(@Nullable InetAddressAndPort address) {
        return address == null ? "not on the ring" : address.getHostAddressAndPort();
    }

    private static String dataCentreOf(@Nullable InetAddressAndPort address) {
        return address == null ? "" : DatabaseDescriptor.getEndpointSnitch().getDatacenter(address);
    }

    private record Seen(
            String stream,
            @Nullable Long lagMicros,
            @Nullable Long skewMicros,
            long delayMicros,
            @Nullable Long silentMicros,
            String state) {}

    private static Map<NodeId, Seen> look(CoreView view) {
        Set<NodeId> leftBehind = view.leftBehind();
        Set<NodeId> repairing = view.beingRepaired();
        Set<NodeId> awaited = view.awaitedAgain();
        Set<NodeId> all = new TreeSet<>(view.peers());
        all.addAll(leftBehind);
        Map<NodeId, Seen> seen = new HashMap<>();
        for (NodeId peer : all) {
            Long covered = view.coveredUpToMicros(peer);
            long silent = view.silentForMicros(peer);
            seen.put(
                    peer,
                    new Seen(
                            view.streamOf(peer),
                            covered == null ? null : Long.valueOf(Math.max(0, view.hybridClockMicros() - covered)),
                            view.clockSkewMicros(peer),
                            view.oneWayDelayMicros(peer),
                            silent == Long.MAX_VALUE ? null : Long.valueOf(silent),
                            !leftBehind.contains(peer)
                                    ? "in step"
                                    : repairing.contains(peer)
                                            ? "being repaired"
                                            : awaited.contains(peer) ? "coming back" : "left behind"));
        }
        return seen;
    }
}
