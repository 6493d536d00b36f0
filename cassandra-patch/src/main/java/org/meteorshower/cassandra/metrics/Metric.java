/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

import java.util.List;
import java.util.Locale;

/**
 * Every metric that the plugin has. Its names in Cassandra's registry, in JMX and in Prometheus all follow from the
 * constant's; docs/METRICS.md explains each, and a test holds the two together.
 */
public enum Metric {
    INFO(Kind.GAUGE, "always 1; the labels say who the node is", "host_id", "data_centre"),
    RUNNING(Kind.GAUGE, "1 while the plugin works, 0 once it has stopped until the node is restarted"),

    READS(
            Kind.COUNTER,
            "SELECTs of clients, by how they were served",
            Labels.KEYSPACE,
            Labels.TABLE,
            Labels.MODE,
            "served"),
    READ_LATENCY_MICROS(
            Kind.DISTRIBUTION,
            "from the request to its answer, of the SELECTs that were served",
            Labels.KEYSPACE,
            Labels.TABLE,
            Labels.MODE),
    READ_STALENESS_MICROS(
            Kind.DISTRIBUTION,
            "how far the cuts of the SELECTs served were behind the coordinator's clock",
            Labels.KEYSPACE,
            Labels.TABLE,
            Labels.MODE),
    READS_AWAITED(Kind.COUNTER, "reads at this node that had to wait, by what they waited for first", "awaited"),
    WAITING_READS(Kind.GAUGE, "reads that wait at this moment"),
    OPEN_READS(Kind.GAUGE, "reads that wait or are being read from the store"),
    FORWARDED_READS_QUEUED(Kind.GAUGE, "reads that other nodes have forwarded here and that wait for a thread"),
    WAY_MICROS(Kind.GAUGE, "round trip to a replica that reads are forwarded to, without what it does", Labels.PEER),
    WAY_SUSPECTED(Kind.GAUGE, "1 where that replica is asked last, since it did not answer, else 0", Labels.PEER),
    WAY_READS(Kind.COUNTER, "reads forwarded to that replica", Labels.PEER),
    WAY_READS_HEDGED(Kind.COUNTER, "of these, those sent to another one as well, since it was late", Labels.PEER),
    WAY_HEDGES_WON(Kind.COUNTER, "reads answered from there first that had been sent elsewhere before", Labels.PEER),

    LEASE_HELD(Kind.GAUGE, "1 while this node may count on the peer's promise for strict reads at home", Labels.PEER),
    LEASE_GIVEN(Kind.GAUGE, "1 while writes wait for the peer, since this node has promised it so", Labels.PEER),
    LEASE_LAGS(Kind.GAUGE, "1 where the peer is heard, does not keep up, and is promised nothing for it", Labels.PEER),
    LEASE_LAPSES(Kind.COUNTER, "promises to the peer that have run out", Labels.PEER),

    WRITES(Kind.COUNTER, "writes of clients, by what came of them", Labels.KEYSPACE, Labels.TABLE, "outcome"),
    WRITE_LATENCY_MICROS(
            Kind.DISTRIBUTION,
            "from the request to its answer, of the writes that were acknowledged",
            Labels.KEYSPACE,
            Labels.TABLE),
    PENDING_WRITES(Kind.GAUGE, "writes of this coordinator that wait for word from w replicas"),

    REFUSALS(Kind.COUNTER, "requests refused, by cause", "operation", "cause"),
    ALARMS(Kind.COUNTER, "alarms of the protocol, by kind", "kind"),

    CHECK_SHARE_PPM(Kind.GAUGE, "which part of the partitions the online checker looks at, in millionths; 0 is off"),
    CHECKED_READS(Kind.COUNTER, "sampled reads, by what the online checker could say of them", "outcome"),
    CHECK_DROPPED(Kind.COUNTER, "what the online checker had no time to look at"),
    VIOLATIONS(Kind.COUNTER, "what the online checker found to be wrong; must stay 0"),

    TABLES_ENABLED(Kind.GAUGE, "tables that the schema declares enabled"),
    TABLE_SERVED(Kind.GAUGE, "1 where the table is served at this node, else 0", Labels.KEYSPACE, Labels.TABLE),
    MODE_AVAILABLE(Kind.GAUGE, "1 where reads in the mode are taken at the moment, else 0", Labels.MODE),

    RECORDS(Kind.GAUGE, "mutations in flight, as far as this node knows"),
    RECORDS_LIMIT(Kind.GAUGE, "max_records"),
    JOURNAL_MUTATIONS(Kind.GAUGE, "mutations in the journal that are not retired"),
    JOURNAL_BYTES(Kind.GAUGE, "what the journal's files take on disk"),
    JOURNAL_LIMIT_BYTES(Kind.GAUGE, "journal.max_mb"),
    CLOCK_AHEAD_MICROS(Kind.GAUGE, "how far the hybrid clock is ahead of this node's physical clock"),

    PEER_LAG_MICROS(Kind.GAUGE, "how far what is known of the peer is behind this node's clock", Labels.PEER),
    PEER_SKEW_MICROS(Kind.GAUGE, "how far the peer's clock seems ahead of this node's", Labels.PEER),
    PEER_DELAY_MICROS(Kind.GAUGE, "one-way delay to the peer, estimated", Labels.PEER),
    PEER_SILENT_MICROS(Kind.GAUGE, "for how long nothing was heard of the peer", Labels.PEER),
    PEER_STREAM_LIVE(Kind.GAUGE, "1 where the peer's stream of status messages is complete, else 0", Labels.PEER),
    PEER_LEFT_BEHIND(Kind.GAUGE, "1 where this node has left the peer behind, else 0", Labels.PEER),
    LEFT_BEHIND_BY(Kind.GAUGE, "1 where the peer has left this node behind, else 0", Labels.PEER),
    PEER_SENT_MESSAGES(Kind.COUNTER, "messages of the protocol sent to the peer", Labels.PEER),
    PEER_SENT_BYTES(Kind.COUNTER, "what these took, frames included", Labels.PEER),
    PEER_RECEIVED_MESSAGES(Kind.COUNTER, "messages of the protocol that came from the peer", Labels.PEER),
    PEER_RECEIVED_BYTES(Kind.COUNTER, "what these took, frames included", Labels.PEER),
    PEER_QUEUED_BYTES(Kind.GAUGE, "what waits to be sent to the peer", Labels.PEER),
    MESSAGES_DROPPED(Kind.COUNTER, "messages that were not sent or not taken, by reason", "reason"),
    HANDSHAKES_REFUSED(Kind.COUNTER, "connections that this node or the other end refused", "by"),
    CALLS_FAILED(Kind.COUNTER, "calls of other nodes (forwarded reads, probes, submissions) that brought no answer"),
    MEMORY_USED_BYTES(Kind.GAUGE, "what this user of the heap holds for the plugin", Labels.USER),
    MEMORY_LIMIT_BYTES(Kind.GAUGE, "what it may hold", Labels.USER),
    MEMORY_PEAK_BYTES(Kind.GAUGE, "the most that it was seen to hold since the node's start", Labels.USER),
    MEMORY_FULL(Kind.COUNTER, "how often it held as much as it may", Labels.USER),
    THREAD_CPU_MICROS(Kind.COUNTER, "processor time of the plugin's own threads that live", "thread"),

    TRANSACTIONS(Kind.COUNTER, "transactions of clients, by what came of them", "kind", "outcome"),
    TRANSACTION_LATENCY_MICROS(
            Kind.DISTRIBUTION, "from the request to its answer, of the transactions that were carried out", "kind"),
    TRANSACTION_EVENTS(Kind.COUNTER, "what the process of this data centre has reported, by kind", "event"),
    TRANSACTION_PROCESS(Kind.GAUGE, "1 where this node runs its data centre's process, else 0", "lane_group"),
    TRANSACTION_PROCESS_WHOLE(Kind.GAUGE, "1 where that process has its votes and tables, else 0", "lane_group"),
    TRANSACTION_WAITING(Kind.GAUGE, "requests that wait at that process for their answer", "lane_group"),
    TRANSACTION_EXECUTED(Kind.GAUGE, "count of the entries that it has executed", "lane_group"),
    TRANSACTION_LANES_LED(Kind.GAUGE, "lanes that it leads", "lane_group"),
    TRANSACTION_PERSISTS(Kind.GAUGE, "batches of records that it has written since its start", "lane_group"),
    TRANSACTION_PERSIST_MICROS(
            Kind.GAUGE, "what a batch took to be durable, on average over the last few", "lane_group"),
    TRANSACTION_ENDS_BEHIND_MICROS(
            Kind.GAUGE, "for how long values with a TTL may have been over that are still there", "lane_group");

    /** What kind of value it is. */
    public enum Kind {
        /** Grows, from 0 at the node's start. */
        COUNTER,
        /** What is so at the moment, as of the last second or so. */
        GAUGE,
        /** How often values of each size came. */
        DISTRIBUTION
    }

    private static final class Labels {
        static final String KEYSPACE = "keyspace";
        static final String TABLE = "table";
        static final String MODE = "mode";
        static final String PEER = "peer";
        static final String USER = "user";
    }

    private static final String MICROS = "_MICROS";

    private final Kind kind;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // List.of gives one that is immutable
    private final List<String> labels;

    Metric(Kind kind, String help, String... labels) {
        this.kind = kind;
        this.help = help;
        this.labels = List.of(labels);
    }

    public Kind kind() {
        return kind;
    }

    public String help() {
        return help;
    }

    public List<String> labels() {
        return labels;
    }

    boolean isDuration() {
        return name().endsWith(MICROS);
    }

    /** In Cassandra's registry and in JMX, where durations are in microseconds: such as ReadLatencyMicros. */
    public String registryName() {
        StringBuilder camel = new StringBuilder();
        for (String word : name().split("_", -1)) {
            camel.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return camel.toString();
    }

    /** In Prometheus, where durations are in seconds: such as meteorshower_read_latency_seconds. */
    public String prometheusName() {
        String base = isDuration() ? name().substring(0, name().length() - MICROS.length()) + "_SECONDS" : name();
        return "meteorshower_" + base.toLowerCase(Locale.ROOT) + (kind == Kind.COUNTER ? "_total" : "");
    }
}
