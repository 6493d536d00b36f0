/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What clients do. Immutable.
 *
 * @param rows as many, written before each run
 * @param zipfian whether a few rows are asked for often (exponent 0.99); otherwise all alike
 * @param readShare 0..1
 * @param sessionsPerDc in an open loop also the most operations under way at a time
 * @param ratePerDc operations a second that begin in each data centre; 0: closed loop, as many as the sessions can
 * @param valueBytes of each value written
 * @param networks names of those it runs on; empty: all
 * @param systems names of those it runs on; empty: all
 * @param transactions what its transactions do; null: it is one of single operations
 * @param tpcc how much of TPC-C there is; null: it is something else
 */
public record WorkloadSpec(
        String name,
        int rows,
        boolean zipfian,
        double readShare,
        int sessionsPerDc,
        double ratePerDc,
        int valueBytes,
        List<String> networks,
        List<String> systems,
        @Nullable TransactionMix transactions,
        @Nullable TpccSpec tpcc) {
    public WorkloadSpec {
        networks = List.copyOf(networks);
        systems = List.copyOf(systems);
    }

    /** One of anything but TPC-C. */
    public WorkloadSpec(
            String name,
            int rows,
            boolean zipfian,
            double readShare,
            int sessionsPerDc,
            double ratePerDc,
            int valueBytes,
            List<String> networks,
            List<String> systems,
            @Nullable TransactionMix transactions) {
        this(
                name,
                rows,
                zipfian,
                readShare,
                sessionsPerDc,
                ratePerDc,
                valueBytes,
                networks,
                systems,
                transactions,
                null);
    }

    public boolean isOpenLoop() {
        return ratePerDc > 0;
    }
}
