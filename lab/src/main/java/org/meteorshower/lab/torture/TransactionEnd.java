/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.transactions.Account;
import org.meteorshower.lab.transactions.Request;
import org.meteorshower.lab.transactions.RequestText;
import org.meteorshower.lab.transactions.TransactionOutcome;

/** What must be true when all faults are undone: every data centre serves, and all are in one state. For one thread. */
public final class TransactionEnd {
    private static final Duration SERVED_LIMIT = Duration.ofMinutes(2);
    private static final Duration EQUAL_LIMIT = Duration.ofSeconds(90);
    private static final long PAUSE_MILLIS = 250;
    private static final String NO_PROCESS = "no process";
    private static final int LOOKS = 12;

    private final DataCentres dataCentres;
    private final String table;
    private final int rows;
    private final AtomicInteger asked = new AtomicInteger();

    public TransactionEnd(DataCentres dataCentres, String table, int rows) {
        this.dataCentres = dataCentres;
        this.table = table;
        this.rows = rows;
    }

    /** Waits until each data centre has answered a strict read; returns a line for each that does not. */
    public List<String> stuck() throws InterruptedException {
        List<String> stuck = new ArrayList<>();
        for (String dc : dataCentres.names()) {
            Teller.Plain teller = new Teller.Plain(dataCentres.session(dc), dc, table);
            long deadline = System.nanoTime() + SERVED_LIMIT.toNanos();
            TransactionOutcome outcome = ask(teller);
            while (outcome.status() != TransactionOutcome.Status.COMMIT && System.nanoTime() - deadline < 0) {
                Thread.sleep(PAUSE_MILLIS);
                outcome = ask(teller);
            }
            if (outcome.status() != TransactionOutcome.Status.COMMIT) {
                stuck.add("data centre " + dc + " is stuck: " + SERVED_LIMIT.toSeconds()
                        + " s after the last fault it answers no strict read: " + outcome.reason());
            }
        }
        return stuck;
    }

    private TransactionOutcome ask(Teller.Plain teller) {
        return teller.run(new Request(Request.Kind.READ, "end-" + asked.incrementAndGet(), List.of(0, 1), 0));
    }

    /** Waits until all data centres have executed as much and are in one state; returns what differs. */
    List<String> differing() throws InterruptedException {
        long deadline = System.nanoTime() + EQUAL_LIMIT.toNanos();
        while (true) {
            String difference = difference();
            if (difference.isEmpty()) {
                return List.of();
            } else if (System.nanoTime() - deadline >= 0) {
                return List.of("data centres are in different states " + EQUAL_LIMIT.toSeconds()
                        + " s after the last transaction: " + difference);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** One look: empty where all have executed as much, are in one state, and whole; else the states. */
    public String difference() {
        Map<String, String> states = new LinkedHashMap<>();
        for (String dc : dataCentres.names()) {
            states.put(dc, state(dc));
        }
        boolean equal = states.values().stream().distinct().count() == 1
                && states.values().iterator().next().endsWith("whole");
        return equal ? "" : states.toString();
    }

    private String state(String dc) {
        String state = NO_PROCESS;
        for (int i = 0; i < LOOKS && state.equals(NO_PROCESS); i++) {
            state = look(dc); // another node each time; one of them runs the process
        }
        return state;
    }

    private String look(String dc) {
        try {
            Row row = dataCentres
                    .session(dc)
                    .execute("SELECT executed, digest, whole FROM meteorshower.transactions WHERE data_centre = '" + dc
                            + "'")
                    .one();
            return row == null || row.isNull("digest")
                    ? NO_PROCESS
                    : "executed " + row.getLong("executed") + ", digest " + row.getString("digest")
                            + (row.getBoolean("whole") ? ", whole" : ", not yet");
        } catch (DriverException e) {
            return e.toString();
        }
    }

    /** All rows, by a strict read; null where none succeeds, which is then told. */
    @Nullable
    public List<Account> rows(List<String> findings) throws InterruptedException {
        List<Account> strict = null;
        for (String dc : dataCentres.names()) {
            List<Account> there = read(dc, findings);
            if (strict == null) {
                strict = there;
            } else if (there != null && !there.equals(strict)) {
                findings.add("a strict read of all rows in " + dc + " gives " + there + ", and elsewhere " + strict);
            }
        }
        return strict;
    }

    private @Nullable List<Account> read(String dc, List<String> findings) throws InterruptedException {
        List<Integer> all = IntStream.range(0, rows).boxed().toList();
        long deadline = System.nanoTime() + SERVED_LIMIT.toNanos();
        while (true) {
            try {
                Row row = dataCentres
                        .session(dc)
                        .execute(RequestText.lookAll(table, rows), all.toArray())
                        .one();
                if (row != null) {
                    return RequestText.accounts(all, row);
                }
            } catch (DriverException e) {
                if (System.nanoTime() - deadline >= 0) {
                    findings.add("the rows cannot be read in " + dc + ": " + e);
                    return null;
                }
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }
}
