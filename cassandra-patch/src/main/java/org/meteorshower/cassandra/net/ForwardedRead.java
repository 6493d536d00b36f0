/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.tracing.Tracing;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.read.FetchedPartition;
import org.meteorshower.cassandra.read.ReadTerms;
import org.meteorshower.cassandra.ways.HedgeBudget;
import org.meteorshower.cassandra.ways.Way;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.runtime.RequestRefusedException;
import org.meteorshower.runtime.Transport;

/**
 * One read that replicas are asked for, one after the other: the next one where the one before cannot serve it. Where
 * that one is only late, the next is asked as well and the first answer counts: rows and cut come from one replica, and
 * the other's answer is dropped unread. Used by the client's thread; answers come on the transport's.
 */
final class ForwardedRead {
    /**
     * @param second whether another one had been asked, and had not answered, when this one was
     * @param bytes null where there is none
     */
    @SuppressWarnings("ArrayRecordComponent") // answers are not compared
    private record Answer(
            Way way,
            boolean second,
            byte @Nullable [] bytes,
            @Nullable Throwable failure) {}

    private final Transport transport;
    private final HedgeBudget budget;
    private final SinglePartitionReadCommand command;
    private final ReadTerms terms;
    /** Whom to ask; those before {@link #asked} were. */
    private final List<Way> order;

    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    private final Set<Way> underWay = new HashSet<>();
    /** Those of them that were late when another one was asked. */
    private final Set<Way> overtaken = new HashSet<>();

    private int asked;
    /** Whether the one that was asked last has been found to be late. */
    private boolean late;

    private Failure failure = Failure.TIMED_OUT;
    private String trouble = "no other replica of the partition is alive";
    /** What no other replica would say otherwise. */
    private @Nullable RequestRefusedException refusal;

    ForwardedRead(
            Transport transport,
            HedgeBudget budget,
            SinglePartitionReadCommand command,
            ReadTerms terms,
            List<Way> order) {
        this.transport = transport;
        this.budget = budget;
        this.command = command;
        this.terms = terms;
        this.order = order;
    }

    /** Blocks at most until the deadline. */
    FetchedPartition fetch() throws RequestRefusedException, InterruptedException {
        while (true) {
            if (underWay.isEmpty() && (refusal != null || !askNext())) {
                throw refusal != null
                        ? refusal
                        : new RequestRefusedException(failure, "no replica served the read; " + trouble);
            }
            Answer answer = answers.poll(toWaitNanos(), TimeUnit.NANOSECONDS);
            if (answer == null) {
                askAnotherIfLate();
            } else {
                underWay.remove(answer.way);
                FetchedPartition fetched = taken(answer);
                if (fetched != null) {
                    return fetched;
                }
            }
        }
    }

    /** Until the one asked last is late; where there is no other, as long as calls last, which end by themselves. */
    private long toWaitNanos() {
        long leftNanos = Math.max(0, terms.deadlineNanos() - System.nanoTime()) + TimeUnit.SECONDS.toNanos(1);
        return asked == order.size()
                ? leftNanos
                : Math.min(
                        leftNanos,
                        TimeUnit.MICROSECONDS.toNanos(order.get(asked - 1).patienceMicros()));
    }

    /** @return whether there is another one, and time left */
    private boolean askNext() {
        if (asked == order.size()) {
            return false;
        }
        // A replica that hangs must leave time for the others.
        long remainingMicros = (terms.deadlineNanos() - System.nanoTime()) / 1_000 / (order.size() - asked);
        if (remainingMicros <= 0) {
            return false;
        }
        Way way = order.get(asked++);
        boolean second = !underWay.isEmpty();
        late = false;
        Tracing.trace("MeteorShower: forwarding the read to replica {}{}", way.node(), distance(way));
        byte[] request = new ReadRequest(command, terms.tokenMicros(), terms.mode(), remainingMicros, true).encode();
        underWay.add(way);
        way.begun();
        long begunNanos = System.nanoTime();
        var unused = transport
                .call(way.node(), request, Duration.ofNanos(1_000 * remainingMicros))
                .whenComplete((bytes, thrown) -> {
                    if (thrown == null) {
                        way.answered(begunNanos, System.nanoTime(), TimedAnswer.servedMicros(bytes));
                    } else {
                        way.failed();
                    }
                    answers.add(new Answer(way, second, bytes, thrown));
                });
        return true;
    }

    private static String distance(Way way) {
        long micros = way.roundTripMicros();
        return micros < 0 ? "" : ", " + micros + " microseconds away";
    }

    /**
     * The one asked last has not answered for as long as it is worth to wait. Where all that were asked are suspected
     * by now, the next one is asked as if they had refused; else if there is still one alone, and a hedge is left.
     */
    private void askAnotherIfLate() {
        if (asked == order.size()) {
            return;
        }
        Way last = order.get(asked - 1);
        if (!late && underWay.contains(last)) {
            late = true;
            last.late();
        }
        List<Way> waitedFor = List.copyOf(underWay);
        boolean lost = waitedFor.stream().allMatch(Way::isSuspected);
        if ((lost || (waitedFor.size() == 1 && budget.take())) && askNext()) {
            for (Way way : waitedFor) {
                if (overtaken.add(way)) {
                    way.hedged();
                    Tracing.trace("MeteorShower: replica {} is late; another one is asked as well", way.node());
                }
            }
        }
    }

    /** @return null where another one may know better */
    private @Nullable FetchedPartition taken(Answer answer) {
        try {
            if (answer.bytes != null) {
                FetchedPartition fetched = ReadResponse.decode(command, TimedAnswer.content(answer.bytes));
                answer.way.served();
                if (answer.second) {
                    answer.way.won();
                    Tracing.trace("MeteorShower: replica {} has answered first", answer.way.node());
                }
                return new FetchedPartition(fetched.rows(), fetched.info(), true);
            }
            failed(answer.way, Failure.TIMED_OUT, String.valueOf(answer.failure));
        } catch (IllegalArgumentException e) {
            failed(answer.way, Failure.TIMED_OUT, String.valueOf(e.getMessage()));
        } catch (RequestRefusedException e) {
            if (mayBeOtherwiseElsewhere(e.failure())) {
                answer.way.refused();
                failed(answer.way, e.failure(), String.valueOf(e.getMessage()));
            } else {
                refusal = e;
            }
        }
        return null;
    }

    private void failed(Way way, Failure how, String why) {
        failure = how;
        trouble = "replica " + way.node() + ": " + why;
        Tracing.trace("MeteorShower: {}", trouble);
    }

    /** Also of one that has just left the ring, or has not answered in its share of the time. */
    private static boolean mayBeOtherwiseElsewhere(Failure failure) {
        return failure == Failure.NOT_READY || failure == Failure.NOT_A_REPLICA || failure == Failure.TIMED_OUT;
    }
}
