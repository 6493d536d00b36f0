/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meteorshower.transport.TestNode.await;
import static org.meteorshower.transport.TestNode.bytes;
import static org.meteorshower.transport.TestNode.connect;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.Transport.CallFailedException;
import org.meteorshower.wan.WanEmulator;
import org.meteorshower.wan.WanMatrix;

class NettyTransportTest {
    private final TestNode.Cluster cluster = new TestNode.Cluster();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        // A loop says that it has ended a moment before its thread has.
        await(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(t -> t.isAlive() && t.getName().startsWith("meteorshower-net")));
    }

    @Test
    void messagesArriveInOrderBothWays() throws Exception {
        TestNode one = node(1);
        TestNode two = node(2);
        connect(one, two);
        connect(two, one);
        List<Message> sent = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            sent.add(new RandomMessages(i).next());
        }
        sent.removeIf(m -> m instanceof Message.Stale);
        for (Message message : sent) {
            one.transport.send(two.id, message);
            two.transport.send(one.id, message);
        }
        await(() -> two.received.size() == sent.size() && one.received.size() == sent.size());
        assertThat(two.received).containsExactlyElementsOf(sent);
        assertThat(one.received).containsExactlyElementsOf(sent);
    }

    @Test
    void whatWentToEachPeerIsCountedInMessagesAndBytesOfWholeFramesWithoutCalls() throws Exception {
        TestNode one = node(1);
        TestNode two = node(2);
        TestNode three = node(3);
        connect(one, two);
        connect(one, three);
        var before = one.transport.traffic();
        Message.Pull pull = new Message.Pull(42);
        one.transport.send(two.id, pull);
        one.transport.send(two.id, pull);
        one.transport.send(three.id, pull);
        await(() -> two.received.stream().filter(pull::equals).count() == 2 && three.received.contains(pull));
        assertThat(call(one, two, "no message")).isNotEmpty();
        var after = one.transport.traffic();

        long frame = 4L + 1 + new MessageCodec(StringUpdate.CODEC).encode(pull).length + 8;
        assertThat(after.get(two.id).messages() - messages(before, two)).isEqualTo(2);
        assertThat(after.get(two.id).bytes() - bytesTo(before, two)).isEqualTo(2 * frame);
        assertThat(after.get(three.id).messages() - messages(before, three)).isEqualTo(1);
        assertThat(after.get(three.id).bytes() - bytesTo(before, three)).isEqualTo(frame);
    }

    @Test
    void whatCameFromEachPeerIsCountedAsWhatWentToIt() throws Exception {
        TestNode one = node(1);
        TestNode two = node(2);
        connect(one, two);
        one.transport.send(two.id, new Message.Pull(42));
        one.transport.parcel(two.id, bytes("parcel"), WireVersions.ANY, false);
        assertThat(call(one, two, "no message")).isNotEmpty();
        await(() -> two.transport
                .received()
                .get(one.id)
                .equals(one.transport.traffic().get(two.id)));
        await(() -> one.transport.queuedBytes().get(two.id) == 0);
    }

    private static long messages(Map<NodeId, PeerTraffic> traffic, TestNode to) {
        return traffic.getOrDefault(to.id, new PeerTraffic(0, 0)).messages();
    }

    private static long bytesTo(Map<NodeId, PeerTraffic> traffic, TestNode to) {
        return traffic.getOrDefault(to.id, new PeerTraffic(0, 0)).bytes();
    }

    @Test
    void theFirstMessageIsNotLostThoughItHasToConnect() throws Exception {
        TestNode one = node(1);
        TestNode two = node(2);
        one.transport.send(two.id, new Message.Pull(42));
        await(() -> two.received.contains(new Message.Pull(42)));
        assertThat(call(one, two, "at once")).isEqualTo("at once");
    }

    @Test
    void aCallBringsItsAnswerOrTheReasonWhyNot() throws Exception {
        TestNode one = node(1);
        TestNode two = node(2);
        two.server = request -> CompletableFuture.completedFuture(Arrays.copyOf(request, 3));
        assertThat(call(one, two, "question")).isEqualTo("que");

        two.server = request -> CompletableFuture.failedFuture(new IllegalStateException("not a replica"));
        assertThatThrownBy(() -> call(one, two, "q"))
                .hasCauseInstanceOf(CallFailedException.class)
                .hasMessageContaining("not a replica");
        two.server = request -> {
            throw new IllegalStateException("thrown");
        };
        assertThatThrownBy(() -> call(one, two, "q")).hasMessageContaining("thrown");
        two.server = request -> CompletableFuture.completedFuture(new byte[TestNode.LIMITS.maxFrameBytes()]);
        assertThatThrownBy(() -> call(one, two, "q")).hasMessageContaining("larger than a frame");
        two.server = CompletableFuture::completedFuture;
        assertThat(call(one, two, "still there")).isEqualTo("still there");
        assertThatThrownBy(() -> one.transport
                        .call(NodeId.of(77), bytes("q"), Duration.ofSeconds(1))
                        .get())
                .hasMessageContaining("not known");
    }

    @Test
    void aCallNeverHangsLongerThanItsTimeOut() throws Exception {
        TestNode one = node(1);
        TestNode two = node(2);
        two.server = request -> new CompletableFuture<>();
        long startNanos = System.nanoTime();
        assertThatThrownBy(() -> one.transport
                        .call(two.id, bytes("q"), Duration.ofMillis(150))
                        .get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("did not answer within 150 ms");
        assertThat(System.nanoTime() - startNanos).isLessThan(15_000_000_000L);
    }

    @Test
    void callsUnderWayAreBounded() throws Exception {
        TestNode one = node(1);
        TestNode two = node(2);
        two.server = request -> new CompletableFuture<>();
        List<CompletableFuture<byte[]>> calls = new ArrayList<>();
        for (int i = 0; i < TestNode.LIMITS.maxCalls() + 1; i++) {
            calls.add(one.transport.call(two.id, bytes("q"), Duration.ofSeconds(1)));
        }
        CompletableFuture<byte[]> last = calls.get(calls.size() - 1);
        assertThat(last).isCompletedExceptionally();
        await(() -> calls.stream().allMatch(CompletableFuture::isDone));
        assertThatThrownBy(() -> calls.get(0).get())
                .as("the first is no victim of the bound")
                .hasMessageContaining("did not answer");
        assertThatThrownBy(last::get).hasMessageContaining("too much is waiting");
        two.server = CompletableFuture::completedFuture;
        // The other side still has its bound full of calls that nobody answers.
        assertThatThrownBy(() -> call(one, two, "q")).hasMessageContaining("too many calls");
    }

    @Test
    void aReceiverThatThrowsDoesNotStopTheNextMessage() throws Exception {
        TestNode one = node(1);
        TestNode two = node(2);
        one.transport.send(two.id, new Message.Stale(1, 1));
        one.transport.send(two.id, new Message.Settle(2, new StringUpdate("unknown table")));
        one.transport.send(two.id, new Message.Pull(3));
        await(() -> two.received.size() == 2);
        assertThat(two.received).containsExactly(new Message.Stale(1, 1), new Message.Pull(3));
        assertThat(two.transport.counters().receiverFailures.sum()).isEqualTo(1);
        assertThat(two.transport.counters().undecodable.sum()).isEqualTo(1);
    }

    @Test
    void aPeerThatComesBackIsReachedAgainByItself() throws Exception {
        TestNode one = node(1);
        TestNode two = node(2);
        connect(one, two);
        two.close();
        await(() -> {
            one.transport.send(two.id, new Message.Pull(1));
            return one.transport.counters().droppedUnreachable.sum() > 0;
        });
        assertThatThrownBy(() -> call(one, two, "q")).hasMessageContaining("cannot be reached");
        TestNode again = new TestNode(cluster, 2, two.listen, o -> o, null);
        opened.add(again);
        // Nothing is sent meanwhile: the link itself connects.
        await(() -> again.transport.counters().connected.sum() > 0);
        one.transport.send(two.id, new Message.Pull(2));
        await(() -> again.received.contains(new Message.Pull(2)));
    }

    @Test
    void ofACallThatFailsWithItsPeerItIsKnownWhetherItWasSent() throws Exception {
        TestNode one = node(1);
        TestNode two = node(2);
        connect(one, two);
        assertThat(one.transport.isConnected(two.id)).isTrue();
        two.server = request -> new CompletableFuture<>();
        var underWay = one.transport.call(two.id, bytes("q"), Duration.ofSeconds(30));
        // Behind it on the same connection, so it has been sent.
        connect(one, two);
        two.close();
        assertThatThrownBy(() -> underWay.get(20, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(CallFailedException.class, failure -> assertThat(failure.isSent())
                        .isTrue());
        await(() -> !one.transport.isConnected(two.id));
        assertThatThrownBy(() -> one.transport
                        .call(two.id, bytes("q"), Duration.ofSeconds(20))
                        .get(30, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(CallFailedException.class, failure -> assertThat(failure.isSent())
                        .isFalse());
    }

    @Test
    void aNodeThatLeavesTheClusterIsNoLongerHeard() throws Exception {
        TestNode one = node(1);
        TestNode two = node(2);
        connect(one, two);
        connect(two, one);
        var place = cluster.peers.remove(two.id);
        await(() -> one.transport.counters().refused.sum() > 0);
        one.received.clear();
        two.transport.send(one.id, new Message.Pull(9));
        one.transport.send(two.id, new Message.Pull(9));
        Thread.sleep(100);
        assertThat(one.received).isEmpty();
        cluster.peers.put(two.id, place);
        connect(two, one);
    }

    @Test
    void aFloodIsBoundedDroppedAndCountedAndNeverBlocks() throws Exception {
        TestNode one = node(1);
        TestNode two = node(2);
        connect(one, two);
        CompletableFuture<Void> gate = new CompletableFuture<>();
        // The receiver's only loop is held up, so everything piles up.
        two.server = request -> {
            gate.orTimeout(30, TimeUnit.SECONDS).join();
            return CompletableFuture.completedFuture(request);
        };
        var held = one.transport.call(two.id, bytes("q"), Duration.ofSeconds(30));
        Message large = new Message.Settle(1, new StringUpdate("x".repeat(50_000)));
        long startNanos = System.nanoTime();
        for (int i = 0; i < 1_000; i++) {
            one.transport.send(two.id, large);
        }
        assertThat(System.nanoTime() - startNanos)
                .as("less than the receiver is held up")
                .isLessThan(15_000_000_000L);
        assertThat(one.transport.counters().droppedFull.sum()).isGreaterThan(500);
        gate.complete(null);
        held.get(30, TimeUnit.SECONDS);
        await(() -> {
            one.transport.send(two.id, new Message.Pull(7));
            return two.received.contains(new Message.Pull(7));
        });
        one.transport.send(two.id, new Message.Settle(1, new StringUpdate("x".repeat(2 << 20))));
        assertThat(call(one, two, "fine")).isEqualTo("fine");
    }

    @Test
    void aTakenPortIsAnErrorThatNamesAddressPortAndOption() throws Exception {
        TestNode one = node(1);
        assertThatThrownBy(() -> new TestNode(cluster, 1, one.listen, o -> o, null))
                .isInstanceOf(TransportStartException.class)
                .hasMessageContaining("127.0.0.1 port " + one.listen.getPort())
                .hasMessageContaining("transport.port");
    }

    @Test
    void closingFailsCallsUnderWayAndLaterOnes() throws Exception {
        TestNode one = node(1);
        TestNode two = node(2);
        two.server = request -> new CompletableFuture<>();
        var call = one.transport.call(two.id, bytes("q"), Duration.ofSeconds(30));
        connect(one, two);
        one.close();
        assertThatThrownBy(() -> call.get(20, TimeUnit.SECONDS)).hasMessageContaining("closed");
        one.transport.send(two.id, new Message.Pull(1));
        assertThatThrownBy(() -> call(one, two, "q")).isInstanceOf(ExecutionException.class);
        one.close();
    }

    @Test
    void theEmulatedNetworkDelaysMessagesAndCallsLosesMessagesOnlyAndCutsBoth() throws Exception {
        WanEmulator wan = new WanEmulator(new Random(1), 10_000);
        opened.add(0, wan);
        TestNode one = node(1, o -> o, wan);
        TestNode two = node(2, o -> o, wan);
        connect(one, two);
        wan.apply(WanMatrix.parse(List.of("delay.dc1.dc2=50", "delay.dc2.dc1=50")));
        List<Long> roundTripsNanos = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            long startNanos = System.nanoTime();
            assertThat(call(one, two, "q")).isEqualTo("q");
            roundTripsNanos.add(System.nanoTime() - startNanos);
        }
        roundTripsNanos.sort(null);
        System.out.println("bench: a call over 50 ms each way took, median, " + roundTripsNanos.get(7) / 1_000 + " us");
        assertThat(roundTripsNanos.get(0)).isGreaterThanOrEqualTo(100_000_000L);

        wan.apply(WanMatrix.parse(List.of("loss.dc1.dc2=1")));
        one.transport.send(two.id, new Message.Pull(5));
        assertThat(call(one, two, "late")).isEqualTo("late");
        assertThat(two.received).doesNotContain(new Message.Pull(5));
        assertThat(one.transport.counters().droppedByWan.sum()).isEqualTo(1);

        wan.apply(WanMatrix.parse(List.of("cut.dc1.dc2=true")));
        one.transport.send(two.id, new Message.Pull(6));
        assertThatThrownBy(() -> one.transport
                        .call(two.id, bytes("q"), Duration.ofMillis(100))
                        .get())
                .hasMessageContaining("did not answer");
        assertThat(two.received).doesNotContain(new Message.Pull(6));
        wan.apply(WanMatrix.NONE);
        assertThat(call(one, two, "healed")).isEqualTo("healed");
    }

    @Test
    void aCallOverTheLoopbackTakesMicroseconds() throws Exception {
        TestNode one = node(1);
        TestNode two = node(2);
        List<Long> nanos = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            long startNanos = System.nanoTime();
            assertThat(call(one, two, "q")).isEqualTo("q");
            nanos.add(System.nanoTime() - startNanos);
        }
        nanos.subList(0, 1_000).clear();
        nanos.sort(null);
        System.out.println("bench: a call over the loopback takes, median, " + nanos.get(1_000) / 1_000 + " us, p99 "
                + nanos.get(1_980) / 1_000 + " us");
    }

    private TestNode node(long number) throws Exception {
        return node(number, o -> o, null);
    }

    private TestNode node(long number, Function<TransportOptions, TransportOptions> change, WanEmulator wan)
            throws Exception {
        TestNode node = new TestNode(cluster, number, change, wan);
        opened.add(node);
        return node;
    }

    private static String call(TestNode from, TestNode to, String request) throws Exception {
        return new String(
                from.transport
                        .call(to.id, bytes(request), Duration.ofSeconds(20))
                        .get(30, TimeUnit.SECONDS),
                StandardCharsets.UTF_8);
    }
}
