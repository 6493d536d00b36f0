/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.clocks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Turn;

class LeadTest {
    private static final long PERIOD = 5_000;
    private static final long USUAL = 50_000;

    private final Turn turn = new Turn(new Members(0, 3));
    private final Lead lead = new Lead(turn, 3, PERIOD);

    private void at(long micros) {
        turn.begin(new Now(0, 1_000 * micros));
    }

    /** The epoch is closed so much before its nominal time. */
    private void closed(long epoch, long beforeMicros) {
        lead.closed(epoch, epoch * PERIOD - beforeMicros, USUAL);
    }

    private void heard(int from, int times, long epoch, long lateMicros) {
        for (int i = 0; i < times; i++) {
            lead.heard(from, new Message.Margin(epoch, lateMicros));
        }
    }

    @Test
    void whoIsLateForAllIsEarlierByAsMuchAsTheLeastOfThemNeeds() {
        closed(100, USUAL);
        heard(1, 3, 100, 300_000);
        heard(2, 3, 100, 200_000);

        at(30_000);
        assertThat(lead.beyondMicros(USUAL)).isEqualTo(200_000);
    }

    @Test
    void howEarlyItWasAlreadyIsNotCountedTwice() {
        closed(100, 250_000);
        heard(1, 3, 100, -20_000);

        at(30_000);
        assertThat(lead.beyondMicros(USUAL)).isEqualTo(180_000);
    }

    @Test
    void anEpochThatWasPassedOverWasClosedWithALaterOne() {
        closed(100, USUAL);
        closed(110, USUAL);
        heard(1, 3, 104, 300_000);

        at(30_000);
        assertThat(lead.beyondMicros(USUAL))
                .as("it was closed 30 ms later than its nominal time would have it")
                .isEqualTo(300_000 - 30_000);
    }

    @Test
    void oneThatSaysSoAloneHearsBadly() {
        closed(100, USUAL);
        heard(1, 3, 100, 300_000);
        heard(2, 3, 100, -40_000);

        at(30_000);
        assertThat(lead.beyondMicros(USUAL)).isZero();
    }

    @Test
    void singlePausesAreNotMadeUpFor() {
        closed(100, USUAL);
        heard(1, 2, 100, 300_000);
        heard(1, 38, 100, -40_000);

        at(30_000);
        assertThat(lead.beyondMicros(USUAL)).isZero();
        heard(1, 1, 100, 300_000);
        at(60_000);
        assertThat(lead.beyondMicros(USUAL)).isEqualTo(300_000);
    }

    @Test
    void whatWasSaidIsForgotten() {
        closed(100, USUAL);
        heard(1, 3, 100, 300_000);
        at(2_100_000);

        assertThat(lead.beyondMicros(USUAL)).isZero();
    }

    @Test
    void nonsenseIsNotListenedTo() {
        closed(100, USUAL);
        heard(1, 9, 101, 300_000);
        heard(1, 9, 100, Long.MIN_VALUE);
        heard(1, 9, 100, Long.MAX_VALUE);
        heard(1, 9, 0, 9_999_999);

        at(30_000);
        assertThat(lead.beyondMicros(USUAL)).isLessThanOrEqualTo(1_000_000);
        heard(2, 9, 100, 9_999_999);
        at(60_000);
        assertThat(lead.beyondMicros(USUAL)).as("at the most").isLessThanOrEqualTo(1_000_000);
    }

    @Test
    void howEarlyAnEpochWasClosedIsKnown() {
        closed(100, USUAL + 70_000);

        assertThat(lead.earlyMicros(100)).isEqualTo(70_000);
        assertThat(lead.earlyMicros(101)).isZero();
    }
}
