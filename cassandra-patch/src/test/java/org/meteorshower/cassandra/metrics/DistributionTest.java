/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DistributionTest {
    private final Distribution distribution = new Distribution();

    @Test
    void eachValueIsInTheFirstBucketWhoseBoundItDoesNotExceed() {
        long[] bounds = Distribution.boundsMicros();
        assertThat(bounds).hasSize(Distribution.BUCKETS - 1).isSorted();
        for (int i = 0; i < bounds.length; i++) {
            distribution.add(bounds[i]);
            distribution.add(bounds[i] + 1);
            long[] expected = new long[Distribution.BUCKETS];
            expected[i]++;
            expected[i + 1]++;
            for (int earlier = 0; earlier < i; earlier++) {
                expected[earlier]++;
                expected[earlier + 1]++;
            }
            assertThat(distribution.counts()).isEqualTo(expected);
        }
        distribution.add(0);
        distribution.add(-5);
        distribution.add(Long.MAX_VALUE);
        assertThat(distribution.counts()[0]).isEqualTo(3);
        assertThat(distribution.count()).isEqualTo(2L * bounds.length + 3);
    }

    @Test
    void whatIsBelowZeroCountsAsZeroInTheSum() {
        distribution.add(-5);
        distribution.add(700);
        assertThat(distribution.sumMicros()).isEqualTo(700);
    }

    @Test
    void quantilesLieWithinTheirBuckets() {
        assertThat(distribution.quantileMicros(0.5)).isNaN();
        for (int i = 0; i < 90; i++) {
            distribution.add(800);
        }
        for (int i = 0; i < 10; i++) {
            distribution.add(90_000);
        }
        assertThat(distribution.quantileMicros(0.5)).isBetween(500.0, 1_000.0);
        assertThat(distribution.quantileMicros(0.99)).isBetween(75_000.0, 100_000.0);
        assertThat(distribution.quantileMicros(1)).isCloseTo(100_000, within(0.1));
        distribution.add(Long.MAX_VALUE);
        assertThat(distribution.quantileMicros(1)).isEqualTo(10_000_000);
    }

    @Test
    void quantilesAreOfTheLastMinuteAndCountsOfAllTime() {
        distribution.add(90_000);
        for (int i = 0; i < Distribution.ROLLS_A_MINUTE; i++) {
            distribution.roll();
        }
        assertThat(distribution.quantileMicros(0.5)).isNaN();
        distribution.add(400);
        assertThat(distribution.quantileMicros(0.5)).isBetween(250.0, 500.0);
        for (int i = 0; i < Distribution.ROLLS_A_MINUTE - 1; i++) {
            distribution.roll();
        }
        assertThat(distribution.quantileMicros(0.5)).isBetween(250.0, 500.0);
        distribution.roll();
        assertThat(distribution.quantileMicros(0.5)).isNaN();
        assertThat(distribution.count()).isEqualTo(2);
    }

    @Test
    void whatCameInTheFirstMinuteCountsUntilItIsOver() {
        distribution.add(400);
        for (int i = 0; i < Distribution.ROLLS_A_MINUTE - 1; i++) {
            distribution.roll();
            assertThat(distribution.quantileMicros(0.5)).isBetween(250.0, 500.0);
        }
        distribution.roll();
        assertThat(distribution.quantileMicros(0.5)).isNaN();
    }

    @Test
    void threadsThatAddAtOnceLoseNothing() throws InterruptedException {
        Thread[] threads = new Thread[4];
        Arrays.setAll(
                threads,
                t -> new Thread(() -> {
                    for (int i = 0; i < 10_000; i++) {
                        distribution.add(i);
                    }
                }));
        Arrays.stream(threads).forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(distribution.count()).isEqualTo(40_000);
        assertThat(distribution.sumMicros()).isEqualTo(4L * 10_000 * 9_999 / 2);
    }
}
