/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.transactions.codec.AnswerCodec;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.port.Answer;
import org.meteorshower.transactions.runtime.CoreProcess;
import org.meteorshower.transport.NettyTransport;

/** Runs transactions in this node's process, or at the node of this data centre that has it. Thread-safe. */
final class RoutedRunner implements TransactionRunner {
    /** One entry holds one transaction at least; and an entry has to fit into a mutation and a parcel. */
    static final int MOST_BYTES = 512 << 10;

    /** The other node answers for itself when the time is over; this one only helps where it does not. */
    private static final long GRACE_NANOS = 500_000_000;

    private static final long AGAIN_NANOS = 50_000_000;

    /** Requests that may wait for a process. */
    private static final int MOST_WAITING = 1_000;

    private final DataCentres dataCentres;
    private final Representatives representatives;
    private final Supplier<@Nullable CoreProcess> process;
    private final NettyTransport transport;
    private final ScheduledExecutorService timer;
    private final AtomicInteger waiting = new AtomicInteger();

    RoutedRunner(
            DataCentres dataCentres,
            Representatives representatives,
            Supplier<@Nullable CoreProcess> process,
            NettyTransport transport,
            ScheduledExecutorService timer) {
        this.dataCentres = dataCentres;
        this.representatives = representatives;
        this.process = process;
        this.transport = transport;
        this.timer = timer;
    }

    @Override
    public CompletableFuture<Answer> run(Transaction transaction, Terms terms) {
        if (terms.kind() != Kind.WRITE && !transaction.isReadOnly()) {
            return told(new Answer.ReadFailed("a read must not write"));
        }
        SessionId session = terms.session();
        return switch (terms.kind()) {
            case SNAPSHOT -> snapshot(transaction, terms.token(), terms.deadlineNanos());
            case STRICT -> submit(new Request.Read(transaction), terms.deadlineNanos());
            case WRITE ->
                submit(
                        session == null
                                ? new Request.Once(transaction)
                                : new Request.Run(session, terms.sequence(), transaction),
                        terms.deadlineNanos());
        };
    }

    @Override
    public CompletableFuture<Answer> submit(Request request, long deadlineNanos) {
        int bytes;
        try {
            bytes = LogCodec.size(request);
        } catch (IllegalArgumentException e) {
            return told(new Answer.Refused(Answer.Refusal.TOO_LARGE, String.valueOf(e.getMessage())));
        }
        if (bytes > MOST_BYTES) {
            return told(new Answer.Refused(
                    Answer.Refusal.TOO_LARGE,
                    "the transaction takes " + bytes + " bytes, and at most " + MOST_BYTES
                            + " are taken: cut it into smaller ones"));
        }
        return whenReady(
                () -> {
                    CoreProcess here = process.get();
                    return here != null
                            ? here.submit(request, deadlineNanos)
                            : forward(remainingMicros -> new CallForm.Submit(request, remainingMicros), deadlineNanos);
                },
                deadlineNanos);
    }

    private CompletableFuture<Answer> snapshot(Transaction transaction, long token, long deadlineNanos) {
        return whenReady(
                () -> {
                    CoreProcess here = process.get();
                    return here != null
                            ? here.snapshot(transaction, token, deadlineNanos)
                            : forward(
                                    remainingMicros -> new CallForm.Snapshot(transaction, token, remainingMicros),
                                    deadlineNanos);
                },
                deadlineNanos);
    }

    private CompletableFuture<Answer> forward(LongFunction<CallForm> call, long deadlineNanos) {
        Representatives.Heard representative = representatives.of(dataCentres.self());
        NodeId node = representative == null ? dataCentres.node() : representative.node();
        long remainingNanos = Math.max(0, deadlineNanos - System.nanoTime());
        if (node.equals(dataCentres.node())) {
            return told(new Answer.Refused(
                    Answer.Refusal.NOT_READY,
                    "no node of data centre " + dataCentres.names().get(dataCentres.self())
                            + " runs its transactions at the moment: try again in a few seconds"));
        }
        return transport
                .call(node, call.apply(remainingNanos / 1_000).encode(), Duration.ofNanos(remainingNanos + GRACE_NANOS))
                .handle((bytes, failure) ->
                        failure == null ? decoded(bytes) : lost(String.valueOf(failure.getMessage())));
    }

    /**
     * Does it, and where nobody is ready for it, after a while again, until the deadline: a data centre's process may be about to
     * start, here or at another node. Nothing was proposed then.
     */
    private CompletableFuture<Answer> whenReady(Supplier<CompletableFuture<Answer>> action, long deadlineNanos) {
        return action.get().thenCompose(answer -> {
            if (!(answer instanceof Answer.Refused refused)
                    || refused.refusal() != Answer.Refusal.NOT_READY
                    || System.nanoTime() + AGAIN_NANOS - deadlineNanos >= 0
                    || waiting.get() >= MOST_WAITING) {
                return told(answer);
            }
            waiting.incrementAndGet();
            CompletableFuture<Answer> later = new CompletableFuture<>();
            var unused = timer.schedule(
                    () -> {
                        waiting.decrementAndGet();
                        var ignored = whenReady(action, deadlineNanos)
                                .exceptionally(failure -> lost(failure.toString()))
                                .thenAccept(later::complete);
                    },
                    AGAIN_NANOS,
                    TimeUnit.NANOSECONDS);
            return later;
        });
    }

    private static Answer decoded(byte[] bytes) {
        try {
            return AnswerCodec.decode(bytes);
        } catch (BadDataException e) {
            return lost(String.valueOf(e.getMessage()));
        }
    }

    /** The request may have arrived, and run. */
    private static Answer lost(String why) {
        return new Answer.Unknown("the node that runs this data centre's transactions did not answer: " + why);
    }

    private static CompletableFuture<Answer> told(Answer answer) {
        return CompletableFuture.completedFuture(answer);
    }

    /** What another node of this data centre asks for. */
    CompletableFuture<byte[]> called(CallForm call) {
        CoreProcess here = process.get();
        CompletableFuture<Answer> answer;
        if (here == null) {
            answer = told(new Answer.Refused(
                    Answer.Refusal.NOT_READY, "the node asked does not run this data centre's transactions any more"));
        } else if (call instanceof CallForm.Submit submit) {
            answer = here.submit(submit.request(), deadline(submit.remainingMicros()));
        } else if (call instanceof CallForm.Snapshot snapshot) {
            answer = here.snapshot(snapshot.transaction(), snapshot.token(), deadline(snapshot.remainingMicros()));
        } else {
            answer = told(new Answer.ReadFailed("no request"));
        }
        return answer.thenApply(AnswerCodec::encode);
    }

    private static long deadline(long remainingMicros) {
        return System.nanoTime() + 1_000 * Math.max(0, Math.min(3_600_000_000L, remainingMicros));
    }
}
