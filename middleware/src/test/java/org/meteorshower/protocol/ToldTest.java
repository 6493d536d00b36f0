/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whom a node tells what it stamps, while tables go over to the next ring one after the other. */
class ToldTest {
    private static final NodeId STAYS = NodeId.of(2);
    private static final NodeId REPLACED = NodeId.of(3);
    private static final NodeId NEW = NodeId.of(4);
    private static final Set<NodeId> BEFORE = Set.of(STAYS, REPLACED);
    private static final Set<NodeId> AFTER = Set.of(STAYS, NEW);
    private static final Set<NodeId> BOTH = Set.of(STAYS, REPLACED, NEW);

    private final Told told = new Told();

    private Set<NodeId> among(Set<NodeId> followed, Set<NodeId> left) {
        return told.among(followed, left, AFTER::contains);
    }

    @Test
    void whoIsOffTheRingIsToldUntilATableGoesOver() {
        assertThat(among(BEFORE, Set.of())).isEqualTo(BEFORE);
    }

    @Test
    void whoHasLostATableIsToldNothing() {
        assertThat(among(AFTER, BEFORE)).isEqualTo(AFTER);
    }

    @Test
    void norWhereItSharesAnotherOneThatHasNotGoneOver() {
        assertThat(among(BOTH, BEFORE)).isEqualTo(AFTER);
    }

    @Test
    void norWhenTheEarlierNameIsForgotten() {
        among(BOTH, BEFORE);

        assertThat(among(BOTH, Set.of())).isEqualTo(AFTER);
    }

    @Test
    void whoIsOnTheRingIsToldUnderAnEarlierNameToo() {
        assertThat(told.among(AFTER, BEFORE, BOTH::contains)).isEqualTo(BOTH);
    }

    @Test
    void whoHasAPlaceOnTheRingAgainIsToldAgain() {
        among(BOTH, BEFORE);

        assertThat(told.among(BOTH, Set.of(), BOTH::contains)).isEqualTo(BOTH);
    }

    /** It was forgotten with the last table that it shared. */
    @Test
    void whoSharesNothingIsNotRemembered() {
        among(BOTH, BEFORE);
        among(AFTER, Set.of());

        assertThat(among(BOTH, Set.of())).isEqualTo(BOTH);
    }
}
