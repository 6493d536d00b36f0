/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.protocol.Awaited;
import org.meteorshower.protocol.ReadMode;

/** Measures what clients ask of enabled tables. Thread-safe; on the path of every request, so it takes no locks. */
public final class TableMetrics {
    private final MetricSet metrics;
    private final Map<TableId, OfTable> tables = new ConcurrentHashMap<>();
    private final Map<Awaited, MetricSet.Count> awaited = new EnumMap<>(Awaited.class);

    public TableMetrics(MetricSet metrics) {
        this.metrics = metrics;
        for (Awaited each : Awaited.values()) {
            awaited.put(each, metrics.count(Metric.READS_AWAITED, lower(each)));
        }
    }

    /** What came of a read. */
    public enum ReadOutcome {
        LOCAL,
        OLDER,
        WAITED,
        PULLED,
        /** Cassandra's own: the table is being filled. */
        PLAIN,
        /** Another replica has served it. */
        FORWARDED,
        REFUSED
    }

    /** What came of a write. */
    public enum WriteOutcome {
        ACKNOWLEDGED,
        /** It timed out, and may take effect yet. */
        UNKNOWN,
        REFUSED,
        /** Cassandra could not carry it out. */
        FAILED
    }

    /** The modes as they are told apart; all bounds are one. */
    private static final List<String> MODES =
            List.of("sequential", "bounded", "meteorshower1", "meteorshower2", "strict");

    public static List<String> modes() {
        return MODES;
    }

    private static int numberOf(ReadMode mode) {
        return switch (mode.kind()) {
            case SEQUENTIAL -> 0;
            case BOUNDED -> mode.thetaMicros() == 0 ? 2 : 1;
            case BOUNDED_BY_DELAY -> 3;
            case STRICT -> 4;
        };
    }

    public static String nameOf(ReadMode mode) {
        return MODES.get(numberOf(mode));
    }

    public ReadMeter reads(TableMetadata table, ReadMode mode) {
        return of(table).reads(numberOf(mode));
    }

    public WriteMeter writes(TableMetadata table) {
        return of(table).writes;
    }

    private OfTable of(TableMetadata table) {
        OfTable known = tables.get(table.id);
        return known != null
                ? known
                : tables.computeIfAbsent(table.id, id -> new OfTable(metrics, table.keyspace, table.name));
    }

    /** A read at this node had to wait. */
    public void awaited(Awaited what) {
        increment(awaited, what);
    }

    private static <K> void increment(Map<K, MetricSet.Count> counts, K key) {
        MetricSet.Count count = counts.get(key);
        if (count != null) {
            count.increment();
        }
    }

    /** Tables that are enabled no more are measured no more. */
    public void retain(Set<TableId> enabled) {
        tables.forEach((id, table) -> {
            if (!enabled.contains(id) && tables.remove(id, table)) {
                metrics.remove(series -> OF_TABLES.contains(series.metric())
                        && series.labels().subList(0, 2).equals(List.of(table.keyspace, table.name)));
            }
        });
    }

    private static final Set<Metric> OF_TABLES = Set.of(
            Metric.READS,
            Metric.READ_LATENCY_MICROS,
            Metric.READ_STALENESS_MICROS,
            Metric.WRITES,
            Metric.WRITE_LATENCY_MICROS);

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static final class OfTable {
        final String keyspace;
        final String name;
        final WriteMeter writes;
        private final MetricSet metrics;
        private final ReadMeter[] reads = new ReadMeter[MODES.size()];

        OfTable(MetricSet metrics, String keyspace, String name) {
            this.metrics = metrics;
            this.keyspace = keyspace;
            this.name = name;
            this.writes = new WriteMeter(metrics, keyspace, name);
        }

        ReadMeter reads(int mode) {
            ReadMeter meter = reads[mode]; // made twice by a race, it is the same: its counters are shared
            if (meter == null) {
                meter = new ReadMeter(metrics, keyspace, name, MODES.get(mode));
                reads[mode] = meter;
            }
            return meter;
        }
    }

    /** Of one table's reads in one mode. */
    public static final class ReadMeter {
        private final Map<ReadOutcome, MetricSet.Count> outcomes = new EnumMap<>(ReadOutcome.class);
        private final Distribution latency;
        private final Distribution staleness;

        private ReadMeter(MetricSet metrics, String keyspace, String table, String mode) {
            for (ReadOutcome outcome : ReadOutcome.values()) {
                outcomes.put(outcome, metrics.count(Metric.READS, keyspace, table, mode, lower(outcome)));
            }
            latency = metrics.distribution(Metric.READ_LATENCY_MICROS, keyspace, table, mode);
            staleness = metrics.distribution(Metric.READ_STALENESS_MICROS, keyspace, table, mode);
        }

        public void served(ReadOutcome outcome, long latencyMicros, long stalenessMicros) {
            increment(outcomes, outcome);
            latency.add(latencyMicros);
            staleness.add(stalenessMicros);
        }

        public void refused() {
            increment(outcomes, ReadOutcome.REFUSED);
        }
    }

    /** Of one table's writes. */
    public static final class WriteMeter {
        private final Map<WriteOutcome, MetricSet.Count> outcomes = new EnumMap<>(WriteOutcome.class);
        private final Distribution latency;

        private WriteMeter(MetricSet metrics, String keyspace, String table) {
            for (WriteOutcome outcome : WriteOutcome.values()) {
                outcomes.put(outcome, metrics.count(Metric.WRITES, keyspace, table, lower(outcome)));
            }
            latency = metrics.distribution(Metric.WRITE_LATENCY_MICROS, keyspace, table);
        }

        public void acknowledged(long latencyMicros) {
            increment(outcomes, WriteOutcome.ACKNOWLEDGED);
            latency.add(latencyMicros);
        }

        public void ended(WriteOutcome outcome) {
            increment(outcomes, outcome);
        }
    }
}
