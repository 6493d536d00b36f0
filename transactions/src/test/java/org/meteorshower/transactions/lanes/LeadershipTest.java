/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.Turn;

/** Data centre 1 looks at lane 0, which data centre 0 leads. */
class LeadershipTest {
    private static final Settings SETTINGS = Settings.DEFAULT;
    private static final long STEP_MICROS = 5_000;

    private static final Revoker.Ways NO_WAYS = new Revoker.Ways() {
        @Override
        public long roundTripMicros(int dc) {
            return 0;
        }

        @Override
        public long heldUpMicros(int lane) {
            return 0;
        }

        @Override
        public long closedEpoch() {
            return 0;
        }
    };

    private final Members members = new Members(1, 3);
    private final Turn turn = new Turn(members);
    private final Peers peers = new Peers(members);
    private final List<Lane> lanes =
            IntStream.range(0, 3).mapToObj(this::newLane).toList();
    private final Leadership leadership =
            new Leadership(members, SETTINGS, turn, peers, lanes, () -> true, () -> false, NO_WAYS);
    private long micros = 10_000_000;
    private long decided;

    private Lane newLane(int number) {
        return new Lane(
                number,
                members,
                SETTINGS,
                turn,
                new Durability(turn, 7),
                new Generations(List.of(1, 1, 1), dc -> {}),
                () -> true,
                Recovery.founding(3, 7),
                (lane, position, entry) -> {});
    }

    @BeforeEach
    void begin() {
        lanes.get(0).leader().seen(Ballot.of(1, 1, 0));
        leadFor(1_000_000);
    }

    /** So much time, in which the others are heard, and maybe the leader with its decisions. */
    private void pass(long duration, boolean leads) {
        for (long end = micros + duration; micros < end; micros += STEP_MICROS) {
            turn.begin(new Now(micros, micros * 1_000));
            peers.heard(2, micros, leadership.hasListened());
            if (leads) {
                peers.heard(0, micros, leadership.hasListened());
                lanes.get(0).suspicion().seen(++decided, micros);
            }
            leadership.tick();
        }
    }

    private void leadFor(long duration) {
        pass(duration, true);
    }

    private void silenceFor(long duration) {
        pass(duration, false);
    }

    private boolean isTakenOver() {
        return lanes.get(0).leader().ballot() != Ballot.NONE;
    }

    @Test
    void aSilentLeaderIsReplaced() {
        silenceFor(700_000);

        assertThat(isTakenOver()).isTrue();
    }

    @Test
    void oneThatCameBackFromAPauseIsGrantedAnotherOfThatLength() {
        peers.heard(0, micros - 1_000_000, true);
        leadFor(1_000_000);
        silenceFor(1_100_000);
        assertThat(isTakenOver()).isFalse();

        silenceFor(600_000);

        assertThat(isTakenOver()).isTrue();
    }

    @Test
    void thePauseIsForgottenAfterAMinute() {
        peers.heard(0, micros - 1_000_000, true);
        leadFor(61_000_000);
        silenceFor(700_000);

        assertThat(isTakenOver()).isTrue();
    }

    @Test
    void whatThisDataCentreDidNotHearWhileItStoodStillIsNoPauseOfTheLeader() {
        micros += 1_000_000;
        leadFor(1_000_000);
        silenceFor(700_000);

        assertThat(isTakenOver()).isTrue();
    }
}
