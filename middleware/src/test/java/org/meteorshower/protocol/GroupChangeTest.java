/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GroupChangeTest {
    private static ReplicaGroup majority(int... members) {
        return ReplicaGroup.majority(IntStream.of(members).mapToObj(NodeId::of).toArray(NodeId[]::new));
    }

    private static boolean keepsQuorums(ReplicaGroup before, ReplicaGroup after) {
        return new GroupChange(before, after).keepsQuorums();
    }

    @Test
    void whereOneReplicaIsAnotherEachMajoritySeesWhatWasVisible() {
        assertThat(keepsQuorums(majority(1, 2, 3), majority(1, 2, 3))).isTrue();
        assertThat(keepsQuorums(majority(1, 2, 3), majority(1, 2, 4))).isTrue();
        assertThat(keepsQuorums(majority(1, 2, 3, 4), majority(1, 2, 3, 5))).isTrue();
        assertThat(keepsQuorums(majority(1, 2, 3, 4, 5), majority(1, 2, 3, 4, 6)))
                .isTrue();
    }

    @Test
    void alsoWhereReplicasAreAddedToAllThatThereWere() {
        assertThat(keepsQuorums(majority(1, 2, 3), majority(1, 2, 3, 4, 5))).isTrue();
        assertThat(keepsQuorums(majority(1, 2, 3), majority(1, 2, 3, 4, 5, 6))).isTrue();
        assertThat(keepsQuorums(majority(1, 2), majority(1, 2, 3))).isTrue();
    }

    @Test
    void notWhereAMajorityMayBeOfNewOnesAlone() {
        assertThat(keepsQuorums(majority(1, 2, 3), majority(1, 4, 5))).isFalse();
        assertThat(keepsQuorums(majority(1), majority(1, 2, 3))).isFalse();
        assertThat(keepsQuorums(majority(1, 2, 3), majority(1, 2, 3, 4, 5, 6, 7)))
                .isFalse();
    }

    @Test
    void norWhereThoseThatStayMayAllHaveMissedIt() {
        assertThat(keepsQuorums(majority(1, 2, 3, 4, 5), majority(1, 2, 3))).isFalse();
    }

    @Test
    void norWhereOneReplicaIsEnoughForAWrite() {
        ReplicaGroup one = ReplicaGroup.writeOneReadAll(NodeId.of(1), NodeId.of(2), NodeId.of(3));
        assertThat(keepsQuorums(one, one)).isFalse();
    }
}
