/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.torture.Distribution;
import org.meteorshower.lab.torture.RunClock;
import org.meteorshower.lab.torture.Sample;
import org.meteorshower.lab.torture.TortureLoad;
import org.meteorshower.lab.torture.TransactionEnd;
import org.meteorshower.lab.torture.TransactionWorkload;
import org.meteorshower.lab.transactions.Account;
import org.meteorshower.lab.transactions.TransactionVerdict;

/** A few clients whose transactions meet on few rows, beside the loads. For one thread. */
final class HotMix implements AutoCloseable {
    static final int ROWS = 16;
    private static final int CLIENTS = 6;
    private static final int RATE = 40;

    private final TransactionWorkload workload;
    private final TransactionEnd end;
    private final Map<String, Window> windows = new LinkedHashMap<>();

    private record Window(long fromNanos, long untilNanos) {}

    /** Begins. The table has {@link #ROWS} rows. */
    HotMix(DataCentres dataCentres, String table, long seed, RunClock clock) {
        workload = new TransactionWorkload(new TortureLoad(seed, CLIENTS, ROWS, RATE), dataCentres, table, clock);
        end = new TransactionEnd(dataCentres, table, ROWS);
    }

    /** Its latencies from here to there count as those of this time. */
    void window(String name, long fromNanos, long untilNanos) {
        windows.put(name, new Window(fromNanos, untilNanos));
    }

    void stop() throws InterruptedException {
        workload.stop();
    }

    /** Empty where all data centres are in one state. */
    String difference() {
        return end.difference();
    }

    /** What is wrong with all that its clients saw, once it has stopped and all is settled. */
    List<String> findings() throws InterruptedException {
        List<String> findings = new ArrayList<>();
        List<Account> rows = end.rows(findings);
        if (rows != null) {
            findings.addAll(TransactionVerdict.of(workload.recorded(), workload.seenSnapshots(), rows)
                    .findings());
        }
        return findings;
    }

    /**
     * Strict transactions that went well, of clients that were neither at home in this data centre nor served there.
     */
    Map<String, Distribution> latencies(int struck) {
        List<Sample> samples = workload.samples();
        Map<String, Distribution> latencies = new LinkedHashMap<>();
        windows.forEach((name, window) -> latencies.put(
                name,
                Distribution.of(samples.stream()
                        .filter(each -> each.what() != Sample.What.FAILED && !each.local())
                        .filter(each -> each.fromDc() != struck && each.dc() != struck)
                        .filter(each -> each.endNanos() >= window.fromNanos() && each.endNanos() < window.untilNanos())
                        .toList())));
        return latencies;
    }

    List<Sample> samples() {
        return workload.samples();
    }

    Map<String, Long> failures() {
        return workload.failures();
    }

    @Override
    public void close() {
        workload.close();
    }
}
