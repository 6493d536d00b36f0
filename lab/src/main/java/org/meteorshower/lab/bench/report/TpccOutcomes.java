/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.bench.plan.TransactionEngine;
import org.meteorshower.lab.bench.run.RunResult;
import org.meteorshower.lab.bench.run.TpccFigures;
import org.meteorshower.lab.bench.run.TransactionFigures;
import org.meteorshower.lab.tpcc.TpccType;

/**
 * What came of TPC-C, summed over runs. Immutable by agreement: nobody changes the histograms.
 *
 * @param seconds measured in all
 * @param nodeCores processors that the nodes kept busy on average; NaN of a model, which has none
 */
record TpccOutcomes(double seconds, Map<TpccType, TpccFigures.OfType> byType, long skipped, double nodeCores) {
    /** Null where no run was of TPC-C. */
    static @Nullable TpccOutcomes of(List<RunResult> runs) {
        double seconds = 0;
        long skipped = 0;
        double cores = 0;
        Map<TpccType, TpccFigures.OfType> byType = new EnumMap<>(TpccType.class);
        for (RunResult run : runs) {
            TransactionFigures transactions = run.transactions();
            TpccFigures figures = transactions == null ? null : transactions.tpcc();
            if (figures != null) {
                seconds += run.seconds();
                skipped += figures.skipped();
                TransactionEngine engine = run.run().system().engine();
                cores += engine == null || engine.isModel()
                        ? Double.NaN
                        : run.nodeProcessorShare() * run.run().network().shape().nodes() * run.seconds();
                figures.byType().forEach((type, of) -> byType.merge(type, of, TpccOutcomes::sum));
            }
        }
        return byType.isEmpty() ? null : new TpccOutcomes(seconds, byType, skipped, cores / seconds);
    }

    private static TpccFigures.OfType sum(TpccFigures.OfType one, TpccFigures.OfType other) {
        Histogram all = new Histogram(3);
        all.setAutoResize(true);
        all.add(one.latencies());
        all.add(other.latencies());
        return new TpccFigures.OfType(
                all,
                one.commits() + other.commits(),
                one.rollbacks() + other.rollbacks(),
                one.aborts() + other.aborts(),
                one.unknown() + other.unknown());
    }

    TpccFigures.OfType of(TpccType type) {
        TpccFigures.OfType found = byType.get(type);
        return found == null ? new TpccFigures.OfType(new Histogram(3), 0, 0, 0, 0) : found;
    }

    /** New orders that took effect, a minute. */
    double newOrdersPerMinute() {
        return of(TpccType.NEW_ORDER).commits() * 60 / seconds;
    }

    /** The same for each processor that the nodes kept busy; NaN of a model. */
    double perNodeCore() {
        return newOrdersPerMinute() / nodeCores;
    }

    /** Of all, what was aborted though nobody wanted that: 0..1. */
    double abortShare() {
        long aborts =
                byType.values().stream().mapToLong(TpccFigures.OfType::aborts).sum();
        return share(aborts, all());
    }

    /** Of new orders that ended, those that were to be rolled back and were: 0..1. */
    double rollbackShare() {
        TpccFigures.OfType orders = of(TpccType.NEW_ORDER);
        return share(orders.rollbacks(), orders.commits() + orders.rollbacks());
    }

    long unknown() {
        return byType.values().stream().mapToLong(TpccFigures.OfType::unknown).sum();
    }

    /** Of all transactions, those of a kind: 0..1. */
    double mixShare(TpccType type) {
        return share(count(of(type)), all());
    }

    private long all() {
        return byType.values().stream().mapToLong(TpccOutcomes::count).sum();
    }

    private static long count(TpccFigures.OfType of) {
        return of.commits() + of.rollbacks() + of.aborts() + of.unknown();
    }

    private static double share(long part, long whole) {
        return whole == 0 ? Double.NaN : (double) part / whole;
    }
}
