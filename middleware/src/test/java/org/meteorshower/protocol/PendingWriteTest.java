/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.PendingWrite.Progress;

class PendingWriteTest {
    private static final UUID BEFORE = new UUID(0, 1);
    private static final UUID NEXT = new UUID(0, 2);
    private static final PartitionKey KEY = new PartitionKey(BEFORE, new byte[] {1});
    private static final PartitionKey NEXT_KEY = new PartitionKey(NEXT, KEY.bytes());
    private static final NodeId LEFT = NodeId.of(1);
    private static final NodeId ONE = NodeId.of(2);
    private static final NodeId OTHER = NodeId.of(3);
    private static final NodeId GAINED = NodeId.of(4);
    private static final ReplicaGroup GROUP = ReplicaGroup.majority(LEFT, ONE, OTHER);
    private static final ReplicaGroup NEXT_GROUP = ReplicaGroup.majority(ONE, OTHER, GAINED);

    private final PendingWrite write =
            new PendingWrite(new Event.WriteStarted(1, List.of(KEY), 0, false), 1_000, false, false, 0);

    private Progress moved() {
        write.moved(BEFORE, NEXT, key -> GROUP);
        Progress progress = write.of(NEXT_KEY);
        assertThat(progress).isNotNull();
        return progress;
    }

    private void count(PartitionKey key, NodeId... replicas) {
        Progress progress = write.of(key);
        assertThat(progress).isNotNull();
        for (NodeId replica : replicas) {
            progress.count(replica, 2_000);
        }
    }

    @Test
    void stampsByTheEarlierNameDoNotCountByThePresentOne() {
        count(KEY, LEFT);
        Progress progress = moved();
        count(KEY, ONE, OTHER);

        assertThat(progress.stampsOf(NEXT_GROUP)).isEmpty();
        count(NEXT_KEY, GAINED);
        assertThat(progress.stampsOf(NEXT_GROUP)).hasSize(1);
    }

    @Test
    void whoIsNotKnownToHaveItIsNamed() {
        count(KEY, ONE);
        assertThat(write.of(KEY)).isNotNull().satisfies(progress -> assertThat(progress.described(GROUP))
                .contains("1 of its 3 replicas", "2 are needed", "not of " + List.of(LEFT, OTHER))
                .doesNotContain("earlier name"));

        assertThat(moved().described(NEXT_GROUP))
                .contains("0 of its 3 replicas", "before the ring changed of " + List.of(ONE) + " out of");
    }

    @Test
    void allThatStayedAreEnoughOnceTheyFollow() {
        count(KEY, ONE);
        Progress progress = moved();
        assertThat(progress.isAtAllThatStayed(NEXT_GROUP, member -> true, true)).isFalse();

        count(KEY, OTHER);
        assertThat(progress.isAtAllThatStayed(NEXT_GROUP, Set.of(ONE)::contains, true))
                .isFalse();
        assertThat(progress.isAtAllThatStayed(NEXT_GROUP, Set.of(ONE, OTHER)::contains, true))
                .isTrue();
    }

    @Test
    void itDoesNotMatterByWhichNameEachHasIt() {
        count(KEY, ONE);
        Progress progress = moved();
        count(NEXT_KEY, OTHER);

        assertThat(progress.isAtAllThatStayed(NEXT_GROUP, member -> true, true)).isTrue();
    }

    /** A coordinator that holds nothing of it does not know when nobody does any more. */
    @Test
    void whereTheEarlierNameMayBeServedAllThatStayedMustHaveMadeItVisibleThere() {
        ReplicaGroup four = ReplicaGroup.majority(LEFT, ONE, OTHER, GAINED);
        ReplicaGroup two = ReplicaGroup.majority(ONE, OTHER);
        count(KEY, ONE, OTHER);
        write.moved(BEFORE, NEXT, key -> four);
        Progress progress = write.of(NEXT_KEY);

        assertThat(progress.isAtAllThatStayed(two, member -> true, true)).isTrue();
        assertThat(progress.isAtAllThatStayed(two, member -> true, false)).isFalse();
        assertThat(progress.isAtAllThatStayed(ReplicaGroup.majority(LEFT, ONE, OTHER), member -> true, false))
                .isFalse(); // one of them lacks it
    }

    /** Of two replicas one stays, and has it by the present name alone: nobody carries it over. */
    @Test
    void whereNobodyHasItByTheEarlierNameItsStampsByThePresentOneAreCounted() {
        ReplicaGroup two = ReplicaGroup.majority(ONE, GAINED);
        write.moved(BEFORE, NEXT, key -> ReplicaGroup.majority(LEFT, ONE));
        Progress progress = write.of(NEXT_KEY);
        count(NEXT_KEY, ONE);
        assertThat(progress.isAtAllThatStayed(two, member -> true, true)).isFalse();
        assertThat(progress.isAtQuorum(two)).isFalse();

        count(NEXT_KEY, GAINED);
        assertThat(progress.isAtQuorum(two)).isTrue();
    }

    @Test
    void oneThatStayedIsNotEnough() {
        ReplicaGroup next = ReplicaGroup.majority(ONE, NodeId.of(5), GAINED);
        count(KEY, LEFT, ONE, OTHER);

        assertThat(moved().isAtAllThatStayed(next, member -> true, true)).isFalse();
    }

    @Test
    void aTableThatDidNotMoveIsLeftAlone() {
        count(KEY, ONE);
        write.moved(NEXT, new UUID(0, 3), key -> GROUP);

        assertThat(write.moved).isFalse();
        assertThat(write.progress.get(KEY)).isNotNull().satisfies(each -> assertThat(each.stampsOf(GROUP))
                .hasSize(1));
    }
}
