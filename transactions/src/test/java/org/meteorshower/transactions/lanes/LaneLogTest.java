/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.Members;

class LaneLogTest {
    private static final long BALLOT = 10;
    private static final long LATER = 20;

    private final List<Long> told = new ArrayList<>();
    private final LaneLog log = new LaneLog(1, new Members(0, 3), 0, (lane, position, entry) -> told.add(position));

    private static Entry entry(long origin) {
        return new Entry(1, origin, List.of());
    }

    @Test
    void anEntryIsDecidedWhenAMajorityAcceptedItUnderOneBallot() {
        log.proposed(BALLOT, 0, entry(BALLOT));
        log.accepted(0, BALLOT, 0);
        assertThat(log.decidedBelow()).isZero();
        log.accepted(0, BALLOT, 0);
        assertThat(log.decidedBelow()).isZero();
        log.accepted(2, BALLOT, 0);

        assertThat(log.decidedBelow()).isEqualTo(1);
        assertThat(told).containsExactly(0L);
    }

    @Test
    void acceptancesUnderDifferentBallotsAreNotAddedUp() {
        log.proposed(BALLOT, 0, entry(BALLOT));
        log.accepted(1, BALLOT, 0);
        log.proposed(LATER, 0, entry(LATER));
        log.accepted(2, LATER, 0);

        assertThat(log.decidedBelow()).isZero();
    }

    @Test
    void acceptancesThatCameBeforeTheEntryCount() {
        log.accepted(1, BALLOT, 0);
        log.accepted(2, BALLOT, 0);
        assertThat(log.decidedBelow()).isZero();
        log.proposed(BALLOT, 0, entry(BALLOT));

        assertThat(log.decidedBelow()).isEqualTo(1);
    }

    @Test
    void acceptancesOfADiskThatWasLostAreForgotten() {
        log.proposed(BALLOT, 0, entry(BALLOT));
        log.accepted(2, BALLOT, 0);
        log.forgetVotesOf(2);
        log.accepted(1, BALLOT, 0);
        assertThat(log.decidedBelow()).isZero();
        log.accepted(0, BALLOT, 0);

        assertThat(log.decidedBelow()).isEqualTo(1);
    }

    @Test
    void aClaimThatAllIsDecidedHoldsOnlyForWhatItsBallotProposed() {
        log.proposed(BALLOT, 0, entry(BALLOT));
        log.proposed(LATER, 1, entry(LATER));
        log.proposed(BALLOT, 2, entry(BALLOT));
        log.decidedBelow(BALLOT, 3);

        assertThat(log.decidedBelow()).isEqualTo(1);
    }

    @Test
    void positionsBecomeKnownInAnyOrderAndTheFrontierHasNoGap() {
        log.learn(1, entry(BALLOT));
        assertThat(log.decidedBelow()).isZero();
        assertThat(log.endOfDecided()).isEqualTo(2);
        log.learn(0, entry(BALLOT));

        assertThat(log.decidedBelow()).isEqualTo(2);
    }

    @Test
    void twoDecisionsForOnePositionStopTheCore() {
        log.learn(0, entry(BALLOT));

        assertThatThrownBy(() -> log.learn(0, entry(LATER)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("two decisions for position 0");
    }

    @Test
    void whatIsForgottenCannotBeGivenToOthers() {
        log.learn(0, entry(BALLOT));
        log.learn(1, entry(BALLOT));
        log.forget(1);

        assertThat(log.entriesFrom(0, 10)).isNull();
        assertThat(log.entriesFrom(1, 10)).hasSize(1);
        assertThat(log.entriesFrom(2, 10)).isEmpty();
    }

    @Test
    void aSnapshotMovesTheFrontierAndKeepsWhatIsBehindIt() {
        log.learn(5, entry(BALLOT));
        log.skipTo(5);

        assertThat(log.decidedBelow()).isEqualTo(6);
        assertThat(log.entriesFrom(4, 10)).isNull();
    }
}
