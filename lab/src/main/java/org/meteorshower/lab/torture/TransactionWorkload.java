/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.MeteorShowerSessionBuilder;
import org.meteorshower.client.MeteorShowerTransactions;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.transactions.Recorded;
import org.meteorshower.lab.transactions.Snapshot;
import org.meteorshower.lab.transactions.TransactionOutcome;

/**
 * Clients at work in all data centres: two of three are the Java client, and go elsewhere where theirs does not answer.
 * Thread-safe.
 */
public final class TransactionWorkload extends TortureWorkload<TransactionWorker> {
    private static final Duration PATIENCE = Duration.ofSeconds(8);
    private static final int LONGEST_REASON = 100;

    private final Counts<TransactionOutcome.Status> counts = new Counts<>(TransactionOutcome.Status.values().length);
    private final LongAdder snapshots = new LongAdder();

    /**
     * Begins.
     *
     * @param table that all work on
     */
    public TransactionWorkload(TortureLoad load, DataCentres dataCentres, String table, RunClock clock) {
        super(load, dataCentres.names(), clock);
        begin(number -> worker(dataCentres, table, number));
    }

    private TransactionWorker worker(DataCentres dataCentres, String table, int number) {
        String home = home(number);
        if (round(number) % 3 == 2) {
            Teller plain = new Teller.Plain(dataCentres.session(home), home, table);
            return new TransactionWorker(this, plain, "plain-" + number, number);
        }
        return new TransactionWorker(this, numbered(dataCentres, home, table), "numbered-" + number, number);
    }

    /** A client whose home is there. */
    private static Teller numbered(DataCentres dataCentres, String home, String table) {
        MeteorShowerSessionBuilder builder =
                MeteorShowerSession.builder().failover(true).dataCentre(home, dataCentres.session(home));
        dataCentres.names().stream()
                .filter(dc -> !dc.equals(home))
                .forEach(dc -> builder.dataCentre(dc, dataCentres.session(dc)));
        MeteorShowerSession session = builder.build();
        return new Teller.Numbered(
                MeteorShowerTransactions.builder(session).patience(PATIENCE).build(), session, table);
    }

    void count(TransactionOutcome outcome) {
        counts.add(outcome.status());
        if (outcome.status() != TransactionOutcome.Status.COMMIT) {
            String reason = outcome.reason();
            int end = Math.min(reason.length(), LONGEST_REASON);
            failed(outcome.status().word() + ": " + reason.substring(0, end).replaceAll("[0-9a-f.:-]{4,}", "…"));
        }
    }

    void countSnapshot() {
        snapshots.increment();
    }

    long snapshots() {
        return snapshots.sum();
    }

    long count(TransactionOutcome.Status status) {
        return counts.of(status);
    }

    @Override
    String progress() {
        return String.format(
                Locale.ROOT,
                "%,d committed, %,d snapshots, %,d certainly not, %,d unknown",
                count(TransactionOutcome.Status.COMMIT),
                snapshots(),
                count(TransactionOutcome.Status.ABORT),
                count(TransactionOutcome.Status.UNKNOWN));
    }

    /** When the clients have ended: what they did, in the order of its beginning. */
    public List<Recorded> recorded() {
        return workers().stream()
                .flatMap(worker -> worker.recorded().stream())
                .sorted(Comparator.comparingLong(Recorded::startNanos))
                .toList();
    }

    public List<Snapshot> seenSnapshots() {
        return workers().stream().flatMap(worker -> worker.snapshots().stream()).toList();
    }
}
