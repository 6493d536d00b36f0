/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThroughputTest {
    private int mebibytes = 64;
    private final Throughput throughput = new Throughput(() -> mebibytes, value -> mebibytes = value);

    @Test
    void itIsLoweredAndPutBack() {
        throughput.lower(0.5);
        assertThat(mebibytes).isEqualTo(32);
        throughput.lower(0.25);
        assertThat(mebibytes).isEqualTo(16);
        throughput.restore();
        assertThat(mebibytes).isEqualTo(64);
    }

    @Test
    void itNeverTurnsIntoNoLimit() {
        mebibytes = 1;
        throughput.lower(0.01);
        assertThat(mebibytes).isEqualTo(1);
        throughput.restore();
        assertThat(mebibytes).isEqualTo(1);
    }

    @Test
    void whatHasNoLimitKeepsNone() {
        mebibytes = 0;
        throughput.lower(0.25);
        throughput.restore();
        assertThat(mebibytes).isZero();
    }

    @Test
    void whatAnOperatorSetsMeanwhileCountsFromThenOn() {
        throughput.lower(0.5);
        mebibytes = 100;
        throughput.lower(0.5);
        assertThat(mebibytes).isEqualTo(50);
        mebibytes = 200;
        throughput.restore();
        assertThat(mebibytes).isEqualTo(200);
    }
}
