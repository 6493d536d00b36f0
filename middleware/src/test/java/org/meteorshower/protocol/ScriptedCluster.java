/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * A cluster that does nothing but what the test says: time stands still until {@link #run}, messages take the time that
 * the test gave their link, and those over a cut link are lost. Nodes are numbered from 1.
 */
final class ScriptedCluster {
    static final long START_MICROS = 1_000_000_000_000L;

    private record Mail(long dueMicros, long order, NodeId from, NodeId to, Message message) {}

    private final Map<NodeId, ScriptedNode> nodes = new LinkedHashMap<>();
    private final Map<String, Long> delaysMicros = new HashMap<>();
    private final Set<String> cut = new HashSet<>();
    private final List<Mail> mail = new ArrayList<>();
    private final List<Mail> log = new ArrayList<>();
    private final ReplicaGroup group;
    private final Map<UUID, ReplicaGroup> placed = new HashMap<>();
    private Predicate<Message> lost = message -> false;
    private long posted;
    private boolean duplicating;
    long nowMicros = START_MICROS;
    Transcript transcript;

    private ScriptedCluster(int size, int writeQuorum, boolean strictAtHome, Settings settings) {
        List<NodeId> ids = new ArrayList<>();
        for (int i = 1; i <= size; i++) {
            ids.add(NodeId.of(i));
        }
        group = new ReplicaGroup(ids, writeQuorum, strictAtHome);
        ids.forEach(id -> nodes.put(id, new ScriptedNode(id, this, settings)));
    }

    /** Three nodes, no delays, streams up, the table empty and served. */
    static ScriptedCluster ofThree() {
        return of(3, 2, TestSettings.plain());
    }

    static ScriptedCluster of(int size, int writeQuorum, TestSettings settings) {
        ScriptedCluster cluster = unstarted(size, writeQuorum, settings);
        cluster.startAll();
        return cluster;
    }

    static ScriptedCluster unstarted(int size, int writeQuorum, TestSettings settings) {
        return new ScriptedCluster(size, writeQuorum, false, settings.build());
    }

    /** Three nodes whose strict reads are answered by leases. */
    static ScriptedCluster strictAtHome() {
        return new ScriptedCluster(3, 2, true, TestSettings.plain().build());
    }

    void startAll() {
        nodes.values().forEach(node -> node.start(Recovery.none(1)));
        nodes.values().forEach(node -> node.step(new Event.TableEnabled(Put.TABLE, true)));
        run(200);
    }

    ReplicaGroup group() {
        return group;
    }

    Placement placement() {
        return new Placement() {
            @Override
            public ReplicaGroup replicasOf(PartitionKey key) {
                return placed.getOrDefault(key.table(), group);
            }

            @Override
            public Set<ReplicaGroup> groupsOf(UUID table) {
                return Set.of(placed.getOrDefault(table, group));
            }
        };
    }

    /** These nodes hold the table by this name, and not all. */
    void place(UUID name, ReplicaGroup holders) {
        placed.put(name, holders);
    }

    ScriptedNode node(int number) {
        return nodes.get(NodeId.of(number));
    }

    long nowNanos() {
        return nowMicros * 1_000;
    }

    // --- the network -------------------------------------------------------------------------------------------

    private static String link(NodeId from, NodeId to) {
        return from + ">" + to;
    }

    /** Both ways. */
    ScriptedCluster oneWayMillis(int a, int b, long millis) {
        delaysMicros.put(link(NodeId.of(a), NodeId.of(b)), millis * 1_000);
        delaysMicros.put(link(NodeId.of(b), NodeId.of(a)), millis * 1_000);
        return this;
    }

    void cutOneWay(int from, int to) {
        cut.add(link(NodeId.of(from), NodeId.of(to)));
    }

    void cut(int a, int b) {
        cutOneWay(a, b);
        cutOneWay(b, a);
    }

    /** From all others. */
    void cutOff(int node) {
        for (NodeId other : nodes.keySet()) {
            if (!other.equals(NodeId.of(node))) {
                cut(node, (int) other.value().getLeastSignificantBits());
            }
        }
    }

    void heal() {
        cut.clear();
        lost = message -> false;
    }

    /** Messages of this kind are lost from now on. */
    void lose(Predicate<Message> which) {
        lost = which;
    }

    /** From now on every message arrives twice. */
    void duplicate() {
        duplicating = true;
    }

    void post(NodeId from, NodeId to, Message message) {
        Mail one = new Mail(nowMicros + delaysMicros.getOrDefault(link(from, to), 0L), posted++, from, to, message);
        log.add(one);
        if (cut.contains(link(from, to)) || lost.test(message)) {
            return;
        }
        mail.add(one);
        if (duplicating) {
            mail.add(new Mail(one.dueMicros + 3_000, posted++, from, to, message));
        }
    }

    /** All messages of this type that {@code from} has sent to {@code to}, lost ones included. */
    <M extends Message> List<M> sent(int from, int to, Class<M> type) {
        List<M> found = new ArrayList<>();
        for (Mail one : log) {
            if (one.from.equals(NodeId.of(from)) && one.to.equals(NodeId.of(to)) && type.isInstance(one.message)) {
                found.add(type.cast(one.message));
            }
        }
        return found;
    }

    void forgetSent() {
        log.clear();
    }

    // --- time --------------------------------------------------------------------------------------------------

    /** Delivers what is due now, and what comes of it. */
    void deliver() {
        for (int i = 0; i < 100_000; i++) {
            Mail next = mail.stream()
                    .filter(one -> one.dueMicros <= nowMicros)
                    .min(Comparator.comparingLong(Mail::dueMicros).thenComparingLong(Mail::order))
                    .orElse(null);
            if (next == null) {
                return;
            }
            mail.remove(next);
            ScriptedNode to = nodes.get(next.to);
            if (to != null && to.isUp()) {
                to.step(new Event.Received(next.from, next.message));
            }
        }
        throw new IllegalStateException("messages breed messages without an end");
    }

    /** Lets time pass, millisecond by millisecond, each node ticking at each. */
    void run(long millis) {
        deliver();
        for (long i = 0; i < millis; i++) {
            nowMicros += 1_000;
            deliver();
            for (ScriptedNode node : nodes.values()) {
                if (node.isUp()) {
                    node.step(new Event.Tick());
                }
            }
            deliver();
        }
    }

    // --- whole operations --------------------------------------------------------------------------------------

    /** A write that reaches every node at once and is acknowledged. */
    ScriptedNode.Write write(int coordinator, String value) {
        ScriptedNode.Write write = node(coordinator).write(value, 0);
        nodes.values().forEach(node -> node.apply(write.put()));
        nodes.values().forEach(node -> node.acknowledge(write));
        deliver();
        return write;
    }
}
