/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.NoSpamLogger;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.check.OnlineCheck;
import org.meteorshower.cassandra.memory.MemoryBudget;
import org.meteorshower.cassandra.metrics.Metric;
import org.meteorshower.cassandra.metrics.MetricSet;
import org.meteorshower.cassandra.metrics.TableMetrics;
import org.meteorshower.cassandra.schedule.Repeatedly;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.OwnThreads;
import org.meteorshower.cassandra.views.ModesView;
import org.meteorshower.cassandra.views.NodeView;
import org.meteorshower.cassandra.views.PeersView;
import org.meteorshower.cassandra.views.TablesTable;
import org.meteorshower.cassandra.views.WaysView;
import org.meteorshower.cassandra.ways.Way;
import org.meteorshower.onlinecheck.CheckFigures;
import org.meteorshower.protocol.CoreView;
import org.meteorshower.transactions.runtime.Status;
import org.meteorshower.transport.TransportCounters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks once a second at what is not counted as it happens, so that neither JMX nor Prometheus, however often they ask,
 * take the protocol's lock. Has one thread.
 */
final class NodeSampler implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NodeSampler.class);
    private static final int ROLL_EVERY = 10;

    private final MetricSet metrics;
    private final TableMetrics tableMetrics;
    private final NodeLook node;
    private final PeerLook peers;
    private final WaysLook ways;
    private final EnabledTables enabled;
    private final TablesTable.Condition condition;
    private final TransportCounters transport;
    private final OnlineCheck check;
    private final MemoryBudget memory;
    private final Supplier<Map<String, Optional<Status>>> transactions;
    private final OwnThreads threads = OwnThreads.ofThisProcess();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(new NamedThreadFactory("MeteorShower-Sampler"));
    private final Set<String> modesRefused = new HashSet<>();
    private int looks;

    /** @param transactions how this data centre's processes do, by group of lanes: empty where another node runs it */
    NodeSampler(
            MetricSet metrics,
            TableMetrics tableMetrics,
            NodeLook node,
            PeerLook peers,
            EnabledTables enabled,
            TablesTable.Condition condition,
            TransportCounters transport,
            WaysLook ways,
            OnlineCheck check,
            MemoryBudget memory,
            Supplier<Map<String, Optional<Status>>> transactions) {
        this.metrics = metrics;
        this.tableMetrics = tableMetrics;
        this.node = node;
        this.peers = peers;
        this.enabled = enabled;
        this.condition = condition;
        this.transport = transport;
        this.ways = ways;
        this.check = check;
        this.memory = memory;
        this.transactions = transactions;
    }

    void start() {
        Repeatedly.run(thread, "measure", this::look, 1, TimeUnit.SECONDS);
    }

    private void look() {
        try (MetricSet.Look look = metrics.look()) {
            node(look, node.state());
            for (ModesView.Mode mode : node.modes()) {
                look.set(Metric.MODE_AVAILABLE, mode.whyNot() == null, mode.name());
                tellChange(mode);
            }
            peers.peers().forEach(peer -> peer(look, peer));
            peers.leases().forEach(entry -> lease(look, entry.address(), entry.lease()));
            ways.figures().forEach((place, way) -> way(look, place, way));
            tables(look);
            transport(look);
            check(look, check);
            memory.look().forEach(use -> memory(look, use));
            transactions.get().forEach((group, status) -> transactions(look, group, status));
            threads.cpuMicros().forEach((name, micros) -> look.set(Metric.THREAD_CPU_MICROS, micros, name));
        } catch (RuntimeException e) {
            NoSpamLogger.log(log, NoSpamLogger.Level.ERROR, 10, TimeUnit.SECONDS, "MeteorShower: could not measure", e);
        }
        tableMetrics.retain(enabled.all().keySet());
        if (++looks % ROLL_EVERY == 0) {
            metrics.roll();
        }
    }

    private void tellChange(ModesView.Mode mode) {
        if (mode.whyNot() != null && modesRefused.add(mode.name())) {
            log.warn("MeteorShower: reads in mode {} are refused from now on: {}", mode.name(), mode.whyNot());
        } else if (mode.whyNot() == null && modesRefused.remove(mode.name())) {
            log.info("MeteorShower: reads in mode {} are served again", mode.name());
        }
    }

    private static void node(MetricSet.Look look, NodeView.State state) {
        look.set(Metric.INFO, 1, state.hostId().toString(), state.dataCentre());
        look.set(Metric.RUNNING, state.running());
        look.set(Metric.TABLES_ENABLED, state.tablesEnabled());
        look.set(Metric.RECORDS, state.records());
        look.set(Metric.RECORDS_LIMIT, state.maxRecords());
        look.set(Metric.JOURNAL_MUTATIONS, state.journalMutations());
        look.set(Metric.JOURNAL_BYTES, state.journalBytes());
        look.set(Metric.JOURNAL_LIMIT_BYTES, state.journalLimitBytes());
        look.set(Metric.WAITING_READS, state.waitingReads());
        look.set(Metric.OPEN_READS, state.openReads());
        look.set(Metric.PENDING_WRITES, state.pendingWrites());
        look.set(Metric.FORWARDED_READS_QUEUED, state.forwardedQueued());
        look.set(Metric.CLOCK_AHEAD_MICROS, state.clockAheadMicros());
    }

    private static void peer(MetricSet.Look look, PeersView.Peer peer) {
        String name = peer.address();
        set(look, Metric.PEER_LAG_MICROS, peer.lagMicros(), name);
        set(look, Metric.PEER_SKEW_MICROS, peer.skewMicros(), name);
        set(look, Metric.PEER_SILENT_MICROS, peer.silentMicros(), name);
        look.set(Metric.PEER_DELAY_MICROS, peer.delayMicros(), name);
        look.set(Metric.PEER_STREAM_LIVE, peer.stream().equals("live"), name);
        look.set(Metric.PEER_LEFT_BEHIND, !peer.state().equals("in step"), name);
        look.set(
                Metric.LEFT_BEHIND_BY,
                peer.stream().equals("refused") || peer.stream().equals("behind"),
                name);
        look.set(Metric.PEER_SENT_MESSAGES, peer.sent().messages(), name);
        look.set(Metric.PEER_SENT_BYTES, peer.sent().bytes(), name);
        look.set(Metric.PEER_RECEIVED_MESSAGES, peer.received().messages(), name);
        look.set(Metric.PEER_RECEIVED_BYTES, peer.received().bytes(), name);
        look.set(Metric.PEER_QUEUED_BYTES, peer.queuedBytes(), name);
    }

    /** What is not known yet has no value. */
    private static void set(MetricSet.Look look, Metric metric, @Nullable Long value, String name) {
        if (value != null) {
            look.set(metric, value, name);
        }
    }

    private static void lease(MetricSet.Look look, String peer, CoreView.Lease lease) {
        look.set(Metric.LEASE_HELD, lease.heldMicros() > 0, peer);
        look.set(Metric.LEASE_GIVEN, lease.promisedMicros() > 0, peer);
        look.set(Metric.LEASE_LAGS, lease.lags(), peer);
        look.set(Metric.LEASE_LAPSES, lease.lapses(), peer);
    }

    private static void way(MetricSet.Look look, WaysView.Place place, Way.Figures way) {
        String name = place.address();
        if (way.roundTripMicros() >= 0) {
            look.set(Metric.WAY_MICROS, way.roundTripMicros(), name);
        }
        look.set(Metric.WAY_SUSPECTED, way.suspected(), name);
        look.set(Metric.WAY_READS, way.reads(), name);
        look.set(Metric.WAY_READS_HEDGED, way.hedged(), name);
        look.set(Metric.WAY_HEDGES_WON, way.won(), name);
    }

    private void tables(MetricSet.Look look) {
        enabled.all().keySet().forEach(id -> {
            TableMetadata table = Schema.instance.getTableMetadata(id);
            if (table != null) {
                look.set(
                        Metric.TABLE_SERVED,
                        enabled.obstacleTo(id) == null && condition.notReady(table) == null,
                        table.keyspace,
                        table.name);
            }
        });
    }

    private void transport(MetricSet.Look look) {
        look.set(Metric.MESSAGES_DROPPED, transport.droppedFull.sum(), "queue full");
        look.set(Metric.MESSAGES_DROPPED, transport.droppedUnreachable.sum(), "unreachable");
        look.set(Metric.MESSAGES_DROPPED, transport.undecodable.sum(), "undecodable");
        look.set(Metric.MESSAGES_DROPPED, transport.badFrames.sum(), "damaged");
        look.set(Metric.MESSAGES_DROPPED, transport.droppedByWan.sum(), "emulated loss");
        look.set(Metric.HANDSHAKES_REFUSED, transport.refused.sum(), "this node");
        look.set(Metric.HANDSHAKES_REFUSED, transport.refusedByPeer.sum(), "the other");
        look.set(Metric.CALLS_FAILED, transport.callsFailed.sum());
    }

    private static void check(MetricSet.Look look, OnlineCheck check) {
        CheckFigures figures = check.figures();
        look.set(Metric.CHECK_SHARE_PPM, Math.round(1e6 * check.share()));
        look.set(Metric.CHECKED_READS, figures.judged(), "judged");
        look.set(Metric.CHECKED_READS, figures.undecided(), "undecided");
        look.set(Metric.CHECKED_READS, figures.unknown(), "unknown");
        look.set(Metric.CHECKED_READS, figures.overflowed(), "overflowed");
        look.set(Metric.CHECK_DROPPED, check.dropped());
        look.set(Metric.VIOLATIONS, figures.violations());
    }

    private static void memory(MetricSet.Look look, MemoryBudget.Use use) {
        String user = use.user().text();
        look.set(Metric.MEMORY_USED_BYTES, use.usedBytes(), user);
        look.set(Metric.MEMORY_LIMIT_BYTES, use.limitBytes(), user);
        look.set(Metric.MEMORY_PEAK_BYTES, use.peakBytes(), user);
        look.set(Metric.MEMORY_FULL, use.timesFull(), user);
    }

    private static void transactions(MetricSet.Look look, String group, Optional<Status> running) {
        look.set(Metric.TRANSACTION_PROCESS, running.isPresent(), group);
        running.ifPresent(status -> {
            look.set(Metric.TRANSACTION_PROCESS_WHOLE, status.whole(), group);
            look.set(Metric.TRANSACTION_WAITING, status.waiting(), group);
            look.set(Metric.TRANSACTION_EXECUTED, status.checkpoint().count(), group);
            look.set(
                    Metric.TRANSACTION_LANES_LED,
                    status.leads().stream().filter(led -> led).count(),
                    group);
            look.set(Metric.TRANSACTION_PERSISTS, status.persists(), group);
            look.set(Metric.TRANSACTION_PERSIST_MICROS, status.persistMicros(), group);
            look.set(Metric.TRANSACTION_ENDS_BEHIND_MICROS, status.endsBehindMicros(), group);
        });
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
