/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.DriverException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.meteorshower.lab.transactions.Account;
import org.meteorshower.lab.transactions.Recorded;
import org.meteorshower.lab.transactions.Request;
import org.meteorshower.lab.transactions.Snapshot;
import org.meteorshower.lab.transactions.TransactionOutcome;

/**
 * One client: transfers, appends to the row that all write, orders of many rows, strict reads, and snapshots of all
 * rows, one after the other; writes down what it saw.
 */
final class TransactionWorker extends TortureWorker {
    private static final int MOST_AMOUNT = 9;

    private final TransactionWorkload workload;
    private final Teller teller;
    private final List<Recorded> recorded = new ArrayList<>();
    private final List<Snapshot> snapshots = new ArrayList<>();
    private int asked;

    TransactionWorker(TransactionWorkload workload, Teller teller, String session, int number) {
        super(workload, session, number);
        this.workload = workload;
        this.teller = teller;
    }

    /** To be read when it has ended. */
    List<Recorded> recorded() {
        return recorded;
    }

    List<Snapshot> snapshots() {
        return snapshots;
    }

    @Override
    boolean once() {
        int draw = random().nextInt(100);
        if (draw < 8) {
            return snapshot();
        } else if (draw < 45) {
            return ask(request(Request.Kind.TRANSFER, 2, 1 + random().nextInt(MOST_AMOUNT)));
        } else if (draw < 75) {
            return ask(new Request(Request.Kind.INCREMENT, id(), List.of(0), 0));
        } else if (draw < 92) {
            return ask(request(Request.Kind.READ, 2, 0));
        }
        return ask(request(Request.Kind.ORDER, Request.ROWS_OF_AN_ORDER, 0));
    }

    private String id() {
        return session() + "-" + asked++;
    }

    private Request request(Request.Kind kind, int count, int amount) {
        Set<Integer> rows = new LinkedHashSet<>();
        while (rows.size() < count) {
            rows.add(random().nextInt(workload.rows()));
        }
        return new Request(kind, id(), List.copyOf(rows), amount);
    }

    private boolean ask(Request request) {
        long start = workload.nanos();
        int from = workload.number(teller.dc());
        TransactionOutcome outcome = teller.run(request);
        long end = workload.nanos();
        recorded.add(new Recorded(session(), request, outcome, start, end));
        boolean done = outcome.status() == TransactionOutcome.Status.COMMIT;
        Sample.What what = done ? request.kind().writes() ? Sample.What.WRITE : Sample.What.READ : Sample.What.FAILED;
        note(new Sample(start, end, from, workload.number(teller.dc()), what, false));
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
                snapshots.add(new Snapshot(session(), seen, start, end));
                note(new Sample(start, end, from, workload.number(teller.dc()), Sample.What.READ, true));
                workload.countSnapshot();
            }
            return true;
        } catch (DriverException e) {
            note(new Sample(start, workload.nanos(), from, from, Sample.What.FAILED, true));
            workload.failed("snapshot: " + e.getClass().getSimpleName());
            return false;
        }
    }
}
