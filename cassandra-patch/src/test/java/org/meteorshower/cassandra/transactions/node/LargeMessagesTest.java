/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.ByteAccount;

final class LargeMessagesTest {
    private static final NodeId ONE = NodeId.of(1);
    private static final NodeId TWO = NodeId.of(2);
    private static final int MB = LargeMessages.PIECE_BYTES;

    private record Call(NodeId to, CallForm.Piece piece, CompletableFuture<byte[]> answer) {}

    private final LinkedBlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    private final ByteAccount sent = new ByteAccount(5 * MB);
    private final ByteAccount arriving = new ByteAccount(8 * MB);
    private final AtomicLong nanos = new AtomicLong();
    private final List<byte[]> whole = new ArrayList<>();
    private final LargeMessages messages = new LargeMessages(
            (to, request, timeout) -> {
                CompletableFuture<byte[]> answer = new CompletableFuture<>();
                calls.add(new Call(to, decoded(request), answer));
                return answer;
            },
            sent);
    private final LargeArrivals arrivals =
            new LargeArrivals((from, message) -> whole.add(message), arriving, nanos::get);

    private static CallForm.Piece decoded(byte[] request) {
        try {
            return (CallForm.Piece) CallForm.decode(request);
        } catch (org.meteorshower.transactions.codec.BadDataException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void end() {
        messages.close();
    }

    private Call next() throws InterruptedException {
        Call call = calls.poll(30, TimeUnit.SECONDS);
        assertThat(call).isNotNull();
        return call;
    }

    /** The sender may hear of an answer on its own thread. */
    private void awaitNothingSent() throws InterruptedException {
        long startNanos = System.nanoTime();
        while (sent.used() > 0) {
            assertThat(System.nanoTime() - startNanos).isLessThan(TimeUnit.SECONDS.toNanos(30));
            Thread.sleep(1);
        }
    }

    private static byte[] message(int bytes) {
        byte[] message = new byte[bytes];
        Arrays.fill(message, (byte) bytes);
        return message;
    }

    private static CallForm.Piece piece(long number, int index, int count) {
        return new CallForm.Piece(number, index, count, new byte[MB]);
    }

    @Test
    void aMessageArrivesWholeAndNothingIsHeldAfterwards() throws Exception {
        byte[] message = message(2 * MB + 17);
        messages.send(TWO, () -> message);
        for (int index = 0; index < 3; index++) {
            Call call = next();
            assertThat(sent.used()).isEqualTo(message.length);
            assertThat(arrivals.received(ONE, call.piece)).isTrue();
            call.answer.complete(new byte[0]);
        }

        assertThat(whole).hasSize(1);
        assertThat(whole.get(0)).isEqualTo(message);
        awaitNothingSent();
        assertThat(arriving.used()).isZero();
    }

    @Test
    void whatHasNoRoomIsNotSentUntilTheOtherIsThere() throws Exception {
        messages.send(ONE, () -> message(4 * MB));
        Call first = next();
        messages.send(TWO, () -> message(2 * MB));

        assertThat(calls.poll(200, TimeUnit.MILLISECONDS)).isNull();
        assertThat(sent.used()).isEqualTo(4 * MB);
        first.answer.completeExceptionally(new IllegalStateException("lost"));
        awaitNothingSent();
        messages.send(TWO, () -> message(2 * MB));
        assertThat(next().to).isEqualTo(TWO);
    }

    @Test
    void whatHasNoRoomIsNotTakenAndItsSenderHears() {
        assertThat(arrivals.received(ONE, piece(1, 0, 3))).isTrue();

        assertThat(arrivals.received(TWO, piece(7, 0, 3))).isFalse();
        assertThat(arrivals.received(TWO, piece(7, 1, 3))).isFalse();
        assertThat(arriving.used()).isEqualTo(6 * MB);
    }

    @Test
    void oneOfAnySizeIsTakenWhereNothingElseIs() {
        assertThat(arrivals.received(ONE, piece(1, 0, 200))).isTrue();
        assertThat(arrivals.received(TWO, piece(1, 0, 1))).isFalse();
    }

    @Test
    void whatStandsStillMakesRoom() {
        assertThat(arrivals.received(ONE, piece(1, 0, 4))).isTrue();
        nanos.addAndGet(LargeMessages.PATIENCE.toNanos());
        assertThat(arrivals.received(TWO, piece(1, 0, 4))).isFalse();
        nanos.incrementAndGet();

        assertThat(arrivals.received(TWO, piece(1, 0, 4))).isTrue();
        assertThat(arrivals.received(ONE, piece(1, 1, 4))).as("forgotten").isFalse();
        assertThat(arriving.used()).isEqualTo(8 * MB);
    }

    @Test
    void aMessageThatBeginsAnewTakesThePlaceOfTheOneBefore() {
        assertThat(arrivals.received(ONE, piece(1, 0, 4))).isTrue();
        assertThat(arrivals.received(ONE, piece(2, 0, 3))).isTrue();
        assertThat(arriving.used()).isEqualTo(6 * MB);
        assertThat(arrivals.received(ONE, piece(1, 1, 4))).isFalse();
    }
}
