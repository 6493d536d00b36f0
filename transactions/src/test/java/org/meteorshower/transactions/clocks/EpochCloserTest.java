/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.clocks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Turn;

class EpochCloserTest {
    private static final long PERIOD = 5_000;
    private static final long TOLERANCE = 30_000;
    private static final long WALL = 1_000_000_000;

    private final Turn turn = new Turn(new Members(0, 3));
    private final PeerClocks clocks = new PeerClocks(new Members(0, 3), turn, TOLERANCE);
    private final Lead lead = new Lead(turn, 3, PERIOD);
    private final EpochCloser closer = new EpochCloser(turn, clocks, lead, PERIOD, TOLERANCE, 0);
    private long ownAheadMicros;

    private void at(long micros) {
        turn.begin(new Now(WALL + micros + ownAheadMicros, 1_000 * micros));
    }

    /** A peer's clock that is ahead by so much, at the end of a round trip. */
    private void reading(int from, long atMicros, long aheadMicros, long roundTripMicros) {
        at(atMicros);
        long theirWall = WALL + atMicros - roundTripMicros / 2 + aheadMicros;
        clocks.received(from, new Message.ClockReading(theirWall, 0, atMicros - roundTripMicros, 0));
    }

    @Test
    void beforeAMajorityOfClocksIsReadEpochsGoByTheElapsedClock() {
        at(100_000);
        assertThat(closer.takeDue()).isEqualTo(1);
        assertThat(closer.takeDue()).isEqualTo(EpochCloser.NOT_NOW);
        at(100_000 + PERIOD * 9 / 8);

        assertThat(closer.takeDue()).isEqualTo(2);
    }

    @Test
    void anEpochIsClosedAtItsTimeLessHalfTheRoundTripToTheNearestMajority() {
        reading(1, 1_000_000, 0, 20_000);
        long time = WALL + 1_000_000 + 10_000;

        assertThat(closer.takeDue()).isEqualTo(time / PERIOD);
        assertThat(closer.dueInMicros()).isEqualTo(Math.min(PERIOD * 9 / 8, PERIOD - time % PERIOD));
    }

    @Test
    void aLaterEpochElsewhereIsClosedAtOnce() {
        at(0);
        closer.seen(70);

        assertThat(closer.takeDue()).isEqualTo(70);
        closer.seen(60);
        assertThat(closer.takeDue()).isEqualTo(EpochCloser.NOT_NOW);
    }

    @Test
    void whoIsFurtherAheadThanClocksAreApartIsNotFollowedAllTheWay() {
        reading(1, 1_000_000, 0, 20_000);
        long most = (WALL + 1_000_000 + 10_000 + TOLERANCE) / PERIOD;
        closer.seen(most + 40);

        assertThat(closer.takeDue()).isEqualTo(most);
    }

    @Test
    void whereTheClockIsFarBehindOthersAreFollowed() {
        at(0);
        long far = (WALL + 10_000_000) / PERIOD;
        closer.seen(far);
        closer.takeDue();
        reading(1, 1_000_000, 0, 20_000);
        closer.seen(far + 3);

        assertThat(closer.takeDue()).isEqualTo(far + 3);
    }

    /** It was down while the clocks of most were wrong, say. */
    @Test
    void whoIsFurtherAheadThanAnybodyWantsToBeIsFollowed() {
        reading(1, 1_000_000, 0, 20_000);
        closer.takeDue();
        long far = (WALL + 3_600_000_000L) / PERIOD;
        closer.seen(far);

        assertThat(closer.takeDue()).isEqualTo(far);
    }

    @Test
    void whoIsLateForMostClosesItsEpochsEarlier() {
        reading(1, 1_000_000, 0, 20_000);
        long closed = closer.takeDue();
        long early = closed * PERIOD - WALL - 1_000_000;
        for (int i = 0; i < 5; i++) {
            lead.heard(1, new Message.Margin(closed, 90_000));
            lead.heard(2, new Message.Margin(closed, 70_000));
        }

        at(1_030_000);
        assertThat(closer.takeDue()).isEqualTo((WALL + 1_030_000 + 70_000 + early) / PERIOD);
    }

    @Test
    void aClockReadingWithAShorterWayIsBelievedForAWhile() {
        ownAheadMicros = 10_000;
        reading(1, 1_000_000, 0, 0);
        reading(2, 1_000_000, 0, 0);
        reading(1, 1_400_000, -90_000, 200_000);
        reading(2, 1_400_000, -90_000, 200_000);

        assertThat(clocks.alignedMicros()).as("both may be true").hasValue(WALL + 1_400_000 + 10_000);

        reading(1, 1_500_000, -700_000, 200_000);
        reading(2, 1_500_000, -700_000, 200_000);
        assertThat(clocks.alignedMicros()).as("they were set").hasValue(WALL + 1_500_000 - 700_000);
    }

    @Test
    void anEffectiveEpochAboveAllIsNoReasonToCloseOneButTheNextGoesBeyondIt() {
        at(0);
        closer.seen(70);
        closer.takeDue();
        closer.merged(72);
        assertThat(closer.takeDue()).isEqualTo(EpochCloser.NOT_NOW);
        closer.seen(71);
        assertThat(closer.takeDue())
                .as("what others close is closed, and no other")
                .isEqualTo(71);

        at(PERIOD * 9 / 8);
        assertThat(closer.takeDue()).isEqualTo(73);
    }

    @Test
    void aClockThatIsFarFromTheMedianIsNotUsed() {
        ownAheadMicros = 600_000_000;
        reading(1, 1_000_000, 0, 0);
        reading(2, 1_000_000, 0, 0);

        assertThat(clocks.alignedMicros()).hasValue(WALL + 1_000_000);
    }

    @Test
    void aClockThatIsNearTheMedianIsUsed() {
        ownAheadMicros = 10_000;
        reading(1, 1_000_000, 0, 0);
        reading(2, 1_000_000, 0, 0);

        assertThat(clocks.alignedMicros()).hasValue(WALL + 1_000_000 + 10_000);
    }
}
