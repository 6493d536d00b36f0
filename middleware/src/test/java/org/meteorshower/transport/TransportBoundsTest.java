/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.transport.TransportOptions.Limits;

/** What a transport holds has an end in bytes, whatever its peers do, and all of it is given back. */
final class TransportBoundsTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int CALLS = 60;
    private static final long MB = 1 << 20;

    private final TestNode.Cluster cluster = new TestNode.Cluster();
    private final List<TestNode> nodes = new ArrayList<>();
    private final CountDownLatch goOn = new CountDownLatch(1);

    private TestNode node(long number, Limits limits) throws Exception {
        TestNode node = new TestNode(
                cluster,
                number,
                o -> new TransportOptions(
                        o.clusterName(),
                        o.node(),
                        o.incarnation(),
                        o.dataCenter(),
                        o.listen(),
                        null,
                        null,
                        o.authenticator(),
                        limits),
                null);
        nodes.add(node);
        return node;
    }

    @AfterEach
    void close() {
        goOn.countDown();
        nodes.forEach(TestNode::close);
    }

    /** It reads nothing from now on, until it is to go on. */
    private void stall(TestNode node, TestNode asker) throws Exception {
        CountDownLatch stalls = new CountDownLatch(1);
        node.server = request -> {
            stalls.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return CompletableFuture.completedFuture(request);
        };
        var unused = asker.transport.call(node.id, new byte[0], LONG);
        stalls.await();
    }

    @Test
    void aPeerThatReadsNothingOfItsAnswersDoesNotMakeTheNodeGrow() throws Exception {
        Limits limits = TestNode.LIMITS.within(2 * MB, 3 * MB, 64 * MB);
        TestNode one = node(1, limits);
        TestNode two = node(2, limits);
        TestNode.connect(one, two);
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        AtomicInteger asked = new AtomicInteger();
        one.server = request -> {
            CompletableFuture<byte[]> answer = new CompletableFuture<>();
            synchronized (answers) {
                answers.add(answer);
            }
            asked.incrementAndGet();
            return answer;
        };
        List<CompletableFuture<byte[]>> calls = new ArrayList<>();
        for (int call = 0; call < CALLS; call++) {
            calls.add(two.transport.call(one.id, new byte[10], LONG));
        }
        TestNode.await(() -> asked.get() == CALLS);
        stall(two, one);

        byte[] large = new byte[900_000];
        answers.forEach(answer -> answer.complete(large));

        assertThat(one.transport.outgoing().used()).isLessThan(3 * MB + CALLS * 1_024);
        goOn.countDown();
        int failed = 0;
        for (CompletableFuture<byte[]> call : calls) {
            try {
                assertThat(call.get()).hasSize(large.length);
            } catch (ExecutionException e) {
                assertThat(e).hasMessageContaining("too much waits already");
                failed++;
            }
        }
        assertThat(failed).isBetween(1, CALLS - 1);
        TestNode.await(() -> one.transport.outgoing().used() == 0
                && one.transport.incoming().used() == 0
                && two.transport.outgoing().used() == 0);
    }

    @Test
    void whatIsAskedOfANodeThatServesNothingIsBounded() throws Exception {
        Limits limits = TestNode.LIMITS.within(4 * MB, 16 * MB, 2 * MB);
        TestNode one = node(1, limits);
        TestNode two = node(2, limits);
        TestNode.connect(two, one);
        List<CompletableFuture<byte[]>> served = new ArrayList<>();
        one.server = request -> {
            CompletableFuture<byte[]> answer = new CompletableFuture<>();
            synchronized (served) {
                served.add(answer);
            }
            return answer;
        };
        List<CompletableFuture<byte[]>> calls = new ArrayList<>();
        for (int call = 0; call < 10; call++) {
            calls.add(two.transport.call(one.id, new byte[400_000], LONG));
        }
        TestNode.await(() -> calls.stream()
                        .filter(CompletableFuture::isCompletedExceptionally)
                        .count()
                == 5);

        assertThat(one.transport.incoming().used()).isBetween(2_000_000L, 2 * MB);
        assertThat(calls.stream().filter(CompletableFuture::isCompletedExceptionally))
                .allSatisfy(call -> assertThat(call)
                        .failsWithin(LONG)
                        .withThrowableOfType(ExecutionException.class)
                        .withMessageContaining("too much to serve"));
        served.forEach(answer -> answer.complete(new byte[1]));
        TestNode.await(() -> one.transport.incoming().used() == 0);
    }

    @Test
    void whatWaitsForAllPeersTogetherIsBoundedAndOneLeavesRoomForOthers() throws Exception {
        TestNode one = node(1, TestNode.LIMITS.within(2 * MB, 3 * MB, 64 * MB));
        TestNode two = node(2, TestNode.LIMITS);
        TestNode three = node(3, TestNode.LIMITS);
        TestNode.connect(one, two);
        TestNode.connect(one, three);
        stall(two, one);
        flood(one, two);

        assertThat(one.transport.queuedBytes().get(two.id)).isBetween(MB, 2 * MB);
        assertThat(one.transport.outgoing().used()).isLessThan(3 * MB);
        assertThat(one.transport.parcel(three.id, new byte[500_000], WireVersions.ANY, false))
                .isTrue();
        goOn.countDown();
        TestNode.await(() -> one.transport.outgoing().used() == 0);
    }

    @Test
    void whatIsLargerThanAQueueGoesAlone() throws Exception {
        TestNode one = node(1, TestNode.LIMITS.within(1_000, 1_000, 1_000));
        TestNode two = node(2, TestNode.LIMITS);
        TestNode.connect(one, two);
        TestNode.await(() -> one.transport.outgoing().used() == 0);

        assertThat(one.transport.parcel(two.id, new byte[100_000], WireVersions.ANY, false))
                .isTrue();
        TestNode.await(() -> !two.parcels.isEmpty());
    }

    /** Until it is full for a while: what the machine's own buffers take is not held by the node. */
    private static void flood(TestNode from, TestNode to) throws InterruptedException {
        for (int full = 0; full < 20; ) {
            if (!from.transport.parcel(to.id, new byte[200_000], WireVersions.ANY, false)) {
                full++;
                Thread.sleep(10);
            }
        }
    }

    @Test
    void whatIsDroppedWithAConnectionIsGivenBack() throws Exception {
        TestNode one = node(1, TestNode.LIMITS);
        TestNode two = node(2, TestNode.LIMITS);
        TestNode.connect(one, two);
        stall(two, one);
        flood(one, two);
        assertThat(one.transport.outgoing().used()).isPositive();

        cluster.peers.remove(two.id);

        TestNode.await(() -> one.transport.outgoing().used() == 0);
    }
}
