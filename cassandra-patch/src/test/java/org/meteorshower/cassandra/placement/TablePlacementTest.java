/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;

class TablePlacementTest {
    private static final NodeId SELF = NodeId.of(1);

    /** Four ranges, each held by its node and the next two. */
    private final TablePlacement placement = new TablePlacement(
            Murmur3Partitioner.instance,
            new ArrayList<>(List.<Token>of(token(0), token(10), token(20), token(30))),
            List.of(group(1, 2, 3), group(2, 3, 4), group(3, 4, 1), group(4, 1, 2)));

    @Test
    void whatThisNodeHoldsAndTheSenderDoesNotIsAStrangersData() {
        assertThat(placement.heldWithout(NodeId.of(2), SELF)).containsExactly(range(10, 20));
        assertThat(placement.heldWithout(NodeId.of(3), SELF)).containsExactly(range(20, 30));
        assertThat(placement.heldWithout(NodeId.of(4), SELF)).containsExactly(range(30, 0));
    }

    @Test
    void whoIsNoNodeIsAStrangerToAllThatThisNodeHolds() {
        List<Range<Token>> all = List.of(range(30, 0), range(10, 20), range(20, 30));
        assertThat(placement.heldWithout(null, SELF)).containsExactlyElementsOf(all);
        assertThat(placement.heldWithout(NodeId.of(9), SELF)).containsExactlyElementsOf(all);
    }

    @Test
    void aNodeThatGetsWhatItDoesNotHoldYetHearsNothingStrange() {
        assertThat(placement.heldWithout(NodeId.of(2), NodeId.of(5))).isEmpty();
    }

    @Test
    void onAnEmptyRingThisNodeHoldsAll() {
        TablePlacement alone = new TablePlacement(
                Murmur3Partitioner.instance, new ArrayList<>(), List.of(ReplicaGroup.majority(SELF)));
        assertThat(alone.heldWithout(null, SELF)).hasSize(1).first().satisfies(range -> assertThat(
                        range.contains(token(7)))
                .isTrue());
    }

    @Test
    void whatANodeGainsIsWhatItDidNotHoldBefore() {
        TablePlacement next = new TablePlacement(
                Murmur3Partitioner.instance,
                new ArrayList<>(List.<Token>of(token(0), token(5), token(10), token(20), token(30))),
                List.of(group(1, 2, 3), group(1, 2, 3), group(1, 3, 4), group(3, 4, 1), group(4, 2, 3)));

        assertThat(next.gainedSince(placement, SELF)).containsExactly(range(0, 5), range(5, 10));
        assertThat(next.gainedSince(placement, NodeId.of(3))).containsExactly(range(20, 30));
        assertThat(next.gainedSince(next, SELF)).isEmpty();
    }

    @Test
    void aScanIsOfAllWhoHoldAnyOfItsRange() {
        Token end = Murmur3Partitioner.instance.getMinimumToken();
        for (boolean after : List.of(true, false)) {
            assertThat(groupsOver(end, after, end)).containsExactlyInAnyOrderElementsOf(placement.groups());
            assertThat(groupsOver(token(12), after, token(17))).containsExactly(group(3, 4, 1));
            assertThat(groupsOver(token(12), after, token(20))).containsExactly(group(3, 4, 1));
            assertThat(groupsOver(token(12), after, token(21)))
                    .containsExactlyInAnyOrder(group(3, 4, 1), group(4, 1, 2));
            assertThat(groupsOver(token(31), after, end)).containsExactly(group(1, 2, 3));
            assertThat(groupsOver(token(25), after, token(40)))
                    .containsExactlyInAnyOrder(group(4, 1, 2), group(1, 2, 3));
            assertThat(groupsOver(end, after, token(-5))).containsExactly(group(1, 2, 3));
        }
        assertThat(groupsOver(token(10), true, token(20))).containsExactly(group(3, 4, 1));
        assertThat(groupsOver(token(10), false, token(20))).containsExactlyInAnyOrder(group(2, 3, 4), group(3, 4, 1));
    }

    @Test
    void piecesEndWhereTheirHoldersDoAndTheLastOneWhereTheRangeDoes() {
        assertThat(placement.piecesOver(token(12), true, token(25)))
                .containsExactly(new Piece(token(20), group(3, 4, 1)), new Piece(token(25), group(4, 1, 2)));
    }

    private Set<ReplicaGroup> groupsOver(Token from, boolean after, Token to) {
        return placement.piecesOver(from, after, to).stream().map(Piece::group).collect(Collectors.toSet());
    }

    private static Token token(long at) {
        return new LongToken(at);
    }

    private static Range<Token> range(long after, long to) {
        return new Range<>(token(after), token(to));
    }

    private static ReplicaGroup group(int... members) {
        return ReplicaGroup.majority(
                java.util.Arrays.stream(members).mapToObj(NodeId::of).toArray(NodeId[]::new));
    }
}
