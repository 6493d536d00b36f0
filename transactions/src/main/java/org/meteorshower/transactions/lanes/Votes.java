/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.Arrays;

/**
 * Who has accepted what was proposed for a position, by ballot: a set of data centres for each. There is mostly one,
 * seldom two.
 */
final class Votes {
    private long[] ballots = new long[1];
    private int[] voters = new int[1];
    private int count;

    void add(long ballot, int dc) {
        for (int i = 0; i < count; i++) {
            if (ballots[i] == ballot) {
                voters[i] |= 1 << dc;
                return;
            }
        }
        if (count == ballots.length) {
            ballots = Arrays.copyOf(ballots, 2 * count);
            voters = Arrays.copyOf(voters, 2 * count);
        }
        ballots[count] = ballot;
        voters[count++] = 1 << dc;
    }

    /** How many accepted under this ballot. */
    int of(long ballot) {
        for (int i = 0; i < count; i++) {
            if (ballots[i] == ballot) {
                return Integer.bitCount(voters[i]);
            }
        }
        return 0;
    }

    void forget(int dc) {
        for (int i = 0; i < count; i++) {
            voters[i] &= ~(1 << dc);
        }
    }

    void clear() {
        count = 0;
    }
}
