/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.meteorshower.lab.bench.plan.TransactionMix;
import org.meteorshower.lab.bench.plan.WorkloadSpec;
import org.meteorshower.lab.transactions.Request;
import org.meteorshower.lab.transactions.TransactionClient;
import org.meteorshower.lab.transactions.TransactionLog;
import org.meteorshower.lab.transactions.TransactionOutcome;

/** One client of a workload of transactions: one transaction at a time, on rows that it draws. */
final class TransactionSession implements Session {
    private static final int MOST_AMOUNT = 10;

    /** After a transaction that did not commit. */
    private static final int PAUSE_MILLIS = 20;

    private static final int DEAD_MILLIS = 250;

    private static final int ROWS_FOR_A_DISTRICT = 100;

    /** Where it is, and what its transactions are called. */
    record Name(String dc, String session) {}

    private final Name name;
    private final TransactionClient client;
    private final WorkloadSpec workload;
    private final Rows rows;
    private final TransactionLog log;
    private final TransactionTally tally;
    private final RandomGenerator random;
    private final Executor elsewhere;
    private final Predicate<String> dead;
    private int transactions;

    /**
     * Which rows there are.
     *
     * @param first theirs; those before it belong to earlier runs
     * @param groupSize rows that can meet in one transaction
     */
    record Rows(RowChooser chooser, int first, int groupSize) {
        int draw(RandomGenerator random) {
            return chooser.next(random);
        }

        /** One of few, then of the others as many as make an order; each once, the few always first. */
        List<Integer> order(RandomGenerator random) {
            int few = Math.max(1, chooser.rows() / ROWS_FOR_A_DISTRICT);
            Set<Integer> drawn = new LinkedHashSet<>();
            drawn.add(first + random.nextInt(few));
            while (drawn.size() < Request.ROWS_OF_AN_ORDER) {
                drawn.add(first + few + random.nextInt(chooser.rows() - few));
            }
            return List.copyOf(drawn);
        }

        /** Another one of the same group; there are at least two rows. */
        int other(int row, RandomGenerator random) {
            if (groupSize >= chooser.rows()) {
                int drawn = chooser.next(random);
                return drawn != row ? drawn : (row + 1) % chooser.rows();
            }
            int group = row / groupSize * groupSize;
            int size = Math.min(groupSize, chooser.rows() - group);
            return group + (row - group + 1 + random.nextInt(size - 1)) % size;
        }
    }

    /**
     * @param elsewhere where it goes on after an answer that came at once, lest the stack grow
     * @param dead whether a data centre was killed
     */
    TransactionSession(
            Name name,
            TransactionClient client,
            WorkloadSpec workload,
            Rows rows,
            TransactionLog log,
            TransactionTally tally,
            RandomGenerator random,
            Executor elsewhere,
            Predicate<String> dead) {
        this.name = name;
        this.client = client;
        this.workload = workload;
        this.rows = rows;
        this.log = log;
        this.tally = tally;
        this.random = random;
        this.elsewhere = elsewhere;
        this.dead = dead;
    }

    @Override
    public void start(long intendedNanos, Measurement measurement, Runnable done) {
        if (dead.test(name.dc())) {
            // Without a word, now and then asked again: who lives in a dead data centre does nothing.
            CompletableFuture.delayedExecutor(DEAD_MILLIS, TimeUnit.MILLISECONDS)
                    .execute(done);
            return;
        }
        Request request = next();
        long start = System.nanoTime();
        CompletionStage<TransactionOutcome> stage = client.run(request);
        if (stage.toCompletableFuture().isDone()) {
            stage.thenAcceptAsync(
                    outcome -> ended(request, outcome, intendedNanos, start, measurement, done), elsewhere);
        } else {
            stage.thenAccept(outcome -> ended(request, outcome, intendedNanos, start, measurement, done));
        }
    }

    private Request next() {
        transactions++;
        String id = name.session() + "-" + transactions;
        int first = rows.draw(random);
        if (workload.transactions() == TransactionMix.HOT_ROW) {
            return new Request(Request.Kind.INCREMENT, id, List.of(rows.first() + first), 0);
        }
        if (workload.transactions() == TransactionMix.ORDER) {
            return new Request(Request.Kind.ORDER, id, rows.order(random), 0);
        }
        List<Integer> both = List.of(rows.first() + first, rows.first() + rows.other(first, random));
        boolean reads = workload.transactions() == TransactionMix.YCSB_T && random.nextDouble() < workload.readShare();
        return reads
                ? new Request(Request.Kind.READ, id, both, 0)
                : new Request(Request.Kind.TRANSFER, id, both, 1 + random.nextInt(MOST_AMOUNT));
    }

    private void ended(
            Request request,
            TransactionOutcome outcome,
            long intendedNanos,
            long startNanos,
            Measurement measurement,
            Runnable done) {
        long end = System.nanoTime();
        boolean writes = request.kind().writes();
        log.add(name.session(), request, outcome, startNanos, end);
        tally.ended(name.dc(), outcome, intendedNanos, end);
        if (outcome.status() == TransactionOutcome.Status.COMMIT) {
            committed(writes, intendedNanos, startNanos, end, measurement);
            done.run();
        } else {
            measurement.failed(
                    writes ? Op.WRITE : Op.READ, intendedNanos, outcome.status().word() + ": " + outcome.reason());
            // Where a system refuses at once, clients shall not keep the machine busy with asking.
            CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS)
                    .execute(done);
        }
    }

    private void committed(
            boolean writes, long intendedNanos, long startNanos, long endNanos, Measurement measurement) {
        if (writes) {
            measurement.written(name.dc(), intendedNanos, startNanos, endNanos);
        } else {
            measurement.read(name.dc(), intendedNanos, startNanos, endNanos, null);
        }
    }
}
