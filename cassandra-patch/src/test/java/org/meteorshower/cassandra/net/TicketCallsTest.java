/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.placement.OwnPlace;
import org.meteorshower.cassandra.ways.Ways;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.RequestRefusedException;
import org.meteorshower.runtime.Transport;
import org.meteorshower.runtime.WriteTicket;

/** Writes that begin at another node; the nodes are made up. */
class TicketCallsTest {
    private static final NodeId SELF = new NodeId(new UUID(0, 9));
    private static final NodeId A = new NodeId(new UUID(0, 1));
    private static final NodeId B = new NodeId(new UUID(0, 2));
    private static final PartitionKey KEY = new PartitionKey(new UUID(1, -2), new byte[] {1, 2, 3});
    private static final PartitionKey OTHER = new PartitionKey(new UUID(3, -4), new byte[0]);
    private static final TicketForm.Begin WRITE = new TicketForm.Begin(List.of(KEY, OTHER), 77, true, 0);
    private static final int BYTES = 3 + 2 * 1_024;

    /** What a replica answers to those that ask it for a ticket; it gives timestamps 1, 2, 3 and so on. */
    private static final class Replica implements OwnPlace {
        final ByteAccount waiting = new ByteAccount(BYTES + 100);
        final List<FakeTicket> given = new ArrayList<>();

        @Nullable
        RequestRefusedException refusal;

        boolean onRing = true;
        boolean holds = true;
        TicketsForOthers tickets;

        Replica(NodeId node, long life) {
            tickets = tickets(node, life);
        }

        TicketsForOthers tickets(NodeId node, long life) {
            return new TicketsForOthers(
                    node,
                    life,
                    (coordinator, keys, tokenMicros, strict, deadlineNanos) -> {
                        assertThat(coordinator).isEqualTo(SELF);
                        assertThat(keys).isEqualTo(WRITE.keys());
                        assertThat(tokenMicros).isGreaterThanOrEqualTo(77);
                        assertThat(strict).isTrue();
                        if (refusal != null) {
                            throw refusal;
                        }
                        FakeTicket ticket = new FakeTicket(Math.max(tokenMicros, 77L + given.size()) + 1);
                        given.add(ticket);
                        return ticket;
                    },
                    key -> holds ? ReplicaGroup.majority(node, SELF) : null,
                    this,
                    waiting);
        }

        @Override
        public boolean isBootstrapping() {
            return false;
        }

        @Override
        public boolean isOnRing() {
            return onRing;
        }
    }

    private static final class FakeTicket implements WriteTicket {
        final long timestampMicros;
        final CompletableFuture<Long> done = new CompletableFuture<>();
        volatile boolean closed;

        FakeTicket(long timestampMicros) {
            this.timestampMicros = timestampMicros;
        }

        @Override
        public long timestampMicros() {
            return timestampMicros;
        }

        @Override
        public String whyPending() {
            return "";
        }

        @Override
        public long awaitDone(long deadlineNanos) {
            return done.completeOnTimeout(-1L, deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)
                    .join();
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private final Map<NodeId, Replica> replicas = new HashMap<>(Map.of(A, new Replica(A, 1), B, new Replica(B, 1)));
    private final List<Long> noted = new ArrayList<>();
    private long ownMicros;
    private final List<NodeId> silent = new ArrayList<>();

    private final TicketCalls calls = new TicketCalls(
            SELF,
            new Transport() {
                @Override
                public void send(NodeId to, Message message) {}

                @Override
                public CompletableFuture<byte[]> call(NodeId to, byte[] request, Duration timeout) {
                    CompletableFuture<byte[]> answer = silent.contains(to)
                            ? new CompletableFuture<>()
                            : replicas.get(to).tickets.called(SELF, request);
                    return answer.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS);
                }

                @Override
                public void close() {}
            },
            new Ways(),
            new UsedTimestamps(50, this::given));

    @AfterEach
    void close() {
        replicas.values().forEach(replica -> replica.tickets.close());
    }

    private long given(long timestampMicros) {
        noted.add(timestampMicros);
        return ownMicros;
    }

    private static long in(Duration time) {
        return System.nanoTime() + time.toNanos();
    }

    private WriteTicket begin(NodeId... order) throws Exception {
        return calls.begin(List.of(order), WRITE, in(Duration.ofSeconds(20)));
    }

    @Test
    void aWriteHasItsTimestampAndItsTokenFromTheReplica() throws Exception {
        try (WriteTicket ticket = begin(A, B)) {
            assertThat(ticket.timestampMicros()).isEqualTo(78);
            replicas.get(A).given.get(0).done.complete(500L);
            assertThat(ticket.awaitDone(in(Duration.ofSeconds(20)))).isEqualTo(500);
        }
        assertThat(replicas.get(A).given.get(0).closed).isTrue();
        assertThat(replicas.get(A).waiting.used()).isZero();
        assertThat(replicas.get(B).given).isEmpty();
    }

    @Test
    void aTimestampThatTwoGiveIsUsedOnce() throws Exception {
        assertThat(begin(A).timestampMicros()).isEqualTo(78);
        replicas.get(B).waiting.takeAnyway(-BYTES); // there is room for two
        assertThat(begin(B).timestampMicros()).isEqualTo(79);
        assertThat(replicas.get(B).given)
                .extracting(FakeTicket::timestampMicros)
                .containsExactly(78L, 79L);
        assertThat(noted).containsExactly(78L, 79L);
    }

    @Test
    void norIsOneThatThisNodeMayHaveGivenItself() throws Exception {
        ownMicros = 100;
        replicas.get(A).waiting.takeAnyway(-BYTES); // there is room for two
        assertThat(begin(A).timestampMicros()).isEqualTo(101);
    }

    @Test
    void whatALifeBeforeMayHaveUsedIsNotUsed() {
        UsedTimestamps used = new UsedTimestamps(50, this::given);
        assertThat(used.take(50)).isEqualTo(50);
        for (long micros = 10_000; micros > 51; micros--) {
            used.take(micros);
        }
        // Of ten thousand it remembers the newest ones, and takes no other for unused.
        assertThat(used.take(51)).isEqualTo(10_000);
        assertThat(used.take(10_000)).isEqualTo(10_000);
        assertThat(used.take(10_001)).isNull();
    }

    @Test
    void theNextOneIsAskedWhereOneRefusesOrIsSilent() throws Exception {
        replicas.get(A).refusal = new RequestRefusedException(Failure.NOT_READY, "no lease");
        assertThat(begin(A, B).timestampMicros()).isEqualTo(78);
        replicas.get(A).refusal = null;
        replicas.get(B).waiting.giveBack(replicas.get(B).waiting.used());
        silent.add(A);
        assertThat(calls.begin(List.of(A, B), WRITE, in(Duration.ofSeconds(1))).timestampMicros())
                .isEqualTo(79);
    }

    @Test
    void whereNobodyBeginsItTheErrorSaysWhy() {
        replicas.get(A).holds = false;
        replicas.get(B).onRing = false;
        assertThatThrownBy(() -> begin(A, B))
                .isInstanceOf(RequestRefusedException.class)
                .hasMessageContaining("strict=home")
                .hasMessageContaining("has left the ring")
                .hasMessageContaining("Nothing was written");
        assertThatThrownBy(this::begin).hasMessageContaining("none of them is alive");
    }

    @Test
    void whatIsWrongEverywhereIsNotAskedElsewhere() {
        replicas.get(A).refusal = new RequestRefusedException(Failure.BAD_TOKEN, "far ahead");
        assertThatThrownBy(() -> begin(A, B)).hasMessage("far ahead");
        assertThat(replicas.get(B).given).isEmpty();
    }

    @Test
    void aNewLifeKnowsNothingOfTheWritesOfTheOneBefore() throws Exception {
        Replica replica = replicas.get(A);
        TicketForm.Begun begun = TicketForm.begun(replica.tickets
                .called(SELF, TicketForm.encode(new TicketForm.Begin(WRITE.keys(), 77, true, 1_000_000)))
                .get());
        TicketsForOthers before = replica.tickets;
        replica.tickets = replica.tickets(A, 2);
        replica.given.clear();
        replica.waiting.giveBack(BYTES);
        try (WriteTicket other = begin(A)) {
            assertThat(other.timestampMicros()).isEqualTo(begun.timestampMicros());
            replica.given.get(0).done.complete(500L);
            byte[] asked = TicketForm.encode(new TicketForm.Await(begun, 1_000_000));
            assertThat(TicketForm.doneMicros(replica.tickets.called(SELF, asked).get()))
                    .isEqualTo(-1);
            // Nor does a node that asks about another one's.
            byte[] foreign = TicketForm.encode(new TicketForm.Await(new TicketForm.Begun(2, 78), 1_000_000));
            assertThat(TicketForm.doneMicros(replica.tickets.called(B, foreign).get()))
                    .isEqualTo(-1);
        }
        before.close();
    }

    @Test
    void aReplicaThatHasNoRoomSaysSo() throws Exception {
        try (WriteTicket first = begin(A)) {
            assertThatThrownBy(() -> begin(A))
                    .isInstanceOf(RequestRefusedException.class)
                    .satisfies(e ->
                            assertThat(((RequestRefusedException) e).failure()).isEqualTo(Failure.OVERLOADED));
            replicas.get(A).given.get(0).done.complete(1L);
            first.awaitDone(in(Duration.ofSeconds(20)));
        }
        assertThat(begin(A).timestampMicros()).isEqualTo(79);
    }

    @Test
    void whatBecameOfAWriteIsNotKnownWhereTheReplicaIsSilent() throws Exception {
        WriteTicket ticket = begin(A);
        assertThat(ticket.awaitDone(in(Duration.ofMillis(20)))).isEqualTo(-1);
        ticket.close();
    }

    @Test
    void anAnswerToSomethingElseIsRefused() {
        assertThatThrownBy(() -> TicketForm.doneMicros(TicketForm.encode(new TicketForm.Begun(3, 4))))
                .hasMessageContaining("not what was expected");
        assertThat(TicketsForOthers.isOne(TicketForm.encode(WRITE))).isTrue();
        assertThat(RepairCalls.isOne(TicketForm.encode(WRITE))).isFalse();
        assertThat(MissedCalls.isOne(TicketForm.encode(WRITE))).isFalse();
    }
}
