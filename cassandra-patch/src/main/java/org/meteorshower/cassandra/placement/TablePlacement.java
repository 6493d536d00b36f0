/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.placement;

import com.google.common.hash.Hashing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.TokenMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.GroupChange;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;

/**
 * Where one table's partitions live, at one version of the ring. Immutable.
 *
 * @param ring the ring's tokens, sorted
 * @param groups for each ring token, who holds the range that ends there; as long as {@code ring}, or one group where
 *     the ring is empty
 * @param digest the same on all nodes that see the same ring, and different where anybody holds anything else
 */
record TablePlacement(IPartitioner partitioner, ArrayList<Token> ring, List<ReplicaGroup> groups, String digest) {
    TablePlacement(IPartitioner partitioner, ArrayList<Token> ring, List<ReplicaGroup> groups) {
        this(partitioner, ring, groups, digestOf(ring, groups));
    }

    private static String digestOf(List<Token> ring, List<ReplicaGroup> groups) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < groups.size(); i++) {
            text.append(i < ring.size() ? ring.get(i) : "").append(groups.get(i));
        }
        byte[] digest =
                Hashing.sha256().hashString(text, StandardCharsets.UTF_8).asBytes();
        return HexFormat.of().formatHex(digest, 0, 12);
    }

    Set<NodeId> replicas() {
        return groups.stream().flatMap(group -> group.members().stream()).collect(Collectors.toSet());
    }

    /**
     * The ranges that this node holds, and the sender does not; all that this node holds where the sender is not known.
     */
    List<Range<Token>> heldWithout(@Nullable NodeId sender, NodeId self) {
        List<Range<Token>> held = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            ReplicaGroup group = groups.get(i);
            if (group.contains(self) && (sender == null || !group.contains(sender))) {
                Token to = ring.isEmpty() ? partitioner.getMinimumToken() : ring.get(i);
                Token from = ring.isEmpty() ? to : ring.get((i + ring.size() - 1) % ring.size());
                held.add(new Range<>(from, to));
            }
        }
        return held;
    }

    /** Who holds which range here, and by the next placement, each pair once. */
    Set<GroupChange> changesTo(TablePlacement next) {
        Set<Token> ends = new HashSet<>(ring);
        ends.addAll(next.ring);
        if (ends.isEmpty()) {
            return Set.of(new GroupChange(groups.get(0), next.groups.get(0)));
        }
        Set<GroupChange> changes = new HashSet<>();
        ends.forEach(end -> changes.add(new GroupChange(groupAt(end), next.groupAt(end))));
        return changes;
    }

    /** The ranges that the node holds here, and did not hold by the placement before. */
    List<Range<Token>> gainedSince(TablePlacement before, NodeId node) {
        TreeSet<Token> ends = new TreeSet<>(ring);
        ends.addAll(before.ring);
        List<Range<Token>> gained = new ArrayList<>();
        Token from = ends.isEmpty() ? partitioner.getMinimumToken() : ends.last();
        if (ends.isEmpty()) {
            ends.add(from);
        }
        for (Token to : ends) {
            if (groupAt(to).contains(node) && !before.groupAt(to).contains(node)) {
                gained.add(new Range<>(from, to));
            }
            from = to;
        }
        return gained;
    }

    /**
     * Who holds it between two tokens, the second one included, in the order of the tokens; the least token as the end
     * is the ring's.
     *
     * @param after whether the first one is not included
     */
    List<Piece> piecesOver(Token from, boolean after, Token to) {
        if (ring.isEmpty()) {
            return List.of(new Piece(to, groups.get(0)));
        }
        List<Piece> pieces = new ArrayList<>();
        int first = 0;
        while (first < ring.size()
                && (after
                        ? ring.get(first).compareTo(from) <= 0
                        : ring.get(first).compareTo(from) < 0)) {
            first++;
        }
        int last = first;
        while (last < ring.size() && (to.isMinimum() || ring.get(last).compareTo(to) < 0)) {
            pieces.add(new Piece(ring.get(last), groups.get(last)));
            last++;
        }
        pieces.add(new Piece(to, groups.get(last % groups.size())));
        return pieces;
    }

    private ReplicaGroup groupAt(Token token) {
        return ring.isEmpty() ? groups.get(0) : groups.get(TokenMetadata.firstTokenIndex(ring, token, false));
    }

    int bucketOf(byte[] key) {
        return Buckets.of(partitioner.getToken(ByteBuffer.wrap(key)));
    }

    ReplicaGroup groupOf(byte[] key) {
        return ring.isEmpty() ? groups.get(0) : groupAt(partitioner.getToken(ByteBuffer.wrap(key)));
    }
}
