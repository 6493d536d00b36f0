/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was refused of late: of each operation, table and cause how often, when, and the last text. Bounded; what was
 * refused longest ago goes first, so a flood of one kind pushes no other out. Thread-safe.
 */
public final class Refusals {
    static final int MOST_KEPT = 100;
    static final int MOST_CHARS = 1_000;

    private record Kind(String operation, String table, RefusalCause cause) {}

    /**
     * Immutable.
     *
     * @param times how often since it was first refused, or forgotten
     * @param text the last message; names cause and cure
     */
    public record Entry(
            String operation,
            String table,
            RefusalCause cause,
            long times,
            long firstMillis,
            long lastMillis,
            String text) {}

    private final MetricSet metrics;
    private final Map<Kind, Entry> entries = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Kind, Entry> eldest) {
            return size() > MOST_KEPT;
        }
    };

    public Refusals(MetricSet metrics) {
        this.metrics = metrics;
    }

    /** Remembers the failure of an operation if it is a refusal. The caller passes it on. */
    public void note(String operation, String table, RuntimeException failure) {
        if (failure instanceof Refused refused) {
            add(operation, table, refused.cause(), String.valueOf(failure.getMessage()));
        }
    }

    public void add(String operation, String table, RefusalCause cause, String text) {
        metrics.count(Metric.REFUSALS, operation, cause.name().toLowerCase(java.util.Locale.ROOT))
                .increment();
        long nowMillis = System.currentTimeMillis();
        String kept = text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS);
        Kind kind = new Kind(operation, table, cause);
        synchronized (entries) {
            Entry before = entries.get(kind);
            entries.put(
                    kind,
                    new Entry(
                            operation,
                            table,
                            cause,
                            before == null ? 1 : before.times + 1,
                            before == null ? nowMillis : before.firstMillis,
                            nowMillis,
                            kept));
        }
    }

    /** Those refused longest ago first. */
    public List<Entry> recent() {
        synchronized (entries) {
            return new ArrayList<>(entries.values());
        }
    }
}
