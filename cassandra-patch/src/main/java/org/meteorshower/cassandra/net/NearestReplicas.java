/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.service.StorageService;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;

/**
 * The live replicas of a partition: this rack's first, then this data centre's, then others, and among equals the
 * lowest host id. How far away data centres are is not measured.
 */
final class NearestReplicas {
    private NearestReplicas() {}

    static List<NodeId> of(ReplicaGroup group) {
        TokenMetadata ring = StorageService.instance.getTokenMetadata();
        IEndpointSnitch snitch = DatabaseDescriptor.getEndpointSnitch();
        List<NodeId> live = new ArrayList<>();
        List<Integer> distances = new ArrayList<>();
        for (NodeId member : group.members()) {
            InetAddressAndPort endpoint = ring.getEndpointForHostId(member.value());
            if (endpoint == null || !FailureDetector.instance.isAlive(endpoint)) {
                continue;
            }
            int distance = distance(snitch, endpoint);
            int at = 0;
            while (at < live.size() && distances.get(at) <= distance) {
                at++;
            }
            live.add(at, member);
            distances.add(at, distance);
        }
        return live;
    }

    private static int distance(IEndpointSnitch snitch, InetAddressAndPort endpoint) {
        if (!snitch.getDatacenter(endpoint).equals(snitch.getLocalDatacenter())) {
            return 2;
        }
        return snitch.getRack(endpoint).equals(snitch.getLocalRack()) ? 0 : 1;
    }
}
