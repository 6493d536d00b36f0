/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.placement;

import java.util.List;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;

/**
 * What a table's options say of the replicas of each of its partitions.
 *
 * @param writeQuorum at which of them a write takes effect
 * @param strictAtHome whether strict reads are answered by leases, for whose holders writes wait
 */
public record GroupRules(WriteQuorum writeQuorum, boolean strictAtHome) {
    ReplicaGroup of(List<NodeId> members) {
        return new ReplicaGroup(members, writeQuorum.of(members.size()), strictAtHome);
    }
}
