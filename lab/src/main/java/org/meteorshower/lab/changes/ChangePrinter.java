/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.changes;

import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.changes.ChangeBatch;
import org.meteorshower.client.changes.ChangePosition;
import org.meteorshower.client.changes.ChangedRow;
import org.meteorshower.client.changes.ChangedTransaction;

/** Prints a stream's transactions as they come. For one thread, and for one run. */
final class ChangePrinter {
    private static final int BATCH = 500;
    private static final long PAUSE_MILLIS = 200;
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PatientReading reading;
    private final PrintWriter out;
    private final Set<String> tables;
    private final long most;
    private final boolean heartbeat;
    private long printed;
    private long lastLineNanos = System.nanoTime();

    /**
     * @param tables whose rows are printed; all where it is empty
     * @param most so many transactions are printed, and no more
     * @param heartbeat whether a line says how far it is where nothing was printed for a second
     */
    ChangePrinter(PatientReading reading, PrintWriter out, Set<String> tables, long most, boolean heartbeat) {
        this.reading = reading;
        this.out = out;
        this.tables = tables;
        this.most = most;
        this.heartbeat = heartbeat;
    }

    /** Prints for ever, or until enough is printed or nobody takes it any more; returns where to go on. */
    ChangePosition follow(ChangePosition from) throws InterruptedException {
        return print(from, null);
    }

    /** Prints what is before the end, and perhaps a little after it; returns where to go on. */
    ChangePosition printUpTo(ChangePosition end, ChangePosition from) throws InterruptedException {
        return print(from, end);
    }

    private ChangePosition print(ChangePosition from, @Nullable ChangePosition end) throws InterruptedException {
        ChangePosition position = from;
        while ((end == null || position.compareTo(end) < 0) && !out.checkError()) {
            ChangeBatch batch = reading.read(position, atATime());
            for (ChangedTransaction transaction : batch.transactions()) {
                print(transaction);
                if (printed == most) {
                    return transaction.at().next();
                }
            }
            position = batch.next();
            if (heartbeat && System.nanoTime() - lastLineNanos >= QUIET_NANOS) {
                line(ChangeJson.until(position));
            }
            if (batch.transactions().isEmpty()) {
                Thread.sleep(PAUSE_MILLIS);
            }
        }
        return position;
    }

    /** Of a filter nobody knows how many it lets through. */
    private int atATime() {
        return tables.isEmpty() ? (int) Math.min(BATCH, most - printed) : BATCH;
    }

    private void print(ChangedTransaction transaction) {
        List<ChangedRow> rows = transaction.rows().stream()
                .filter(row -> tables.isEmpty() || tables.contains(row.table()))
                .toList();
        if (!rows.isEmpty()) {
            line(ChangeJson.of(transaction.at(), rows));
            printed++;
        }
    }

    private void line(String text) {
        out.println(text);
        lastLineNanos = System.nanoTime();
    }
}
