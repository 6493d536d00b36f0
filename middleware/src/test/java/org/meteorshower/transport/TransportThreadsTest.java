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
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Message;

/** A link between two nodes, used by several threads. */
@Tag("threads")
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
                each.get(60, TimeUnit.SECONDS);
            }
            TestNode.await(() -> two.received.size() == THREADS * MESSAGES);
            assertInOrder(two);
        }
    }

    /** The last message of each burst has nobody behind it who would wake the loop in its stead. */
    @Test
    void theLastMessageOfABurstIsNotLeftBehind() throws Exception {
        int bursts = 1_500;
        try (TestNode one = new TestNode(cluster, 1, options -> options, null);
                TestNode two = new TestNode(cluster, 2, options -> options, null)) {
            TestNode.connect(one, two);
            CyclicBarrier together = new CyclicBarrier(THREADS);
            List<Future<?>> sending = inThreads(thread -> () -> {
                for (int burst = 0; burst < bursts; burst++) {
                    together.await(60, TimeUnit.SECONDS);
                    for (int i = 0; i < 2; i++) {
                        one.transport.send(two.id, new Message.Pull((long) thread << 32 | (2 * burst + i)));
                    }
                    long deadlineNanos = System.nanoTime() + 20_000_000_000L;
                    while (two.received.size() < (burst + 1) * 2 * THREADS) {
                        assertThat(System.nanoTime()).as("burst " + burst).isLessThan(deadlineNanos);
                        LockSupport.parkNanos(20_000);
                    }
                }
                return null;
            });
            for (Future<?> each : sending) {
                each.get(120, TimeUnit.SECONDS);
            }
            assertInOrder(two);
        }
    }

    @Test
    void threadsThatBeginTogetherShareOneConnection() throws Exception {
        for (int round = 0; round < 10; round++) {
            TestNode.Cluster fresh = new TestNode.Cluster();
            try (TestNode one = new TestNode(fresh, 1, options -> options, null);
                    TestNode two = new TestNode(fresh, 2, options -> options, null)) {
                AtomicInteger ready = new AtomicInteger();
                List<Future<?>> sending = inThreads(thread -> () -> {
                    ready.incrementAndGet();
                    while (ready.get() < THREADS) {
                        Thread.onSpinWait(); // so that they begin at the very same time
                    }
                    for (long n = 0; n < 200; n++) {
                        one.transport.send(two.id, new Message.Pull((long) thread << 32 | n));
                    }
                    return null;
                });
                for (Future<?> each : sending) {
                    each.get(60, TimeUnit.SECONDS);
                }
                TestNode.await(() -> two.received.size() == THREADS * 200);
                assertInOrder(two);
            }
        }
    }

    @Test
    void eachCallGetsItsOwnAnswer() throws Exception {
        try (TestNode one = new TestNode(cluster, 1, options -> options, null);
                TestNode two = new TestNode(cluster, 2, options -> options, null)) {
            TestNode.connect(one, two);
            List<Future<?>> calling = inThreads(thread -> () -> {
                for (int n = 0; n < 1_000; n++) {
                    // Several under way at once.
                    List<CompletableFuture<byte[]>> answers = new ArrayList<>();
                    for (int i = 0; i < 4; i++) {
                        answers.add(one.transport.call(
                                two.id, TestNode.bytes(thread + " " + n + " " + i), Duration.ofSeconds(20)));
                    }
                    for (int i = 0; i < 4; i++) {
                        assertThat(answers.get(i).get(30, TimeUnit.SECONDS))
                                .isEqualTo(TestNode.bytes(thread + " " + n + " " + i));
                    }
                }
                return null;
            });
            for (Future<?> each : calling) {
                each.get(120, TimeUnit.SECONDS);
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
                assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
                one.transport.close();
                for (Future<?> each : calling) {
                    each.get(60, TimeUnit.SECONDS);
                }
                TestNode.await(() -> calls.stream().allMatch(CompletableFuture::isCompletedExceptionally));
            }
        }
    }

    private static void assertInOrder(TestNode receiver) {
        long[] next = new long[THREADS];
        for (Message message : receiver.received) {
            int thread = (int) (message.hlcMicros() >>> 32);
            assertThat(message.hlcMicros() & 0xffff_ffffL).isEqualTo(next[thread]++);
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
