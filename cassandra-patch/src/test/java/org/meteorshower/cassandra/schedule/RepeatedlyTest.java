/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class RepeatedlyTest {
    @Test
    void goesOnWhateverARunThrows() throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(3);
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        try {
            Repeatedly.run(
                    thread,
                    "fail",
                    () -> {
                        runs.countDown();
                        if (runs.getCount() == 2) {
                            throw new AssertionError("the first time");
                        }
                        throw new IllegalStateException("later");
                    },
                    1,
                    TimeUnit.MILLISECONDS);
            assertThat(runs.await(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            thread.shutdownNow();
        }
    }
}
