/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ConsistencyLevel;
import org.junit.jupiter.api.Test;

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

    @Test
    void oneOfAllLeavesTimeForOneOfAMajority() {
        assertThat(millis(ConsistencyLevel.ALL, 5_000)).isEqualTo(2_500);
        assertThat(millis(ConsistencyLevel.ALL, 800)).isEqualTo(500);
        assertThat(millis(ConsistencyLevel.ALL, 200)).isEqualTo(200);
        assertThat(millis(ConsistencyLevel.ALL, -3)).isEqualTo(-3);
    }
}
