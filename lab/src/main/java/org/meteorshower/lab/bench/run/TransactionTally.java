/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.meteorshower.checker.transactions.RecordedTransaction;
import org.meteorshower.lab.transactions.TransactionOutcome;

/** Counts a run's transactions by what came of them and by data centre. Thread-safe. */
final class TransactionTally {
    private static final int MOST_REASONS = 12;
    private static final int MOST_CHARACTERS = 120;

    private final Measurement measurement;
    private final Map<TransactionOutcome.Status, LongAdder> outcomes = new LinkedHashMap<>();
    private final LongAdder retries = new LongAdder();
    private final Map<String, LongAdder> reasons = new ConcurrentHashMap<>();
    private final Map<String, Silence> silences = new LinkedHashMap<>();

    TransactionTally(Measurement measurement, List<String> dcs) {
        this.measurement = measurement;
        for (TransactionOutcome.Status status : TransactionOutcome.Status.values()) {
            outcomes.put(status, new LongAdder());
        }
        for (String dc : dcs) {
            silences.put(dc, new Silence(measurement.startNanos(), measurement.endNanos()));
        }
    }

    void ended(String dc, TransactionOutcome outcome, long intendedNanos, long endedNanos) {
        if (outcome.status() == TransactionOutcome.Status.COMMIT) {
            Silence silence = silences.get(dc);
            if (silence != null) {
                silence.brokenAt(endedNanos);
            }
        }
        if (!measurement.counts(intendedNanos)) {
            return;
        }
        LongAdder count = outcomes.get(outcome.status());
        if (count != null) {
            count.increment();
        }
        retries.add(outcome.retries());
        if (outcome.status() != TransactionOutcome.Status.COMMIT) {
            String reason = shortened(outcome);
            if (reasons.size() < MOST_REASONS || reasons.containsKey(reason)) {
                reasons.computeIfAbsent(reason, none -> new LongAdder()).increment();
            }
        }
    }

    /** For one call, when all have ended. */
    TransactionFigures figures(List<RecordedTransaction> history) {
        Map<String, Long> counts = new TreeMap<>();
        reasons.forEach((reason, count) -> counts.put(reason, count.sum()));
        Map<String, Double> stalls = new LinkedHashMap<>();
        silences.forEach((dc, silence) -> stalls.put(dc, silence.longestMillis()));
        return new TransactionFigures(
                sum(TransactionOutcome.Status.COMMIT),
                sum(TransactionOutcome.Status.ABORT),
                sum(TransactionOutcome.Status.UNKNOWN),
                retries.sum(),
                counts,
                stalls,
                history);
    }

    /**
     * Without what differs each time: names of nodes and transactions stand in brackets and after the first sentence.
     */
    private static String shortened(TransactionOutcome outcome) {
        String reason = outcome.reason().split("[.(]", 2)[0].strip();
        return outcome.status().word() + ": " + reason.substring(0, Math.min(reason.length(), MOST_CHARACTERS));
    }

    private long sum(TransactionOutcome.Status status) {
        LongAdder count = outcomes.get(status);
        return count == null ? 0 : count.sum();
    }

    /** The longest time between two commits within the measurement. Thread-safe. */
    private static final class Silence {
        private final long startNanos;
        private final long endNanos;
        private long lastNanos;
        private long longestNanos;

        Silence(long startNanos, long endNanos) {
            this.startNanos = startNanos;
            this.endNanos = endNanos;
            lastNanos = startNanos;
        }

        synchronized void brokenAt(long nanos) {
            if (nanos - startNanos > 0 && nanos - endNanos < 0 && nanos - lastNanos > 0) {
                longestNanos = Math.max(longestNanos, nanos - lastNanos);
                lastNanos = nanos;
            }
        }

        synchronized double longestMillis() {
            return Math.max(longestNanos, endNanos - lastNanos) / 1e6;
        }
    }
}
