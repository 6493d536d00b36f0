/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;
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
    void whatWasLetGoCannotBeGivenToOthersFromMemory() {
        log.learn(0, entry(BALLOT));
        log.learn(1, entry(BALLOT));
        log.letGo(1, 1, 0, 0);

        assertThat(log.entriesFrom(0, 1_000)).isNull();
        assertThat(log.entriesFrom(1, 1_000)).hasSize(1);
        assertThat(log.entriesFrom(2, 1_000)).isEmpty();
    }

    @Test
    void aSnapshotMovesTheFrontierAndKeepsWhatIsBehindIt() {
        log.learn(5, entry(BALLOT));
        log.skipTo(5);

        assertThat(log.decidedBelow()).isEqualTo(6);
        assertThat(log.entriesFrom(4, 10)).isNull();
    }

    private void learn(int entries) {
        for (int i = 0; i < entries; i++) {
            log.learn(log.decidedBelow(), entry(BALLOT));
        }
    }

    @Test
    void onlyWhatIsSettledIsLetGoHoweverMuchIsHeld() {
        learn(10);
        log.letGo(4, 10, 0, 0);
        assertThat(log.start()).isEqualTo(4);
        log.proposed(BALLOT, 11, entry(BALLOT));
        log.letGo(20, 20, 0, 0);
        assertThat(log.start()).as("and decided").isEqualTo(10);
    }

    @Test
    void theLastEntriesAreKeptForWhoAsksAndThoseNotExecutedAsLongAsThereIsRoom() {
        learn(10);
        long each = log.weight() / 10;
        log.letGo(10, 6, 7 * each, 100 * each);
        assertThat(log.start())
                .as("executed, as far as more than seven are held")
                .isEqualTo(3);
        log.letGo(10, 6, 0, 5 * each);
        assertThat(log.start())
                .as("not executed ones stay, of which there is room for five")
                .isEqualTo(6);
        log.letGo(10, 6, 0, 2 * each);
        assertThat(log.start()).as("two of which there is room for").isEqualTo(8);
        assertThat(log.weight()).isEqualTo(2 * each);
    }

    @Test
    void whatIsLetGoOrSkippedGivesBackWhatItTook() {
        log.accepted(1, BALLOT, 3);
        log.proposed(BALLOT, 4, new Entry(1, BALLOT, List.of(new Submission(1, new Request.Open()))));
        log.proposed(LATER, 4, entry(LATER));
        log.proposed(BALLOT, 3, entry(BALLOT));
        log.accepted(2, BALLOT, 3);
        learn(3);
        assertThat(log.decidedBelow()).isEqualTo(4);
        log.letGo(4, 4, 0, 0);
        log.skipTo(9);
        assertThat(log.weight()).isZero();
    }

    @Test
    void whatWasDecidedIsCountedInBytesFromEachPosition() {
        Entry large = new Entry(
                1, BALLOT, List.of(new Submission(1, new Request.Once(LaneTest.writing("x".repeat(20_000))))));
        for (int i = 0; i < 10; i++) {
            log.learn(i, large);
        }
        assertThat(log.decidedBytes()).isEqualTo(10L * large.weight());
        assertThat(log.decidedBytesFrom(4)).isEqualTo(6L * large.weight());
        assertThat(log.decidedBytesFrom(10)).isZero();
        log.letGo(10, 10, 0, 0);
        log.skipTo(20);
        assertThat(log.decidedBytesFrom(4))
                .as("what nobody has to bring any more counts all the same")
                .isPositive();
        assertThat(log.decidedBytesFrom(20)).isZero();
    }

    /** A mark every 16 KiB: never too little, and too much by less than one. */
    @Test
    void ofSmallEntriesBytesAreKnownToWithinAMark() {
        learn(2_000);
        for (long from = 0; from < 2_000; from += 37) {
            long exact = (2_000 - from) * entry(BALLOT).weight();
            assertThat(log.decidedBytesFrom(from)).isBetween(exact, exact + (16 << 10) + 64);
        }
    }
}
