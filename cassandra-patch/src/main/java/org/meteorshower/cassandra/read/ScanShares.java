/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.utils.Pair;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.placement.Piece;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;

/** Which node reads which part of a scan's range. Immutable. */
final class ScanShares {
    /** Who can serve what. */
    @FunctionalInterface
    interface Holders {
        boolean canServe(NodeId node, ReplicaGroup group);
    }

    /** What one node reads without a gap. */
    record Share(NodeId node, AbstractBounds<PartitionPosition> bounds) {}

    private record Run(NodeId node, Token to) {}

    /** Each ends where the next one begins. */
    private final List<Run> runs;

    private final @Nullable Piece uncovered;

    private ScanShares(List<Run> runs, @Nullable Piece uncovered) {
        this.runs = runs;
        this.uncovered = uncovered;
    }

    /**
     * Each piece goes to the first node that can serve it.
     *
     * @param order the nodes, the first ones first
     */
    static ScanShares over(List<Piece> pieces, List<NodeId> order, Holders holders) {
        List<Run> runs = new ArrayList<>();
        for (Piece piece : pieces) {
            NodeId reader = null;
            for (NodeId node : order) {
                if (holders.canServe(node, piece.group())) {
                    reader = node;
                    break;
                }
            }
            if (reader == null) {
                return new ScanShares(List.of(), piece);
            }
            if (!runs.isEmpty() && runs.get(runs.size() - 1).node().equals(reader)) {
                runs.remove(runs.size() - 1);
            }
            runs.add(new Run(reader, piece.to()));
        }
        return new ScanShares(runs, null);
    }

    /** What nobody can serve; null where there is no such piece. */
    @Nullable
    Piece uncovered() {
        return uncovered;
    }

    Set<NodeId> nodes() {
        Set<NodeId> nodes = new LinkedHashSet<>();
        runs.forEach(run -> nodes.add(run.node()));
        return nodes;
    }

    /** The same by who reads them, each in the order of the tokens. */
    Map<NodeId, List<AbstractBounds<PartitionPosition>>> byNode(AbstractBounds<PartitionPosition> range) {
        return byNode(of(range));
    }

    static Map<NodeId, List<AbstractBounds<PartitionPosition>>> byNode(List<Share> shares) {
        Map<NodeId, List<AbstractBounds<PartitionPosition>>> byNode = new LinkedHashMap<>();
        shares.forEach(share ->
                byNode.computeIfAbsent(share.node(), node -> new ArrayList<>()).add(share.bounds()));
        return byNode;
    }

    /**
     * The shares of a range, in the order of the tokens.
     *
     * @param range within the one that was shared out
     */
    List<Share> of(AbstractBounds<PartitionPosition> range) {
        List<Share> shares = new ArrayList<>(runs.size());
        AbstractBounds<PartitionPosition> rest = range;
        for (int i = 0; i < runs.size() - 1; i++) {
            Run run = runs.get(i);
            PartitionPosition end = run.to().maxKeyBound();
            if (rest.left.compareTo(end) >= 0) {
                continue; // it begins after this one
            }
            if (!rest.right.isMinimum() && rest.right.compareTo(end) <= 0) {
                shares.add(new Share(run.node(), rest));
                return shares;
            }
            Pair<AbstractBounds<PartitionPosition>, AbstractBounds<PartitionPosition>> split = rest.split(end);
            shares.add(new Share(run.node(), split.left));
            rest = split.right;
        }
        shares.add(new Share(runs.get(runs.size() - 1).node(), rest));
        return shares;
    }
}
