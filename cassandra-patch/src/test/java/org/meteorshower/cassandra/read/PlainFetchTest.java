/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ConsistencyLevel;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.ReadMode;

class PlainFetchTest {
    private static final long NOW = -7;

    private static long millis(ConsistencyLevel level, long millisLeft) {
        long end = new PlainFetch(level).endNanos(NOW + TimeUnit.MILLISECONDS.toNanos(millisLeft), NOW);
        return TimeUnit.NANOSECONDS.toMillis(end - NOW);
    }

    @Test
    void oneOfAMajorityHasAllOfTheClientsTime() {
        assertThat(millis(ConsistencyLevel.QUORUM, 5_000)).isEqualTo(5_000);
        assertThat(millis(ConsistencyLevel.QUORUM, 20)).isEqualTo(20);
    }

    /** Else a read that is looked at again after a quarter of a second would fail after that. */
    @Test
    void theTimeOfAnAttemptIsNotTheClients() {
        long now = System.nanoTime();
        ReadTerms terms = new ReadTerms(0, ReadMode.SEQUENTIAL, now + TimeUnit.SECONDS.toNanos(5));
        ReadTerms attempt = terms.until(now + 1);
        assertThat(attempt.deadlineNanos()).isEqualTo(now + 1);
        assertThat(attempt.until(now + 2)).isEqualTo(attempt);
        assertThat(attempt.lastNanos()).isEqualTo(terms.deadlineNanos());
    }

    @Test
    void oneOfAllLeavesTimeForOneOfAMajority() {
        assertThat(millis(ConsistencyLevel.ALL, 5_000)).isEqualTo(2_500);
        assertThat(millis(ConsistencyLevel.ALL, 800)).isEqualTo(500);
        assertThat(millis(ConsistencyLevel.ALL, 200)).isEqualTo(200);
        assertThat(millis(ConsistencyLevel.ALL, -3)).isEqualTo(-3);
    }
}
