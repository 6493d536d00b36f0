/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("threads")
final class OwnThreadsTest {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @Test
    void theTimeOfThreadsOfOneNameIsOneSumAndThatOfOthersIsNotInIt() throws InterruptedException {
        CountDownLatch worked = new CountDownLatch(3);
        CountDownLatch end = new CountDownLatch(1);
        Runnable work = () -> {
            long from = System.nanoTime();
            // Of its own time: on a busy machine others use the processor meanwhile.
            while (THREADS.getCurrentThreadCpuTime() < 20_000_000 && System.nanoTime() - from < 20_000_000_000L) {
                Thread.onSpinWait();
            }
            worked.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        for (String name : new String[] {"meteorshower-test-3-1", "meteorshower-test-3-2", "Others-1"}) {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            thread.start();
        }
        worked.await();
        var times = OwnThreads.ofThisProcess().cpuMicros();
        end.countDown();

        assertThat(times.get("meteorshower-test")).isBetween(40_000L, 40_000_000L);
        assertThat(times.keySet()).noneMatch(name -> name.contains("Others") || name.matches(".*[0-9]"));
    }
}
