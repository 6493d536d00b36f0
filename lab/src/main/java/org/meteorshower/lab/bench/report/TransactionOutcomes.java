/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.bench.run.RunResult;
import org.meteorshower.lab.bench.run.TransactionFigures;

/**
 * What came of transactions, summed over runs. Immutable by agreement: nobody changes the histograms.
 *
 * @param seconds measured in all
 * @param byDc latencies of writing transactions that committed, in microseconds
 */
public record TransactionOutcomes(
        double seconds, long commits, long aborts, long unknown, long retries, Map<String, Histogram> byDc) {
    /** Of those runs that were of transactions. */
    public static TransactionOutcomes of(List<RunResult> runs) {
        double seconds = 0;
        long commits = 0;
        long aborts = 0;
        long unknown = 0;
        long retries = 0;
        Map<String, Histogram> byDc = new LinkedHashMap<>();
        for (RunResult run : runs) {
            TransactionFigures figures = run.transactions();
            if (figures != null) {
                seconds += run.seconds();
                commits += figures.commits();
                aborts += figures.aborts();
                unknown += figures.unknown();
                retries += figures.retries();
                for (String dc : run.run().network().shape().dcs()) {
                    byDc.computeIfAbsent(dc, none -> empty()).add(run.latencies(Op.WRITE, dc));
                }
            }
        }
        return new TransactionOutcomes(seconds, commits, aborts, unknown, retries, byDc);
    }

    private static Histogram empty() {
        Histogram histogram = new Histogram(3);
        histogram.setAutoResize(true);
        return histogram;
    }

    /** Commits a second; NaN where nothing was measured. */
    public double throughput() {
        return seconds == 0 ? Double.NaN : commits / seconds;
    }

    /** All data centres' together. */
    public Histogram latencies() {
        Histogram all = empty();
        byDc.values().forEach(all::add);
        return all;
    }

    /** How they ended, in words. */
    public String words() {
        return commits + " committed, " + aborts + " aborted, " + unknown + " unknown, " + retries + " retries";
    }
}
