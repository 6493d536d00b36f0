/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryBuilder;
import org.meteorshower.client.ReadMode;
import org.meteorshower.lab.load.DataCentres;

/**
 * Sessions at work on the table: those with tokens move between data centres all the time, those of stock drivers stay
 * with one coordinator each. Thread-safe.
 */
final class ReadWorkload extends TortureWorkload<ReadWorker> {
    private final double readShare;
    private final ReadMode mode;
    private final List<ReadClient.Roaming> roaming = new ArrayList<>();
    private final Counts<Sample.What> counts = new Counts<>(Sample.What.values().length);
    private final Queue<String> incomplete = new ConcurrentLinkedQueue<>();

    /** Begins. */
    ReadWorkload(ReadTortureOptions options, DataCentres dataCentres, RunClock clock) {
        super(options.load(), dataCentres.names(), clock);
        readShare = options.readShare();
        mode = options.mode();
        begin(number -> worker(dataCentres, number));
    }

    private ReadWorker worker(DataCentres dataCentres, int number) {
        String home = home(number);
        // One in four has a stock driver.
        if (round(number) % 4 == 3) {
            ReadClient stock = new ReadClient.Stock(dataCentres.session(home), home, mode);
            return new ReadWorker(this, stock, "stock-" + number, number);
        }
        ReadClient.Roaming roamer = ReadClient.Roaming.of(dataCentres, home, mode);
        roaming.add(roamer);
        return new ReadWorker(this, roamer, "roaming-" + number, number);
    }

    double readShare() {
        return readShare;
    }

    void count(Sample.What what) {
        counts.add(what);
    }

    @Override
    String progress() {
        return String.format(
                Locale.ROOT,
                "%,d reads, %,d writes, %,d failures",
                counts.of(Sample.What.READ),
                counts.of(Sample.What.WRITE),
                counts.of(Sample.What.FAILED));
    }

    /** A session could not do its last reads. */
    void incomplete(String session) {
        incomplete.add(session);
    }

    /** The sessions that could not read every row in time after all faults were undone. */
    List<String> incomplete() {
        return List.copyOf(incomplete);
    }

    /** What all sessions saw, when they have ended. */
    History history() {
        HistoryBuilder builder = History.builder();
        workers().forEach(worker -> worker.operations().forEach(builder::add));
        return builder.build();
    }

    List<ReadClient.Roaming> roaming() {
        return roaming;
    }
}
