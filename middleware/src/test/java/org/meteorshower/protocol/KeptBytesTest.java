/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * What records take on the heap: counted, held to a limit, and without their content where the journal alone need have
 * it.
 */
class KeptBytesTest {
    private static final int VALUE_BYTES = 1_000;

    private ScriptedCluster cluster = ScriptedCluster.of(3, 2, TestSettings.plain());

    private ScriptedNode one() {
        return cluster.node(1);
    }

    private void writeWithoutTheThird(int writes) {
        cluster.cutOff(3);
        cluster.run(4_000);
        for (int i = 0; i < writes; i++) {
            ScriptedNode.Write write = one().write("v" + i + "x".repeat(VALUE_BYTES), 0);
            assertThat(write.refused).isNull();
            for (int n = 1; n <= 2; n++) {
                cluster.node(n).apply(write.put());
                cluster.node(n).acknowledge(write);
            }
            cluster.run(20);
        }
        cluster.run(2_000);
    }

    @Test
    void whatWaitsForAPeerOnlyIsOnTheHeapWithoutItsContent() {
        writeWithoutTheThird(10);

        MemoryUse use = one().core().view().memoryUse();
        assertThat(one().core().view().recordCount()).isEqualTo(10);
        assertThat(use.data()).isZero();
        assertThat(use.histories()).isZero();
        assertThat(use.index()).isBetween(10L * 400, 10L * 800);
    }

    @Test
    void andThePeerGetsItFromTheJournalWhenItIsBack() {
        writeWithoutTheThird(10);
        cluster.heal();
        cluster.run(10_000);

        assertThat(cluster.node(3).read(cluster.nowMicros - 20_000).value).startsWith("v9");
        assertThat(one().core().view().recordCount()).isZero();
        assertThat(one().core().view().memoryUse().records()).isZero();
    }

    @Test
    void andReadsHereGoOn() {
        writeWithoutTheThird(10);

        assertThat(one().read(cluster.nowMicros - 100_000).value).startsWith("v9");
    }

    /** The third lacks both. Told of the later one only, it would miss the earlier one at cuts between the two. */
    @Test
    void whatASunkMutationOverwritesIsNotDoneWith() {
        writeWithoutTheThird(2);

        assertThat(one().core().view().memoryUse().data()).isZero();
        assertThat(one().core().view().recordCount()).isEqualTo(2);
    }

    @Test
    void atTheLimitInBytesASilentPeerIsLeftBehindAndNoWriteRefused() {
        cluster = ScriptedCluster.of(3, 2, TestSettings.plain().recordsBytes(12_000));
        writeWithoutTheThird(40);

        assertThat(one().core().view().leftBehind()).containsExactly(NodeId.of(3));
        assertThat(one().core().view().memoryUse().records()).isLessThanOrEqualTo(12_000);
    }

    @Test
    void aJournalThatIsNearlyFullLeavesASilentPeerBehind() {
        writeWithoutTheThird(5);
        assertThat(one().core().view().leftBehind()).isEmpty();

        one().step(new Event.JournalNearlyFull());
        cluster.run(100);

        assertThat(one().core().view().leftBehind()).containsExactly(NodeId.of(3));
        assertThat(one().journaled()).isEmpty();
    }

    @Test
    void butNoneThatIsHeard() {
        cluster.run(4_000);
        one().apply(one().write("a", 0).put());

        one().step(new Event.JournalNearlyFull());

        assertThat(one().core().view().leftBehind()).isEmpty();
    }

    @Test
    void overTheLimitUndecidedOnesKeepNoContentEither() {
        cluster = ScriptedCluster.of(3, 2, TestSettings.plain().recordsBytes(8_000));
        cluster.cutOff(1);
        for (int i = 0; i < 10; i++) {
            one().apply(Put.of(ScriptedCluster.START_MICROS + i, "x".repeat(VALUE_BYTES)));
        }
        cluster.run(100);

        assertThat(one().core().view().memoryUse().records()).isLessThanOrEqualTo(8_000);
    }

    @Test
    void andFarOverItNothingIsTakenThatNobodyHasAnnounced() {
        cluster = ScriptedCluster.of(3, 2, TestSettings.plain().recordsBytes(2_000));
        cluster.cutOff(1);
        for (int i = 0; i < 20; i++) {
            one().apply(Put.of(ScriptedCluster.START_MICROS + i, "a"));
        }

        assertThat(one().all(Effect.NoRoom.class)).isNotEmpty();
        assertThat(one().core().view().memoryUse().records()).isBetween(5_000L, 6_000L);
    }

    @Test
    void whatNoClientWaitsForAndNobodyHasAnnouncedIsTakenUpToHalfOfTheLimit() {
        cluster = ScriptedCluster.of(3, 2, TestSettings.plain().recordsBytes(8_000));
        cluster.cutOff(1);
        for (int i = 0; i < 20; i++) {
            one().apply(Put.of(ScriptedCluster.START_MICROS - 11_000_000 + i, "a"));
        }
        assertThat(one().all(Effect.NoRoom.class)).isNotEmpty();
        assertThat(one().core().view().memoryUse().records()).isBetween(4_000L, 4_800L);

        long fresh = one().write("b", 0).timestampMicros();
        assertThat(one().stamp(Put.of(fresh, "b"))).isNotNull();
    }
}
