/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.cassandra.utils.EstimatedHistogram;
import org.junit.jupiter.api.Test;

class ClientReadsTest {
    private final EstimatedHistogram all = new EstimatedHistogram(126);
    private final ClientReads reads = new ClientReads(() -> all.getBuckets(false));

    private void read(int times, long micros) {
        for (int i = 0; i < times; i++) {
            all.add(micros);
        }
    }

    @Test
    void itTellsOfTheTimeSinceItWasAskedLast() {
        read(1_000, 50_000);
        assertThat(reads.p99Micros()).isBetween(40_000L, 60_000L);
        read(1_000, 1_000);
        assertThat(reads.p99Micros()).isBetween(800L, 1_200L);
    }

    @Test
    void ofFewReadsItTellsLater() {
        for (int i = 0; i < 4; i++) {
            read(15, 1_000);
            assertThat(reads.p99Micros()).isEqualTo(ClientReads.NOT_YET);
        }
        read(15, 1_000);
        assertThat(reads.p99Micros()).isBetween(800L, 1_200L);
    }

    @Test
    void hardlyAnyAreNobody() {
        read(5, 1_000);
        for (int i = 0; i < 4; i++) {
            assertThat(reads.p99Micros()).isEqualTo(ClientReads.NOT_YET);
        }
        assertThat(reads.p99Micros()).isZero();
    }

    @Test
    void oneThatTakesLongerThanAllBucketsIsNoReasonToFail() {
        read(1_000, Long.MAX_VALUE / 2);
        assertThat(reads.p99Micros()).isGreaterThan(1_000_000);
    }
}
