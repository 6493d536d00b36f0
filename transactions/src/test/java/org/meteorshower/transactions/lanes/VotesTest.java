/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VotesTest {
    private final Votes votes = new Votes();

    @Test
    void votesOfDifferentBallotsAreNotCountedTogether() {
        votes.add(7, 0);
        votes.add(8, 1);
        votes.add(9, 1);
        votes.add(9, 2);

        assertThat(votes.of(7)).isEqualTo(1);
        assertThat(votes.of(9)).isEqualTo(2);
        assertThat(votes.of(6)).isZero();
    }

    @Test
    void aVoteCountsOnceHoweverOftenItComes() {
        votes.add(7, 2);
        votes.add(7, 2);

        assertThat(votes.of(7)).isEqualTo(1);
    }

    @Test
    void whoIsForgottenHasNoVoteUnderAnyBallot() {
        votes.add(7, 0);
        votes.add(7, 1);
        votes.add(8, 1);
        votes.forget(1);

        assertThat(votes.of(7)).isEqualTo(1);
        assertThat(votes.of(8)).isZero();
    }
}
