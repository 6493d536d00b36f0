/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.meteorshower.lab.tpcc.Answer;
import org.meteorshower.lab.tpcc.Inputs;
import org.meteorshower.lab.tpcc.Terminal;
import org.meteorshower.lab.tpcc.TpccInput;
import org.meteorshower.lab.tpcc.TpccType;

/** One terminal of TPC-C: it belongs to a warehouse and a district, and asks one thing after the other. */
final class TpccSession implements Session {
    /** After a transaction that did not end as it was meant to. */
    private static final int PAUSE_MILLIS = 20;

    private static final int DEAD_MILLIS = 250;

    /** Where it is. */
    record Place(String dc, int warehouse, int district) {}

    private final Place place;
    private final Terminal terminal;
    private final Inputs inputs;
    private final boolean thinking;
    private final TpccTally tally;
    private final RandomGenerator random;
    private final Executor elsewhere;
    private final Predicate<String> dead;

    /** Until then it thinks, and types; as of {@link System#nanoTime}. */
    private long restsUntilNanos;

    private TpccType next;

    /**
     * @param thinking whether it types and thinks
     * @param elsewhere where it goes on after an answer that came at once, lest the stack grow
     * @param dead whether a data centre was killed
     */
    TpccSession(
            Place place,
            Terminal terminal,
            Inputs inputs,
            boolean thinking,
            TpccTally tally,
            RandomGenerator random,
            Executor elsewhere,
            Predicate<String> dead) {
        this.place = place;
        this.terminal = terminal;
        this.inputs = inputs;
        this.thinking = thinking;
        this.tally = tally;
        this.random = random;
        this.elsewhere = elsewhere;
        this.dead = dead;
        next = TpccType.draw(random);
        // As if each had been at it before: not all at the same moment.
        rest(thinking ? next.keyingSeconds() * random.nextDouble() : 0);
    }

    private void rest(double seconds) {
        restsUntilNanos = System.nanoTime() + (long) (seconds * 1e9);
    }

    @Override
    public void start(long intendedNanos, Measurement measurement, Runnable done) {
        if (dead.test(place.dc())) {
            later(DEAD_MILLIS, done);
            return;
        }
        long left = restsUntilNanos - System.nanoTime();
        if (!thinking || left <= 0) {
            ask(thinking ? System.nanoTime() : intendedNanos, measurement, done);
            return;
        }
        long end = measurement.endNanos() - System.nanoTime();
        if (end < left) {
            later(TimeUnit.NANOSECONDS.toMillis(Math.max(0, end)) + 1, done);
        } else {
            CompletableFuture.delayedExecutor(left, TimeUnit.NANOSECONDS)
                    .execute(() -> ask(System.nanoTime(), measurement, done));
        }
    }

    private static void later(long millis, Runnable done) {
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(done);
    }

    private void ask(long intendedNanos, Measurement measurement, Runnable done) {
        TpccInput input = inputs.next(next, place.warehouse(), place.district(), random);
        long start = System.nanoTime();
        CompletionStage<Answer> answer = terminal.run(input);
        if (answer.toCompletableFuture().isDone()) {
            answer.thenAcceptAsync(told -> ended(input, told, intendedNanos, start, measurement, done), elsewhere);
        } else {
            answer.thenAccept(told -> ended(input, told, intendedNanos, start, measurement, done));
        }
    }

    private void ended(
            TpccInput input,
            Answer answer,
            long intendedNanos,
            long startNanos,
            Measurement measurement,
            Runnable done) {
        long end = System.nanoTime();
        TpccType type = input.type();
        tally.ended(place.dc(), input, answer, intendedNanos, end);
        double seconds = type.thinkingSeconds(random);
        next = TpccType.draw(random);
        rest(thinking ? seconds + next.keyingSeconds() : 0);
        if (!TpccTally.isWell(answer)) {
            measurement.failed(
                    type.writes() ? Op.WRITE : Op.READ,
                    intendedNanos,
                    answer.status().word() + ": " + answer.reason());
            // Where a system refuses at once, clients shall not keep the machine busy with asking.
            later(PAUSE_MILLIS, done);
            return;
        }
        if (type.writes()) {
            measurement.written(place.dc(), intendedNanos, startNanos, end);
        } else {
            measurement.read(place.dc(), intendedNanos, startNanos, end, null);
        }
        done.run();
    }
}
