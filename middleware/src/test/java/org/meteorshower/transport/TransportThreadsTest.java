/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Message;

/** A link between two nodes, used by several threads. */
class TransportThreadsTest {
    private static final int THREADS = 4;
    private static final int MESSAGES = 6_000;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final TestNode.Cluster cluster = new TestNode.Cluster();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void theMessagesOfOneThreadKeepTheirOrderAndNoneIsLeftBehind() throws Exception {
        try (TestNode one = new TestNode(cluster, 1, options -> options, null);
                TestNode two = new TestNode(cluster, 2, options -> options, null)) {
            TestNode.connect(one, two);
            List<Future<?>> sending = inThreads(thread -> () -> {
                for (long n = 0; n < MESSAGES; n++) {
                    one.transport.send(two.id, new Message.Pull((long) thread << 32 | n));
                    if (n % 500 == 0) {
                        Thread.sleep(1); // lets the loop run dry, so that it must be woken again
                    }
                }
                return null;
            });
            for (Future<?> each : sending) {
                each.get(20, TimeUnit.SECONDS);
            }
            TestNode.await(() -> two.received.size() == THREADS * MESSAGES);
            long[] next = new long[THREADS];
            for (Message message : two.received) {
                int thread = (int) (message.hlcMicros() >>> 32);
                assertThat(message.hlcMicros() & 0xffff_ffffL).isEqualTo(next[thread]++);
            }
        }
    }

    @Test
    void everyCallEndsWhenTheTransportIsClosedAmongThem() throws Exception {
        for (int round = 0; round < 5; round++) {
            TestNode.Cluster fresh = new TestNode.Cluster();
            try (TestNode one = new TestNode(fresh, 1, options -> options, null);
                    TestNode two = new TestNode(fresh, 2, options -> options, null)) {
                two.server = request -> new CompletableFuture<>(); // never answers
                TestNode.connect(one, two);
                ConcurrentLinkedQueue<CompletableFuture<byte[]>> calls = new ConcurrentLinkedQueue<>();
                CountDownLatch begun = new CountDownLatch(THREADS);
                List<Future<?>> calling = inThreads(thread -> () -> {
                    for (int n = 0; n < 2_000; n++) {
                        calls.add(one.transport.call(two.id, TestNode.bytes("?"), Duration.ofMinutes(1)));
                        if (n == 5) {
                            begun.countDown();
                        }
                    }
                    return null;
                });
                assertThat(begun.await(5, TimeUnit.SECONDS)).isTrue();
                one.transport.close();
                for (Future<?> each : calling) {
                    each.get(20, TimeUnit.SECONDS);
                }
                TestNode.await(() -> calls.stream().allMatch(CompletableFuture::isCompletedExceptionally));
            }
        }
    }

    private interface Work {
        Callable<Object> of(int thread);
    }

    private List<Future<?>> inThreads(Work work) {
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            running.add(threads.submit(work.of(thread)));
        }
        return running;
    }
}
