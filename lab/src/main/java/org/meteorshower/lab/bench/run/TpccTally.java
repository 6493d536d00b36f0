/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;
import org.meteorshower.lab.tpcc.Answer;
import org.meteorshower.lab.tpcc.TpccInput;
import org.meteorshower.lab.tpcc.TpccType;
import org.meteorshower.lab.transactions.TransactionOutcome;

/** Counts a run's transactions of TPC-C by kind, and tells what all runs of transactions count. Thread-safe. */
final class TpccTally {
    private final Measurement measurement;
    private final TransactionTally all;
    private final Map<TpccType, Recorder> latencies = new EnumMap<>(TpccType.class);
    private final Map<TpccType, Map<Answer.Status, LongAdder>> counts = new EnumMap<>(TpccType.class);
    private final LongAdder skipped = new LongAdder();

    TpccTally(Measurement measurement, List<String> dcs) {
        this.measurement = measurement;
        all = new TransactionTally(measurement, dcs);
        for (TpccType type : TpccType.values()) {
            latencies.put(type, new Recorder(3));
            Map<Answer.Status, LongAdder> byStatus = new EnumMap<>(Answer.Status.class);
            for (Answer.Status status : Answer.Status.values()) {
                byStatus.put(status, new LongAdder());
            }
            counts.put(type, byStatus);
        }
    }

    void ended(String dc, TpccInput input, Answer answer, long intendedNanos, long endedNanos) {
        all.ended(dc, outcome(answer), intendedNanos, endedNanos);
        if (!measurement.counts(intendedNanos)) {
            return;
        }
        TpccType type = input.type();
        of(type, answer.status()).increment();
        if (answer.isCommitted() && input instanceof TpccInput.Delivery delivery) {
            skipped.add(delivery.districts().size() - answer.numbers().size());
        }
        Recorder recorder = latencies.get(type);
        if (isWell(answer) && recorder != null) {
            recorder.recordValue(TimeUnit.NANOSECONDS.toMicros(Math.max(0, endedNanos - intendedNanos)));
        }
    }

    /** Whether it ended as it was meant to. */
    static boolean isWell(Answer answer) {
        return answer.isCommitted() || answer.status() == Answer.Status.ROLLBACK;
    }

    private static TransactionOutcome outcome(Answer answer) {
        return switch (answer.status()) {
            case COMMIT, ROLLBACK -> TransactionOutcome.committed(List.of(), answer.retries());
            case ABORT -> TransactionOutcome.aborted(answer.retries(), answer.reason());
            case UNKNOWN -> TransactionOutcome.unknown(answer.retries(), answer.reason());
        };
    }

    private LongAdder of(TpccType type, Answer.Status status) {
        return counts.getOrDefault(type, Map.of()).getOrDefault(status, new LongAdder());
    }

    /** For one call, when all have ended. Rollbacks that are intended count among the commits of all. */
    TransactionFigures figures() {
        Map<TpccType, TpccFigures.OfType> byType = new EnumMap<>(TpccType.class);
        latencies.forEach((type, recorder) -> byType.put(
                type,
                new TpccFigures.OfType(
                        recorder.getIntervalHistogram(),
                        of(type, Answer.Status.COMMIT).sum(),
                        of(type, Answer.Status.ROLLBACK).sum(),
                        of(type, Answer.Status.ABORT).sum(),
                        of(type, Answer.Status.UNKNOWN).sum())));
        return all.figures(List.of()).with(new TpccFigures(byType, skipped.sum()));
    }
}
