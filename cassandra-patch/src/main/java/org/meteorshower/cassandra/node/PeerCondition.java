/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.meteorshower.cassandra.views.PeersTable;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.MeteorShower;

/** The peers that this node has left behind, and their way back. Thread-safe. */
record PeerCondition(MeteorShower meteorShower) implements PeersTable.Condition {
    @Override
    public Set<UUID> leftBehind() {
        return meteorShower.inspect(
                view -> view.leftBehind().stream().map(NodeId::value).collect(Collectors.toCollection(HashSet::new)));
    }

    @Override
    public Set<UUID> beingRepaired() {
        return meteorShower.inspect(view ->
                view.beingRepaired().stream().map(NodeId::value).collect(Collectors.toCollection(HashSet::new)));
    }

    @Override
    public Set<UUID> awaitedAgain() {
        return meteorShower.inspect(
                view -> view.awaitedAgain().stream().map(NodeId::value).collect(Collectors.toCollection(HashSet::new)));
    }

    @Override
    public void repairing(UUID peer) {
        meteorShower.peerRepairing(new NodeId(peer));
    }

    @Override
    public void repaired(UUID peer) {
        meteorShower.peerRepaired(new NodeId(peer));
    }
}
