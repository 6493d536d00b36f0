/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("threads")
class CoordinatorTokenThreadsTest {
    private static final int THREADS = 4;

    @Test
    void aTokenNeverGoesBackAndIsNeverBehindWhatItsThreadHasSeen() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            CoordinatorToken token = new CoordinatorToken(0);
            List<Future<Long>> running = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                SplittableRandom random = new SplittableRandom(thread);
                running.add(threads.submit(() -> {
                    long seen = 0;
                    for (int n = 0; n < 400_000; n++) {
                        long next = (long) n + random.nextInt(100);
                        token.advanceTo(next);
                        long now = token.cutMicros();
                        if (now < seen || now < next) {
                            throw new AssertionError(now + " after " + seen + " and " + next);
                        }
                        seen = now;
                    }
                    return seen;
                }));
            }
            long largest = 0;
            for (Future<Long> each : running) {
                largest = Math.max(largest, each.get(120, TimeUnit.SECONDS));
            }
            assertThat(token.cutMicros()).isEqualTo(largest);
        } finally {
            threads.shutdownNow();
        }
    }
}
