/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.clocks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Turn;

class PeerClocksTest {
    private static final long SECOND = 1_000_000;

    private final Members members = new Members(0, 3);
    private final Turn turn = new Turn(members);
    private final PeerClocks clocks = new PeerClocks(members, turn, SECOND);

    /**
     * What a word tells of the time before it: sent at this time of the other's clock, it comes at this of one's own.
     */
    private long silence(long sentMicros, long receivedMicros) {
        turn.begin(new Now(0, 1_000 * receivedMicros));
        Message.ClockReading reading = new Message.ClockReading(0, sentMicros, -1, 0);
        long silence = clocks.silenceMicros(1, reading);
        clocks.received(1, reading);
        return silence;
    }

    @Test
    void whoseOwnClockTellsOfAPauseStoodStill() {
        assertThat(silence(7 * SECOND, 10 * SECOND)).isZero();
        assertThat(silence(7 * SECOND + 300_000, 10 * SECOND + 320_000)).isEqualTo(300_000);
        assertThat(silence(7 * SECOND + 350_000, 10 * SECOND + 370_000)).isEqualTo(50_000);
        turn.begin(new Now(0, 11_000 * SECOND));
        assertThat(clocks.silenceMicros(2, new Message.ClockReading(0, 9 * SECOND, -1, 0)))
                .as("it told nothing before")
                .isZero();
    }

    @Test
    void whatCameLateOrAllAtOnceIsNoSilence() {
        silence(7 * SECOND, 10 * SECOND);
        assertThat(silence(7 * SECOND + 50_000, 10 * SECOND + 500_000)).isEqualTo(50_000);
        // Many were lost, and then one overtook another.
        assertThat(silence(9 * SECOND, 10 * SECOND + 540_000)).isEqualTo(40_000);
        assertThat(silence(8 * SECOND, 10 * SECOND + 900_000)).isNegative();
    }
}
