/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.port.Message;

class ForwardedTest {
    private static final int LANE = 1;

    private long ballot = 5;
    private final Forwarded forwarded = new Forwarded(3, 2, (lane, asked) -> lane == LANE && ballot == asked);

    private static Submission submission(long ticket) {
        return new Submission(ticket, new Request.Open());
    }

    private static Message.Forward forward(long ballot, long... tickets) {
        List<Submission> submissions = new ArrayList<>();
        for (long ticket : tickets) {
            submissions.add(submission(ticket));
        }
        return new Message.Forward(ballot, submissions);
    }

    @Test
    void whatComesTwiceIsProposedOnce() {
        forwarded.received(LANE, forward(5, 11, 12));
        forwarded.received(LANE, forward(5, 11, 12));

        assertThat(forwarded.take(LANE)).containsExactly(submission(11), submission(12));
        forwarded.received(LANE, forward(5, 12, 13));
        assertThat(forwarded.take(LANE)).containsExactly(submission(13));
        assertThat(forwarded.take(LANE)).isEmpty();
    }

    @Test
    void nothingIsTakenByWhoDoesNotLeadUnderTheBallotThatItWasSentTo() {
        forwarded.received(LANE, forward(4, 11));
        forwarded.received(2, forward(5, 12));

        assertThat(forwarded.take(LANE)).isEmpty();
        assertThat(forwarded.take(2)).isEmpty();
    }

    @Test
    void whatWasSentToOneBallotIsNotProposedUnderAnother() {
        forwarded.received(LANE, forward(5, 11));
        ballot = 6;

        assertThat(forwarded.take(LANE)).isEmpty();
        forwarded.received(LANE, forward(6, 12));
        assertThat(forwarded.take(LANE)).containsExactly(submission(12));
    }

    @Test
    void whatDoesNotFitIsNotTaken() {
        assertThat(forwarded.received(LANE, forward(5, 11))).hasSize(1);
        assertThat(forwarded.received(LANE, forward(5, 12))).hasSize(1);
        assertThat(forwarded.received(LANE, forward(5, 13))).isEmpty();
        forwarded.take(LANE);

        assertThat(forwarded.received(LANE, forward(5, 14))).hasSize(1);
    }

    @Test
    void ofTicketsLongAgoNothingIsRememberedAndNothingIsTakenAgain() {
        for (long ticket = 1; ticket <= 10_050; ticket++) {
            forwarded.received(LANE, forward(5, ticket));
            forwarded.take(LANE);
        }

        assertThat(forwarded.received(LANE, forward(5, 1, 40, 60, 10_050, 10_051)))
                .containsExactly(submission(10_051));
    }
}
