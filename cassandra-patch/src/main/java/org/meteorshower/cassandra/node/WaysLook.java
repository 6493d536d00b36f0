/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.views.WaysView;
import org.meteorshower.cassandra.ways.Way;
import org.meteorshower.cassandra.ways.Ways;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.MeteorShower;

/** Keeps the ways to the ring's nodes, with what status messages tell of them, and shows them. Thread-safe. */
record WaysLook(Ways ways, MeteorShower meteorShower) {
    /** To be called every second or so: forgets who has left the ring. */
    void look() {
        Map<NodeId, Long> oneWayMicros = meteorShower.inspect(view -> {
            Map<NodeId, Long> delays = new HashMap<>();
            view.peers().forEach(peer -> delays.put(peer, view.oneWayDelayMicros(peer)));
            return delays;
        });
        oneWayMicros.forEach((peer, micros) -> {
            if (micros > 0) { // else it is not measured
                ways.heard(peer, 2 * micros);
            }
        });
        ways.retain(node -> endpoint(node) != null);
    }

    /** By place. */
    Map<WaysView.Place, Way.Figures> figures() {
        Map<WaysView.Place, Way.Figures> figures = new HashMap<>();
        for (Way.Figures way : ways.figures()) {
            InetAddressAndPort endpoint = endpoint(way.node());
            if (endpoint != null) {
                String dataCentre = DatabaseDescriptor.getEndpointSnitch().getDatacenter(endpoint);
                figures.put(new WaysView.Place(endpoint.getHostAddressAndPort(), dataCentre), way);
            }
        }
        return figures;
    }

    private static @Nullable InetAddressAndPort endpoint(NodeId node) {
        return StorageService.instance.getTokenMetadata().getEndpointForHostId(node.value());
    }
}
