/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a node begins the next epoch of a table. */
class MovePatienceTest {
    private static final String TABLE = "orders";

    private final MovePatience<String> patience = new MovePatience<>();

    private int looksUntilOver(String ring, boolean allUp, int rank) {
        for (int looks = 1; looks < 1_000; looks++) {
            if (patience.isOver(TABLE, ring, allUp, rank)) {
                return looks;
            }
        }
        throw new AssertionError("never");
    }

    @Test
    void theNodeWithTheSmallestIdActsAtTheSecondLookAndTheNextOneFiveLooksLater() {
        assertThat(looksUntilOver("b", true, 0)).isEqualTo(2);
        assertThat(looksUntilOver("b", true, 1)).isEqualTo(7);
    }

    @Test
    void aReplicaThatIsDownIsWaitedForFiveMinutes() {
        assertThat(looksUntilOver("b", false, 0)).isEqualTo(302);
    }

    @Test
    void whatWasWaitedForOneThatIsUpAgainDoesNotCount() {
        for (int i = 0; i < 60; i++) {
            assertThat(patience.isOver(TABLE, "b", false, 1)).isFalse();
        }
        assertThat(looksUntilOver("b", true, 1)).isEqualTo(7);
    }

    @Test
    void aRingThatChangesAgainIsLookedAtAnew() {
        assertThat(patience.isOver(TABLE, "b", true, 0)).isFalse();
        assertThat(patience.isOver(TABLE, "c", true, 0)).isFalse();
        assertThat(patience.isOver(TABLE, "c", true, 0)).isTrue();
    }

    @Test
    void aRingThatIsBackIsForgotten() {
        assertThat(patience.isOver(TABLE, "b", true, 0)).isFalse();
        patience.forget(TABLE);
        assertThat(patience.isOver(TABLE, "b", true, 0)).isFalse();
    }
}
