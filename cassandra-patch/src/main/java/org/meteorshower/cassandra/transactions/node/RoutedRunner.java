/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.Fatal;
import org.meteorshower.runtime.Transport.CallFailedException;
import org.meteorshower.transactions.codec.AnswerCodec;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.port.Answer;
import org.meteorshower.transactions.runtime.CoreProcess;

/**
 * Runs a group's transactions in this node's process, or at the node of this data centre that has it; where this data
 * centre is not of the group, at that of the nearest that is. While none does, and when the one that was asked has
 * ended, it asks again until the deadline, as far as that can do no harm. Thread-safe.
 */
final class RoutedRunner implements TransactionRunner {
    /** One entry holds one transaction at least; and an entry has to fit into a mutation and a parcel. */
    static final int MOST_BYTES = 512 << 10;

    /** The other node answers for itself when the time is over; this one only helps where it does not. */
    private static final long GRACE_NANOS = 500_000_000;

    private static final long AGAIN_NANOS = 20_000_000;

    /** Who has done nothing for a request counts for as slow as this, however soon that was told. */
    private static final long USELESS_NANOS = 5_000_000_000L;

    /** Requests that may wait for a process. */
    private static final int MOST_WAITING = 1_000;

    /** What a request takes beside its text, about: the objects of which it is made, and who waits for it. */
    private static final int BYTES_EACH = 2_048;

    /** Asks another node; fails with {@link CallFailedException}. */
    interface Remote {
        CompletableFuture<byte[]> call(Representatives.Heard to, byte[] request, Duration timeout);
    }

    /** What asking once more can do, after it is not known what became of the first time. */
    private enum Again {
        /** Nothing: it is only read, or what is done twice does not matter. */
        HARMLESS,
        /** It happens once at most, under its number. If the second time is refused, the first may still happen. */
        NUMBERED,
        /** It may happen twice. */
        NEVER;

        static Again of(Request request) {
            if (request instanceof Request.Read || request instanceof Request.Open) {
                return HARMLESS;
            }
            return request instanceof Request.Once ? NEVER : NUMBERED;
        }
    }

    /** What is asked for: of a process here, or of another node. */
    private record Asked(
            Function<CoreProcess, CompletableFuture<Answer>> here,
            LongFunction<CallForm> there,
            Again again,
            long deadlineNanos) {}

    private final DataCentres dataCentres;
    private final Representatives representatives;
    private final Supplier<@Nullable CoreProcess> process;
    private final Remote remote;
    private final Supplier<@Nullable String> trouble;
    private final IntPredicate uses;
    private final IntFunction<@Nullable String> whyNot;
    private final ScheduledExecutorService timer;
    private final ByteAccount requests;
    private final Nearest nearest;
    private final LongSupplier mostBytes;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean impatient;

    /**
     * @param trouble why no process takes anything, and none will by itself; null where nothing is known
     * @param uses whether nothing is in the way of a format
     * @param whyNot asked for each transaction that needs a later format than the first; null where nothing is in its
     *     way
     * @param requests of this node's clients that are under way, in all groups; one more is refused
     * @param mostBytes of those that may be of this group: where it stands still, others go on
     */
    RoutedRunner(
            DataCentres dataCentres,
            Representatives representatives,
            Supplier<@Nullable CoreProcess> process,
            Remote remote,
            Supplier<@Nullable String> trouble,
            IntPredicate uses,
            IntFunction<@Nullable String> whyNot,
            ScheduledExecutorService timer,
            ByteAccount requests,
            LongSupplier mostBytes) {
        this.dataCentres = dataCentres;
        this.representatives = representatives;
        this.process = process;
        this.remote = remote;
        this.trouble = trouble;
        this.uses = uses;
        this.whyNot = whyNot;
        this.timer = timer;
        this.requests = requests;
        this.mostBytes = mostBytes;
        nearest = new Nearest(dataCentres.names().size());
    }

    /** The node stops: who waits, or would, is told at once that nothing was done. */
    void waitNoMore() {
        impatient = true;
    }

    /** How many requests wait for a process that takes them. */
    int waiting() {
        return waiting.get();
    }

    @Override
    public boolean uses(int format) {
        return uses.test(format);
    }

    @Override
    public @Nullable String whyNot(int format) {
        return whyNot.apply(format);
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
        long size = sizeOf(request);
        if (size > MOST_BYTES) {
            return told(new Answer.Refused(
                    Answer.Refusal.TOO_LARGE,
                    "the transaction takes more than " + MOST_BYTES
                            + " bytes, which are the most that are taken: cut it" + " into smaller ones"));
        }
        return admitted(
                size,
                new Asked(
                        here -> here.submit(request, deadlineNanos),
                        remainingMicros -> new CallForm.Submit(request, remainingMicros),
                        Again.of(request),
                        deadlineNanos));
    }

    private CompletableFuture<Answer> snapshot(Transaction transaction, long token, long deadlineNanos) {
        return admitted(
                sizeOf(new Request.Read(transaction)),
                new Asked(
                        here -> here.snapshot(transaction, token, deadlineNanos),
                        remainingMicros -> new CallForm.Snapshot(transaction, token, remainingMicros),
                        Again.HARMLESS,
                        deadlineNanos));
    }

    @Override
    public CompletableFuture<Answer> awaitTables(long token, long deadlineNanos) {
        return admitted(
                0,
                new Asked(
                        here -> here.awaitTables(token, deadlineNanos),
                        remainingMicros -> new CallForm.AwaitTables(token, remainingMicros),
                        Again.HARMLESS,
                        deadlineNanos));
    }

    /** More than can be written where it cannot be written at all. */
    private static long sizeOf(Request request) {
        try {
            return LogCodec.size(request);
        } catch (IllegalArgumentException e) {
            return Integer.MAX_VALUE;
        }
    }

    /** What has no room is refused before anything is done. */
    private CompletableFuture<Answer> admitted(long size, Asked asked) {
        long held = size + BYTES_EACH;
        if (!take(held)) {
            return told(new Answer.Refused(
                    Answer.Refusal.OVERLOADED,
                    "transactions of " + bytes.get() + " bytes are under way at this node, and " + mostBytes.getAsLong()
                            + " are the most (memory.transaction_requests)"));
        }
        CompletableFuture<Answer> answer;
        try {
            answer = ask(asked, null);
        } catch (RuntimeException | Error e) {
            giveBack(held);
            throw e;
        }
        return answer.whenComplete((told, failure) -> giveBack(held));
    }

    private boolean take(long held) {
        if (bytes.addAndGet(held) <= mostBytes.getAsLong() && requests.take(held)) {
            return true;
        }
        bytes.addAndGet(-held);
        return false;
    }

    private void giveBack(long held) {
        bytes.addAndGet(-held);
        requests.giveBack(held);
    }

    /** @param doubt what was asked before may yet happen; null where nothing was, or it cannot */
    private CompletableFuture<Answer> ask(Asked asked, Answer.@Nullable Unknown doubt) {
        CoreProcess here = process.get();
        CompletableFuture<Answer> first = here != null ? asked.here.apply(here) : forward(asked);
        return first.thenCompose(answer -> {
            boolean refused = isNotReady(answer);
            Answer.Unknown unknown = answer instanceof Answer.Unknown told ? told : null;
            boolean again = refused || (unknown != null && asked.again != Again.NEVER);
            if (again
                    && !impatient
                    && System.nanoTime() + AGAIN_NANOS - asked.deadlineNanos < 0
                    && waiting.get() < MOST_WAITING) {
                return askLater(asked, unknown != null && asked.again == Again.NUMBERED ? unknown : doubt);
            }
            return told(doubt != null && answer instanceof Answer.Refused ? doubt : answer);
        });
    }

    private CompletableFuture<Answer> askLater(Asked asked, Answer.@Nullable Unknown doubt) {
        waiting.incrementAndGet();
        CompletableFuture<Answer> later = new CompletableFuture<>();
        var unused = timer.schedule(
                Fatal.told(() -> {
                    waiting.decrementAndGet();
                    var ignored = ask(asked, doubt)
                            .exceptionally(failure -> lost(failure.toString()))
                            .thenAccept(later::complete);
                }),
                AGAIN_NANOS,
                TimeUnit.NANOSECONDS);
        return later;
    }

    private CompletableFuture<Answer> forward(Asked asked) {
        long begunNanos = System.nanoTime();
        int dc = dataCentres.isMember()
                ? dataCentres.self()
                : nearest.choose(each -> representatives.of(each) != null, begunNanos);
        Representatives.Heard representative = dc == DataCentres.NONE ? null : representatives.of(dc);
        if (representative == null || representative.node().equals(dataCentres.node())) {
            String why = trouble.get();
            String of = dataCentres.isMember() ? dataCentres.names().get(dc) : String.join(", ", dataCentres.names());
            return told(notReady("no node of data centre "
                    + of
                    + (why == null
                            ? " runs its transactions at the moment: try again in a few seconds"
                            : " takes transactions: " + why)));
        }
        long remainingNanos = Math.max(0, asked.deadlineNanos - begunNanos);
        return remote.call(
                        representative,
                        asked.there.apply(remainingNanos / 1_000).encode(),
                        Duration.ofNanos(remainingNanos + GRACE_NANOS))
                .handle((bytes, failure) -> {
                    Answer answer = failure == null ? decoded(bytes) : failed(failure);
                    long tookNanos = System.nanoTime() - begunNanos;
                    boolean useless = answer instanceof Answer.Unknown || isNotReady(answer);
                    nearest.took(dc, useless ? Math.max(USELESS_NANOS, tookNanos) : tookNanos);
                    return answer;
                });
    }

    private static boolean isNotReady(Answer answer) {
        return answer instanceof Answer.Refused refused && refused.refusal() == Answer.Refusal.NOT_READY;
    }

    private static Answer failed(Throwable failure) {
        return failure instanceof CallFailedException call && !call.isSent()
                ? notReady("the node that runs this data centre's transactions cannot be reached: " + call.getMessage())
                : lost(String.valueOf(failure.getMessage()));
    }

    private static Answer notReady(String detail) {
        return new Answer.Refused(Answer.Refusal.NOT_READY, detail);
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
        } else if (call instanceof CallForm.AwaitTables await) {
            answer = here.awaitTables(await.token(), deadline(await.remainingMicros()));
        } else {
            answer = told(new Answer.ReadFailed("no request"));
        }
        return answer.thenApply(AnswerCodec::encode);
    }

    private static long deadline(long remainingMicros) {
        return System.nanoTime() + 1_000 * Math.max(0, Math.min(3_600_000_000L, remainingMicros));
    }
}
