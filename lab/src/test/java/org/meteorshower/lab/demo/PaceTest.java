/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PaceTest {
    private static final List<String> DCS = List.of("eu", "us", "asia");

    @Test
    void theDefaultLimitIsWhatClientsReachWhoseWritesAreARoundTrip() {
        assertThat(Pace.defaultOperationsPerSecond(24, 0.5, DCS, List.of(50.0))).isEqualTo(480, within(0.001));
        // eu 100 ms, us 100 ms, asia 150 ms to the nearest and back
        assertThat(Pace.defaultOperationsPerSecond(24, 0.5, DCS, List.of(50.0, 75.0, 120.0)))
                .isEqualTo(24_000 / (0.5 * 350 / 3), within(0.001));
    }

    @Test
    void withoutDelayOrWritesTheDefaultLimitIsFarBelowSaturation() {
        assertThat(Pace.defaultOperationsPerSecond(24, 0.5, DCS, List.of(0.0))).isEqualTo(1_000);
        assertThat(Pace.defaultOperationsPerSecond(24, 1, DCS, List.of(50.0))).isEqualTo(1_000);
        assertThat(Pace.defaultOperationsPerSecond(24, 0.5, List.of("eu"), List.of(50.0)))
                .isEqualTo(1_000);
    }

    @Test
    void aClientDoesItsShareAndNoMore() {
        long start = System.nanoTime();
        long end = start + TimeUnit.MILLISECONDS.toNanos(300);
        Pace pace = new Pace(new Workload(2, 1, 0.5, 200), start, new SplittableRandom(1));
        int operations = 0;
        while (pace.await(end) - end < 0) {
            operations++;
        }
        assertThat(operations).isBetween(1, 30); // a hundred a second; fewer where the machine is busy
    }

    @Test
    void withoutALimitNothingWaits() {
        long now = System.nanoTime();
        Pace pace = new Pace(new Workload(1, 1, 0.5, 0), now, new SplittableRandom(1));
        for (int i = 0; i < 1_000; i++) {
            pace.await(now + TimeUnit.HOURS.toNanos(1));
        }
        assertThat(System.nanoTime() - now).isLessThan(TimeUnit.SECONDS.toNanos(10));
    }
}
