/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.service.StorageService;
import org.meteorshower.cassandra.ways.Candidate;
import org.meteorshower.protocol.NodeId;

/**
 * The live replicas of a partition, and how far they may be as long as nothing is measured: those of this rack are
 * taken to be nearer than those of this data centre, and these nearer than others.
 */
final class LiveReplicas {
    private static final long SAME_RACK_MICROS = 0;
    /** More than what is equal to the same rack, so that its replicas are asked first. */
    private static final long SAME_DATA_CENTRE_MICROS = 2_000;

    /** Whatever is measured is nearer. */
    private static final long ELSEWHERE_MICROS = 60_000_000;

    private LiveReplicas() {}

    /** Of these nodes all that live, but this one. */
    static List<Candidate> of(Collection<NodeId> nodes, NodeId self) {
        TokenMetadata ring = StorageService.instance.getTokenMetadata();
        IEndpointSnitch snitch = DatabaseDescriptor.getEndpointSnitch();
        List<Candidate> live = new ArrayList<>();
        for (NodeId member : nodes) {
            InetAddressAndPort endpoint = ring.getEndpointForHostId(member.value());
            if (!member.equals(self) && endpoint != null && FailureDetector.instance.isAlive(endpoint)) {
                live.add(new Candidate(member, guessMicros(snitch, endpoint)));
            }
        }
        return live;
    }

    private static long guessMicros(IEndpointSnitch snitch, InetAddressAndPort endpoint) {
        if (!snitch.getDatacenter(endpoint).equals(snitch.getLocalDatacenter())) {
            return ELSEWHERE_MICROS;
        }
        return snitch.getRack(endpoint).equals(snitch.getLocalRack()) ? SAME_RACK_MICROS : SAME_DATA_CENTRE_MICROS;
    }
}
