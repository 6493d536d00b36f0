/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class NearestTest {
    private static final long MILLI = 1_000_000;

    private final Nearest nearest = new Nearest(3);
    private long now = 17;

    private int ask(Set<Integer> possible, long... millis) {
        int dc = nearest.choose(possible::contains, now);
        if (dc != DataCentres.NONE) {
            nearest.took(dc, millis[dc] * MILLI);
        }
        now += MILLI;
        return dc;
    }

    @Test
    void eachIsTriedOnceAndThenTheOneThatAnswersSoonest() {
        Set<Integer> all = Set.of(0, 1, 2);
        assertThat(ask(all, 100, 20, 50)).isEqualTo(0);
        assertThat(ask(all, 100, 20, 50)).isEqualTo(1);
        assertThat(ask(all, 100, 20, 50)).isEqualTo(2);
        for (int i = 0; i < 100; i++) {
            assertThat(ask(all, 100, 20, 50)).isEqualTo(1);
        }
    }

    @Test
    void whoBecomesSlowIsLeftAndTriedAgainLater() {
        Set<Integer> all = Set.of(0, 1, 2);
        for (int i = 0; i < 10; i++) {
            ask(all, 100, 20, 50);
        }
        int asked = 0;
        for (int i = 0; i < 100; i++) {
            asked += ask(all, 100, 2_000, 50) == 1 ? 1 : 0;
        }
        assertThat(asked).isEqualTo(1);
        now += Nearest.AGAIN_NANOS;
        assertThat(ask(all, 100, 20, 50)).isEqualTo(0);
        assertThat(ask(all, 100, 20, 50)).isEqualTo(1);
    }

    @Test
    void onlyWhoIsKnownIsAsked() {
        assertThat(ask(Set.of())).isEqualTo(DataCentres.NONE);
        assertThat(ask(Set.of(2), 0, 0, 50)).isEqualTo(2);
        assertThat(ask(Set.of(2), 0, 0, 50)).isEqualTo(2);
        assertThat(ask(Set.of(0, 2), 100, 0, 50)).isEqualTo(0);
        assertThat(ask(Set.of(0), 100, 0, 50)).isEqualTo(0);
    }
}
