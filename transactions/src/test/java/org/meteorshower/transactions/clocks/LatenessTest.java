/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.clocks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Turn;

class LatenessTest {
    private final Members members = new Members(0, 3);
    private final Turn turn = new Turn(members);
    private final Lateness lateness = new Lateness(members, turn);

    private void at(long micros) {
        turn.begin(new Now(0, 1_000 * micros));
    }

    @Test
    void aLaneIsLateByAsMuchAsTheOwnEntryWaitsForIt() {
        at(1_000);
        lateness.ownClosed(10, 0);
        at(1_300);
        lateness.closed(1, 9);
        assertThat(lateness.take(1)).isNull();
        at(1_700);
        lateness.closed(1, 12);

        assertThat(lateness.take(1)).isEqualTo(new Message.Margin(10, 700));
        assertThat(lateness.take(1)).as("told once").isNull();
    }

    @Test
    void orEarly() {
        at(1_000);
        lateness.closed(2, 12);
        at(1_400);
        lateness.ownClosed(10, 0);

        assertThat(lateness.take(2)).isEqualTo(new Message.Margin(10, -400));
    }

    @Test
    void theLatestIsTold() {
        at(1_000);
        lateness.ownClosed(10, 0);
        at(1_100);
        lateness.ownClosed(11, 0);
        at(1_200);
        lateness.closed(1, 11);

        assertThat(lateness.take(1)).isEqualTo(new Message.Margin(10, 200));
    }

    @Test
    void whatIsClosedEarlyHereNobodyMustKeepUpWith() {
        at(1_000);
        lateness.ownClosed(10, 600);
        at(1_700);
        lateness.closed(1, 10);

        assertThat(lateness.take(1)).isEqualTo(new Message.Margin(10, 100));
    }

    @Test
    void whileSomebodyElseLeadsTheLaneNobodyIsToBlame() {
        at(1_000);
        lateness.ownClosed(10, 0);
        lateness.forget(1);
        at(9_000);
        lateness.closed(1, 10);

        assertThat(lateness.take(1)).isNull();
    }

    @Test
    void whatIsHeldIsBounded() {
        for (long epoch = 1; epoch <= 5_000; epoch++) {
            at(epoch);
            lateness.ownClosed(epoch, 0);
        }
        at(6_000);
        lateness.closed(1, 5_000);

        assertThat(lateness.take(1)).isEqualTo(new Message.Margin(5_000 - 1_023, 1_000 + 1_023));
    }
}
