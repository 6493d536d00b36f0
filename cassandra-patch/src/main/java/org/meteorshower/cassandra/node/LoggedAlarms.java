/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.meteorshower.cassandra.metrics.Metric;
import org.meteorshower.cassandra.metrics.MetricSet;
import org.meteorshower.protocol.Effect.Alarm;
import org.meteorshower.protocol.Effect.AlarmKind;
import org.meteorshower.runtime.AlarmListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes alarms to the log, each kind at most once a second, and counts them all. Called by one thread at a time. */
final class LoggedAlarms implements AlarmListener {
    private static final Logger log = LoggerFactory.getLogger(LoggedAlarms.class);
    private static final long PAUSE_NANOS = 1_000_000_000;

    private static final class Count {
        long total;
        long logged;
        long loggedNanos = System.nanoTime() - PAUSE_NANOS;
    }

    private final Map<AlarmKind, Count> counts = new EnumMap<>(AlarmKind.class);
    private final MetricSet metrics;

    LoggedAlarms(MetricSet metrics) {
        this.metrics = metrics;
        for (AlarmKind kind : AlarmKind.values()) {
            metrics.count(Metric.ALARMS, nameOf(kind)); // so that each is there, as 0
        }
    }

    private static String nameOf(AlarmKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public void alarm(Alarm alarm) {
        Count count = counts.computeIfAbsent(alarm.kind(), kind -> new Count());
        count.total++;
        metrics.count(Metric.ALARMS, nameOf(alarm.kind())).increment();
        long nowNanos = System.nanoTime();
        if (nowNanos - count.loggedNanos >= PAUSE_NANOS) {
            log.warn(
                    "MeteorShower alarm {}: {} ({} of this kind since the last line, {} in all)",
                    alarm.kind(),
                    alarm.detail(),
                    count.total - count.logged,
                    count.total);
            count.logged = count.total;
            count.loggedNanos = nowNanos;
        }
    }
}
