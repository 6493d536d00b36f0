/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

/** What ratios are made of. */
public enum Quantity {
    P50("p50", 50),
    P99("p99", 99),
    P999("p99.9", 99.9),
    /** Operations a second; larger is better, unlike the others. */
    THROUGHPUT("throughput", 0);

    private final String word;
    private final double percentile;

    Quantity(String word, double percentile) {
        this.word = word;
        this.percentile = percentile;
    }

    public String word() {
        return word;
    }

    double of(Sample sample, long[] sum) {
        return this == THROUGHPUT
                ? (double) Sample.total(sum) / Math.max(1, sample.windows())
                : sample.at(percentile, sum);
    }
}
