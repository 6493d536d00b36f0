/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What transactions of a workload do. */
public enum TransactionMix {
    /** Takes an amount from one row to another: reads and writes both. */
    TRANSFER,
    /** All data centres raise the same row. */
    HOT_ROW,
    /** Transfers, and transactions that only read two rows, by the workload's share of reads. */
    YCSB_T,
    /**
     * As TPC-C's new orders meet: each writes one of few rows, as it were its district's, and seven of all others. The
     * few are the first hundredth of them, at least one.
     */
    ORDER,
    /** The five transactions of TPC-C, on tables of their own. */
    TPCC;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static @Nullable TransactionMix named(String name) {
        return Arrays.stream(values())
                .filter(mix -> mix.word().equals(name.replace('-', '_')))
                .findFirst()
                .orElse(null);
    }

    static String names() {
        return Arrays.stream(values()).map(TransactionMix::word).collect(Collectors.joining(", "));
    }
}
