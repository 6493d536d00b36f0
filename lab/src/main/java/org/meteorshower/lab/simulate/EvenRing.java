/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.ReplicaGroup;

/**
 * A ring on which the tokens of each of three data centres lie at even distances, those of the second and third a third
 * and two thirds of that further on; each row has one replica in each data centre. With one token a node has as few
 * peers as can be, with many its pieces lie anywhere, as Cassandra has it. Immutable.
 */
final class EvenRing {
    static final int DATA_CENTRES = 3;
    private static final long SEED = 11;

    private final int nodes;
    private final List<ReplicaGroup> segments = new ArrayList<>();
    private final List<Set<ReplicaGroup>> groupsOfNode = new ArrayList<>();
    private final List<List<Integer>> segmentsOfNode = new ArrayList<>();

    /** @param nodes in all; a multiple of three */
    EvenRing(int nodes, int tokensPerNode) {
        this.nodes = nodes;
        List<List<Integer>> owners = owners(tokensPerNode);
        for (int node = 0; node < nodes; node++) {
            groupsOfNode.add(new HashSet<>());
            segmentsOfNode.add(new ArrayList<>());
        }
        int tokens = nodes / DATA_CENTRES * tokensPerNode;
        for (int segment = 0; segment < DATA_CENTRES * tokens; segment++) {
            // Held by the first token of each data centre at or after the segment's end, which is a token of one of
            // them.
            List<NodeId> members = new ArrayList<>();
            for (int dc = 0; dc < DATA_CENTRES; dc++) {
                int token = (segment - dc + DATA_CENTRES - 1) / DATA_CENTRES % tokens;
                members.add(NodeId.of(owners.get(dc).get(token)));
            }
            ReplicaGroup group = ReplicaGroup.majority(members.toArray(NodeId[]::new));
            segments.add(group);
            for (NodeId member : members) {
                groupsOfNode.get(number(member)).add(group);
                segmentsOfNode.get(number(member)).add(segment);
            }
        }
    }

    /** Of the tokens of each data centre, in the ring's order. */
    private List<List<Integer>> owners(int tokensPerNode) {
        Random random = new Random(SEED);
        List<List<Integer>> owners = new ArrayList<>();
        int perDc = nodes / DATA_CENTRES;
        for (int dc = 0; dc < DATA_CENTRES; dc++) {
            List<Integer> tokens = new ArrayList<>();
            for (int i = 0; i < perDc * tokensPerNode; i++) {
                tokens.add(dc * perDc + i % perDc);
            }
            if (tokensPerNode > 1) {
                Collections.shuffle(tokens, random);
            }
            owners.add(tokens);
        }
        return owners;
    }

    static int number(NodeId node) {
        return (int) node.value().getLeastSignificantBits();
    }

    int segments() {
        return segments.size();
    }

    ReplicaGroup group(int segment) {
        return segments.get(segment);
    }

    /** Those that this node holds. */
    List<Integer> segmentsOf(int node) {
        return segmentsOfNode.get(node);
    }

    PartitionKey key(UUID table, int segment, int row) {
        return new PartitionKey(
                table, ByteBuffer.allocate(8).putInt(segment).putInt(row).array());
    }

    Set<NodeId> peers(int node) {
        Set<NodeId> peers = new TreeSet<>();
        groupsOfNode.get(node).forEach(group -> peers.addAll(group.members()));
        peers.remove(NodeId.of(node));
        return peers;
    }

    /** As this node sees it: of all groups it needs its own. */
    Placement placement(int node) {
        return new Placement() {
            @Override
            public ReplicaGroup replicasOf(PartitionKey key) {
                return segments.get(ByteBuffer.wrap(key.bytes()).getInt());
            }

            @Override
            public Set<ReplicaGroup> groupsOf(UUID table) {
                return groupsOfNode.get(node);
            }
        };
    }
}
