/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.cassandra.db.BufferDecoratedKey;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.placement.Piece;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;

class ScanSharesTest {
    private static final NodeId A = NodeId.of(1);
    private static final NodeId B = NodeId.of(2);
    private static final NodeId C = NodeId.of(3);

    private static final List<Piece> PIECES = List.of(
            piece(-100, A, B), piece(0, A, C), piece(100, B, C), piece(Long.MIN_VALUE, A, B)); // to the end of the ring

    private static Piece piece(long to, NodeId... holders) {
        return new Piece(new LongToken(to), ReplicaGroup.majority(holders));
    }

    private static AbstractBounds<PartitionPosition> whole() {
        PartitionPosition end = Murmur3Partitioner.instance.getMinimumToken().minKeyBound();
        return new Range<>(end, end);
    }

    private static ScanShares shares(NodeId... order) {
        return ScanShares.over(PIECES, List.of(order), (node, group) -> group.contains(node));
    }

    private static DecoratedKey key(long token) {
        return new BufferDecoratedKey(
                new LongToken(token), ByteBuffer.allocate(Long.BYTES).putLong(0, token));
    }

    @Test
    void eachPieceGoesToTheFirstThatHoldsItAndNeighboursAreOneShare() {
        ScanShares shares = shares(A, C, B);

        assertThat(shares.nodes()).isEqualTo(Set.of(A, C));
        assertThat(shares.of(whole())).extracting(ScanShares.Share::node).containsExactly(A, C, A);
        assertThat(shares(B, C, A).of(whole()))
                .extracting(ScanShares.Share::node)
                .containsExactly(B, C, B);
    }

    @Test
    void whatNobodyHoldsIsNamed() {
        assertThat(shares(A).uncovered()).isEqualTo(PIECES.get(2));
        assertThat(shares(A, C).uncovered()).isNull();
    }

    /** Each partition is in one share, of a node that holds it; whatever the page begins with and ends at. */
    @Test
    void sharesLeaveNoGapAndAreNotOverEachOther() {
        SplittableRandom random = new SplittableRandom(3);
        List<ScanShares> all = List.of(shares(A, C, B), shares(B, C, A), shares(C, A, B));
        for (int run = 0; run < 2_000; run++) {
            ScanShares shares = all.get(run % 3);
            long from = random.nextLong(-150, 150);
            long to = random.nextLong(from + 1, 160);
            boolean open = random.nextBoolean();
            AbstractBounds<PartitionPosition> range = AbstractBounds.bounds(
                    random.nextBoolean() ? key(from) : new LongToken(from).maxKeyBound(),
                    random.nextBoolean(),
                    open
                            ? Murmur3Partitioner.instance.getMinimumToken().minKeyBound()
                            : new LongToken(to).minKeyBound(),
                    random.nextBoolean());
            List<ScanShares.Share> some = shares.of(range);
            for (long token = -160; token < 170; token += 1 + random.nextInt(9)) {
                DecoratedKey key = key(token);
                List<NodeId> readers = new ArrayList<>();
                for (ScanShares.Share share : some) {
                    if (share.bounds().contains(key)) {
                        readers.add(share.node());
                    }
                }
                assertThat(readers).as("%s of %s", token, range).hasSize(range.contains(key) ? 1 : 0);
                for (NodeId reader : readers) {
                    assertThat(holders(token).members())
                            .as("%s of %s", token, range)
                            .contains(reader);
                }
            }
        }
    }

    private static ReplicaGroup holders(long token) {
        return PIECES.stream()
                .filter(piece -> piece.to().isMinimum() || token <= ((LongToken) piece.to()).token)
                .findFirst()
                .orElseThrow()
                .group();
    }

    @Test
    void aNodesRangeIsAllOfItsPartsAndNothingBetweenThem() {
        List<AbstractBounds<PartitionPosition>> parts = new ArrayList<>();
        shares(A, C, B).of(whole()).stream()
                .filter(share -> share.node().equals(A))
                .forEach(share -> parts.add(share.bounds()));
        TokenRange range =
                new TokenRange(TestTables.ID, Set.of(PIECES.get(0).group()), Murmur3Partitioner.instance, parts);
        for (int i = 0; i < 500; i++) {
            byte[] bytes = ("key" + i).getBytes(StandardCharsets.UTF_8);
            DecoratedKey key = Murmur3Partitioner.instance.decorateKey(ByteBuffer.wrap(bytes));

            assertThat(range.contains(new PartitionKey(TestTables.ID, bytes)))
                    .isEqualTo(parts.stream().anyMatch(part -> part.contains(key)));
        }
        parts.forEach(part -> assertThat(range.covers(part)).isTrue());
        assertThat(range.covers(whole())).isFalse();
        assertThat(range.covers(AbstractBounds.bounds(key(-5), false, key(5), true)))
                .isFalse();
    }
}
