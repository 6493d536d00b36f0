/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.port.Answer;

/** Counts what became of clients' transactions, and what their data centre's process reports. Thread-safe. */
public final class TransactionMetrics {
    /** What can become of a transaction. */
    public static final List<String> OUTCOMES = List.of("committed", "aborted", "refused", "unknown");

    private final MetricSet metrics;
    private final Refusals refusals;

    public TransactionMetrics(MetricSet metrics, Refusals refusals) {
        this.metrics = metrics;
        this.refusals = refusals;
    }

    /** @param kind write, strict or snapshot */
    public void answered(String kind, Answer answer, long nanos) {
        String outcome = outcomeOf(answer);
        metrics.count(Metric.TRANSACTIONS, kind, outcome).increment();
        if (answer instanceof Answer.Done || answer instanceof Answer.Snapshot) {
            metrics.distribution(Metric.TRANSACTION_LATENCY_MICROS, kind).add(TimeUnit.NANOSECONDS.toMicros(nanos));
        } else if (answer instanceof Answer.Refused refused) {
            refusals.add("transaction", "", causeOf(refused.refusal()), refused.detail());
        }
    }

    private static String outcomeOf(Answer answer) {
        if (answer instanceof Answer.Done done) {
            return done.outcome() instanceof Outcome.Committed ? "committed" : "aborted";
        } else if (answer instanceof Answer.Snapshot) {
            return "committed";
        } else if (answer instanceof Answer.ReadFailed) {
            return "aborted";
        }
        return answer instanceof Answer.Refused ? "refused" : "unknown";
    }

    private static RefusalCause causeOf(Answer.Refusal refusal) {
        return switch (refusal) {
            case OVERLOADED -> RefusalCause.OVERLOADED;
            case NOT_PROPOSED -> RefusalCause.NOT_PROPOSED;
            case BEHIND -> RefusalCause.BEHIND;
            case NOT_READY -> RefusalCause.NOT_READY;
            case TOO_LARGE -> RefusalCause.TOO_LARGE;
        };
    }

    /** The process reports something of this kind, such as that it leads a lane. */
    public void reported(Enum<?> kind) {
        metrics.count(Metric.TRANSACTION_EVENTS, kind.name().toLowerCase(Locale.ROOT))
                .increment();
    }
}
