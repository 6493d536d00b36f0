/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.port.Members;

class OwnWaysTest {
    private final long[] roundTrips = {0, 100_000, 240_000};
    private final OwnWays ways = new OwnWays(new Members(0, 3), new Revoker.Ways() {
        @Override
        public long roundTripMicros(int dc) {
            return roundTrips[dc];
        }

        @Override
        public long heldUpMicros(int lane) {
            return 0;
        }

        @Override
        public long closedEpoch() {
            return 0;
        }
    });
    private long micros;

    private void pass(long seconds) {
        for (long i = 0; i < 10 * seconds; i++) {
            micros += 100_000;
            ways.look(micros);
        }
    }

    @Test
    void whoIsFurtherFromAllThanUsualIsSlow() {
        pass(10);
        assertThat(ways.areSlow()).isFalse();

        roundTrips[1] += 500_000;
        pass(1);
        assertThat(ways.areSlow()).as("one of them is").isFalse();

        roundTrips[2] += 500_000;
        pass(1);
        assertThat(ways.areSlow()).isTrue();
    }

    @Test
    void thatAnotherOneIsNotHeardDoesNotMakeItSlow() {
        pass(10);
        roundTrips[1] = 0;
        pass(1);
        assertThat(ways.areSlow()).isFalse();
    }

    /** As where a node is heard before it takes part, or the ways have changed. */
    @Test
    void whatWasQuickForAMomentIsNotUsual() {
        roundTrips[1] = 1_000;
        roundTrips[2] = 1_000;
        pass(10);
        roundTrips[1] = 100_000;
        roundTrips[2] = 240_000;
        pass(20);
        assertThat(ways.areSlow()).isTrue();

        pass(20);
        assertThat(ways.areSlow()).isFalse();
        assertThat(ways.longestUsualMicros()).isEqualTo(240_000);
    }

    @Test
    void whatIsSlowForLongIsUsual() {
        pass(300);
        roundTrips[1] += 500_000;
        roundTrips[2] += 500_000;
        pass(200);
        assertThat(ways.areSlow()).isTrue();

        pass(100);
        assertThat(ways.areSlow()).isFalse();
        assertThat(ways.longestUsualMicros()).isGreaterThan(600_000);
    }
}
