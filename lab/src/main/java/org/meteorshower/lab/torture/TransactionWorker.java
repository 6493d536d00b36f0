/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.DriverException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.meteorshower.lab.transactions.Account;
import org.meteorshower.lab.transactions.Recorded;
import org.meteorshower.lab.transactions.Request;
import org.meteorshower.lab.transactions.Snapshot;
import org.meteorshower.lab.transactions.TransactionOutcome;

/**
 * One client: transfers, appends to the row that all write, orders of many rows, strict reads, and snapshots of all rows, one after the
 * other; writes down what it saw. Runs on one thread, to its end.
 */
final class TransactionWorker implements Runnable {
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 100;
    private static final int MOST_AMOUNT = 9;

    private final TransactionWorkload workload;
    private final Teller teller;
    private final String session;
    private final Random random;
    private final long pauseNanos;
    private final List<Recorded> recorded = new ArrayList<>();
    private final List<Snapshot> snapshots = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private int number;

    TransactionWorker(TransactionWorkload workload, Teller teller, String session, long seed, long pauseNanos) {
        this.workload = workload;
        this.teller = teller;
        this.session = session;
        this.random = new Random(seed);
        this.pauseNanos = pauseNanos;
    }

    /** To be read when it has ended. */
    List<Recorded> recorded() {
        return recorded;
    }

    List<Snapshot> snapshots() {
        return snapshots;
    }

    List<Sample> samples() {
        return samples;
    }

    @Override
    public void run() {
        try {
            while (workload.isOn()) {
                long begun = System.nanoTime();
                if (!once()) {
                    Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
                }
                // A closed loop that does at most so many a second.
                LockSupport.parkNanos(begun + pauseNanos / 2 + random.nextLong(pauseNanos + 1) - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether it succeeded. */
    private boolean once() {
        int draw = random.nextInt(100);
        if (draw < 8) {
            return snapshot();
        } else if (draw < 45) {
            return run(request(Request.Kind.TRANSFER, 2, 1 + random.nextInt(MOST_AMOUNT)));
        } else if (draw < 75) {
            return run(new Request(Request.Kind.INCREMENT, id(), List.of(0), 0));
        } else if (draw < 92) {
            return run(request(Request.Kind.READ, 2, 0));
        }
        return run(request(Request.Kind.ORDER, Request.ROWS_OF_AN_ORDER, 0));
    }

    private String id() {
        return session + "-" + number++;
    }

    private Request request(Request.Kind kind, int count, int amount) {
        Set<Integer> rows = new LinkedHashSet<>();
        while (rows.size() < count) {
            rows.add(random.nextInt(workload.rows()));
        }
        return new Request(kind, id(), List.copyOf(rows), amount);
    }

    private boolean run(Request request) {
        long start = workload.nanos();
        int from = workload.number(teller.dc());
        TransactionOutcome outcome = teller.run(request);
        long end = workload.nanos();
        recorded.add(new Recorded(session, request, outcome, start, end));
        boolean done = outcome.status() == TransactionOutcome.Status.COMMIT;
        Sample.What what = done ? request.kind().writes() ? Sample.What.WRITE : Sample.What.READ : Sample.What.FAILED;
        samples.add(new Sample(start, end, from, workload.number(teller.dc()), what, false));
        workload.count(outcome);
        return done;
    }

    private boolean snapshot() {
        List<Integer> all = IntStream.range(0, workload.rows()).boxed().toList();
        long start = workload.nanos();
        int from = workload.number(teller.dc());
        try {
            List<Account> seen = teller.snapshot(all);
            if (seen != null) {
                long end = workload.nanos();
                snapshots.add(new Snapshot(session, seen, start, end));
                samples.add(new Sample(start, end, from, workload.number(teller.dc()), Sample.What.READ, true));
                workload.countSnapshot();
            }
            return true;
        } catch (DriverException e) {
            samples.add(new Sample(start, workload.nanos(), from, from, Sample.What.FAILED, true));
            workload.failed("snapshot: " + e.getClass().getSimpleName());
            return false;
        }
    }
}
