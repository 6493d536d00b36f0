/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * The metrics of one node, each with the values of its labels. There are as many as the schema has enabled tables and
 * the cluster nodes, times a constant. Thread-safe.
 */
public final class MetricSet {
    /** One metric with the values of its labels, in the metric's order. */
    public record Series(Metric metric, List<String> labels) {
        public Series {
            if (labels.size() != metric.labels().size()) {
                throw new IllegalArgumentException(
                        metric + " has the labels " + metric.labels() + ", and was given " + labels);
            }
        }
    }

    /** What a series holds. */
    public sealed interface Value permits Count, Level, Distribution {}

    /** A number. */
    public sealed interface Figure permits Count, Level {
        long value();
    }

    /** Counts what happens. Thread-safe, without contention. */
    public static final class Count implements Value, Figure {
        private final LongAdder adder = new LongAdder();

        public void increment() {
            adder.increment();
        }

        @Override
        public long value() {
            return adder.sum();
        }
    }

    /** What was found at the last look. */
    public static final class Level implements Value, Figure {
        private volatile long value;

        @Override
        public long value() {
            return value;
        }
    }

    /** Hears of series that come and go. Called by any thread, at most once for each. */
    public interface Listener {
        void added(Series series, Value value);

        void removed(Series series);
    }

    /** For who shows them nowhere else. */
    public static final Listener SILENT = new Listener() {
        @Override
        public void added(Series series, Value value) {}

        @Override
        public void removed(Series series) {}
    };

    private final Map<Series, Value> all = new ConcurrentHashMap<>();
    private final Set<Series> looked = new HashSet<>();
    private final Listener listener;

    public MetricSet(Listener listener) {
        this.listener = listener;
    }

    /** The counter, made when it is first asked for. */
    public Count count(Metric metric, String... labels) {
        return (Count) valueOf(new Series(metric, List.of(labels)), new Count());
    }

    /** The distribution, made when it is first asked for. */
    public Distribution distribution(Metric metric, String... labels) {
        return (Distribution) valueOf(new Series(metric, List.of(labels)), new Distribution());
    }

    private Value valueOf(Series series, Value fresh) {
        return all.computeIfAbsent(series, absent -> {
            listener.added(absent, fresh);
            return fresh;
        });
    }

    /** All of them, in no order. */
    public Map<Series, Value> all() {
        return Map.copyOf(all);
    }

    public void remove(Predicate<Series> gone) {
        all.keySet().forEach(series -> {
            if (gone.test(series)) {
                remove(series);
            }
        });
    }

    private void remove(Series series) {
        if (all.remove(series) != null) {
            listener.removed(series);
        }
    }

    /** To be called every ten seconds. */
    public void roll() {
        all.values().forEach(value -> {
            if (value instanceof Distribution distribution) {
                distribution.roll();
            }
        });
    }

    /** Begins a look at everything that is not counted as it happens. One at a time. */
    public Look look() {
        return new Look();
    }

    /** What one look found. What was there at the last one and is not any more goes when it is closed. */
    public final class Look implements AutoCloseable {
        private final Set<Series> found = new HashSet<>();

        private Look() {}

        public void set(Metric metric, long value, String... labels) {
            Series series = new Series(metric, List.of(labels));
            ((Level) valueOf(series, new Level())).value = value;
            found.add(series);
        }

        public void set(Metric metric, boolean value, String... labels) {
            set(metric, value ? 1 : 0, labels);
        }

        @Override
        public void close() {
            looked.removeAll(found);
            looked.forEach(MetricSet.this::remove);
            looked.clear();
            looked.addAll(found);
        }
    }
}
