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
import java.util.function.Supplier;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.read.FetchedPartition;
import org.meteorshower.cassandra.read.ReadTerms;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.cassandra.ways.Candidate;
import org.meteorshower.cassandra.ways.HedgeBudget;
import org.meteorshower.cassandra.ways.Way;
import org.meteorshower.cassandra.ways.Ways;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Served;
import org.meteorshower.runtime.RequestRefusedException;
import org.meteorshower.runtime.Transport;

/** A forwarded read goes on where a replica cannot serve it, or is late; the replicas are made up. */
class ForwardedReadTest {
    private static final NodeId A = new NodeId(new UUID(0, 1));
    private static final NodeId B = new NodeId(new UUID(0, 2));
    private static final NodeId C = new NodeId(new UUID(0, 3));
    private static final long TOKEN_MICROS = 77;
    private static final Duration LONG = Duration.ofSeconds(60);

    private final SinglePartitionReadCommand command =
            SinglePartitionReadCommand.fullPartitionRead(TestTables.PAIRS, 0, UTF8Type.instance.decompose("key"));

    private final Replicas replicas = new Replicas();
    private final Ways ways = new Ways();
    private final HedgeBudget budget = new HedgeBudget();

    /** Each answers as it is told to; who is told nothing is silent. */
    private static final class Replicas implements Transport {
        final Map<NodeId, Supplier<CompletableFuture<byte[]>>> answers = new HashMap<>();
        final List<NodeId> asked = new ArrayList<>();
        final List<ReadRequest> requests = new ArrayList<>();
        final List<CompletableFuture<byte[]>> all = new ArrayList<>();

        /** How many calls had no answer yet when each was made. */
        final List<Integer> openBefore = new ArrayList<>();

        @Override
        public void send(NodeId to, Message message) {}

        @Override
        public CompletableFuture<byte[]> call(NodeId to, byte[] request, Duration timeout) {
            asked.add(to);
            requests.add(ReadRequest.decode(request));
            openBefore.add((int) all.stream().filter(call -> !call.isDone()).count());
            CompletableFuture<byte[]> answer =
                    answers.getOrDefault(to, CompletableFuture::new).get();
            all.add(answer.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS));
            return answer;
        }

        @Override
        public void close() {}
    }

    private byte[] answerAt(long cutMicros) {
        try {
            return TimedAnswer.of(
                    1,
                    ReadResponse.encode(command, new FetchedPartition(null, new ReadInfo(cutMicros, Served.LOCAL, 0))));
        } catch (RequestRefusedException e) {
            throw new AssertionError(e);
        }
    }

    private void answers(NodeId node, byte[] answer) {
        replicas.answers.put(node, () -> CompletableFuture.completedFuture(answer));
    }

    private void refuses(NodeId node, Failure failure) {
        answers(node, ReadResponse.encode(new RequestRefusedException(failure, "because")));
    }

    private List<Way> order(NodeId... nodes) {
        List<Way> order = new ArrayList<>();
        for (NodeId node : nodes) {
            order.addAll(ways.choose(List.of(new Candidate(node, 0)), 0).order());
        }
        return order;
    }

    private FetchedPartition fetch(Duration limit, NodeId... nodes)
            throws RequestRefusedException, InterruptedException {
        ReadTerms terms = new ReadTerms(TOKEN_MICROS, ReadMode.SEQUENTIAL, System.nanoTime() + limit.toNanos());
        return new ForwardedRead(replicas, budget, command, terms, order(nodes)).fetch();
    }

    private Way.Figures figures(NodeId node) {
        return ways.figures().stream()
                .filter(f -> f.node().equals(node))
                .findFirst()
                .orElseThrow();
    }

    private void spendAllHedges() {
        while (budget.take()) {
            // until there is none left
        }
    }

    @Test
    void theFirstReplicaServesIt() throws Exception {
        answers(A, answerAt(5));
        FetchedPartition fetched = fetch(LONG, A, B);
        assertThat(fetched.info().cutMicros()).isEqualTo(5);
        assertThat(fetched.elsewhere()).isTrue();
        assertThat(replicas.asked).containsExactly(A);
        assertThat(figures(A).reads()).isEqualTo(1);
        assertThat(figures(A).inFlight()).isZero();
    }

    @Test
    void whereOneCannotServeItOrIsNotReachedTheNextOneIsAsked() throws Exception {
        refuses(A, Failure.NOT_READY);
        replicas.answers.put(
                B, () -> CompletableFuture.failedFuture(new Transport.CallFailedException("cannot be reached")));
        answers(C, answerAt(7));
        assertThat(fetch(LONG, A, B, C).info().cutMicros()).isEqualTo(7);
        assertThat(replicas.asked).containsExactly(A, B, C);
        assertThat(figures(C).won()).as("nobody was late").isZero();
    }

    @Test
    void whatEveryReplicaWouldRefuseIsRefusedAtOnce() {
        refuses(A, Failure.CLOCK);
        answers(B, answerAt(7));
        assertThatThrownBy(() -> fetch(LONG, A, B))
                .isInstanceOfSatisfying(RequestRefusedException.class, e -> assertThat(e.failure())
                        .isEqualTo(Failure.CLOCK));
        assertThat(replicas.asked).containsExactly(A);
    }

    @Test
    void whereNoneServesItTheLastReasonIsTold() {
        refuses(A, Failure.TIMED_OUT);
        refuses(B, Failure.NOT_READY);
        assertThatThrownBy(() -> fetch(LONG, A, B))
                .isInstanceOfSatisfying(RequestRefusedException.class, e -> assertThat(e.failure())
                        .isEqualTo(Failure.NOT_READY))
                .hasMessageContaining("replica " + B + ": because");
        assertThatThrownBy(() -> fetch(LONG)).hasMessageContaining("no other replica of the partition is alive");
    }

    @Test
    void whereOneIsLateTheNextOneIsAskedAsWellWithTheSessionsToken() throws Exception {
        answers(B, answerAt(7));
        assertThat(fetch(LONG, A, B, C).info().cutMicros()).isEqualTo(7);
        assertThat(replicas.asked).containsExactly(A, B);
        assertThat(replicas.requests).allSatisfy(request -> {
            assertThat(request.tokenMicros()).isEqualTo(TOKEN_MICROS);
            assertThat(request.timed()).isTrue();
        });
        assertThat(figures(A).hedged()).isEqualTo(1);
        assertThat(figures(A).inFlight()).isEqualTo(1);
        assertThat(figures(B).won()).isEqualTo(1);
    }

    @Test
    void theFirstAnswerCountsAlsoWhereItIsOfTheOneThatWasLate() throws Exception {
        CompletableFuture<byte[]> late = new CompletableFuture<>();
        replicas.answers.put(A, () -> late);
        replicas.answers.put(B, () -> {
            late.complete(answerAt(5));
            return new CompletableFuture<>();
        });
        assertThat(fetch(LONG, A, B).info().cutMicros()).isEqualTo(5);
        assertThat(figures(A).hedged()).isEqualTo(1);
        assertThat(figures(B).won()).isZero();
    }

    /** The second one's refusal is no reason to give up on the first. */
    @Test
    void aRefusalOfTheSecondLeavesTheFirstItsTime() throws Exception {
        CompletableFuture<byte[]> late =
                new CompletableFuture<byte[]>().completeOnTimeout(answerAt(5), 500, TimeUnit.MILLISECONDS);
        replicas.answers.put(A, () -> late);
        refuses(B, Failure.OVERLOADED);
        assertThat(fetch(LONG, A, B).info().cutMicros()).isEqualTo(5);
        assertThat(replicas.asked).containsExactly(A, B);
    }

    @Test
    void whereTheSecondRefusesAThirdIsAskedBesideTheFirst() throws Exception {
        refuses(B, Failure.NOT_READY);
        answers(C, answerAt(9));
        assertThat(fetch(LONG, A, B, C).info().cutMicros()).isEqualTo(9);
        assertThat(replicas.openBefore).containsExactly(0, 1, 1);
        assertThat(figures(A).hedged()).isEqualTo(1);
        assertThat(figures(B).hedged()).isZero();
    }

    @Test
    void withoutAHedgeLeftItWaitsForTheFirst() throws Exception {
        spendAllHedges();
        CompletableFuture<byte[]> late =
                new CompletableFuture<byte[]>().completeOnTimeout(answerAt(5), 500, TimeUnit.MILLISECONDS);
        replicas.answers.put(A, () -> late);
        answers(B, answerAt(7));
        assertThat(fetch(LONG, A, B).info().cutMicros()).isEqualTo(5);
        assertThat(replicas.asked).containsExactly(A);
    }

    @Test
    void oneThatIsSuspectedMeanwhileIsNotWaitedForEvenWithoutAHedge() throws Exception {
        spendAllHedges();
        Way stands = order(A).get(0);
        stands.late(); // for other reads
        stands.late();
        answers(B, answerAt(7));
        assertThat(fetch(LONG, A, B).info().cutMicros()).isEqualTo(7);
        assertThat(replicas.openBefore).as("not when the first had timed out").containsExactly(0, 1);
    }

    @Test
    void twoAreAskedAtATimeAndNoMore() {
        assertThatThrownBy(() -> fetch(Duration.ofSeconds(3), A, B, C)).isInstanceOf(RequestRefusedException.class);
        assertThat(replicas.asked).containsExactly(A, B, C);
        assertThat(replicas.openBefore).containsExactly(0, 1, 1);
    }

    @Test
    void afterTheDeadlineNobodyIsAsked() {
        answers(A, answerAt(5));
        assertThatThrownBy(() -> fetch(Duration.ZERO, A)).isInstanceOf(RequestRefusedException.class);
        assertThat(replicas.asked).isEmpty();
    }
}
