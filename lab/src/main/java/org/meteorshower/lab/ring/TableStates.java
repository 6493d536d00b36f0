/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ring;

import com.datastax.oss.driver.api.core.DriverException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.Progress;
import org.meteorshower.lab.cluster.Waiting;

/** How the enabled tables do at each node of a cluster. Keeps its connections until it is closed. For one thread. */
public final class TableStates implements AutoCloseable {
    /** Nodes learn of a change of the ring a moment later: until then all may seem to be well. */
    private static final Duration STEADY = Duration.ofSeconds(3);

    private static final Duration PAUSE = Duration.ofMillis(300);

    /** What a node says of a table that it serves, or has served by those that hold it. */
    private static final Set<String> WELL =
            Set.of("served", "this node holds no replica of it, and forwards its reads");

    private final LocalCluster cluster;
    private final Map<NodeSpec, NodeCql> connections = new HashMap<>();

    public TableStates(LocalCluster cluster) {
        this.cluster = cluster;
    }

    /** Keyspace and name of each enabled table that any node knows. */
    public Set<String> tables() {
        Set<String> found = new TreeSet<>();
        states().values().forEach(each -> found.addAll(each.keySet()));
        return found;
    }

    /** A line for each table that is not served and what is said of it, with the nodes; empty where all is well. */
    public List<String> notServed() {
        return notServed(states());
    }

    static List<String> notServed(Map<String, Map<String, String>> byNode) {
        Set<String> tables = new TreeSet<>();
        byNode.values().forEach(each -> tables.addAll(each.keySet()));
        tables.remove(SILENT);
        List<String> lines = new ArrayList<>();
        Map<String, List<String>> nodes = new LinkedHashMap<>();
        byNode.forEach((node, states) -> {
            if (states.containsKey(SILENT)) {
                lines.add(node + " does not say how its tables do: " + states.get(SILENT));
                return;
            }
            for (String table : tables) {
                String state = states.getOrDefault(table, "not known there yet");
                if (!WELL.contains(state)) {
                    nodes.computeIfAbsent(table + " is not served at %s: " + state, line -> new ArrayList<>())
                            .add(node);
                }
            }
        });
        nodes.forEach((line, those) -> lines.add(line.replaceFirst("%s", String.join(", ", those))));
        return lines;
    }

    private static final String SILENT = "";

    private Map<String, Map<String, String>> states() {
        Map<String, Map<String, String>> byNode = new LinkedHashMap<>();
        forgetThoseGone();
        for (NodeSpec node : cluster.nodes()) {
            try {
                byNode.put(node.name(), at(node).tableStates());
            } catch (DriverException e) {
                forget(node);
                byNode.put(node.name(), Map.of(SILENT, NodeCql.why(e)));
            }
        }
        return byNode;
    }

    private NodeCql at(NodeSpec node) {
        NodeCql known = connections.get(node);
        if (known == null) {
            known = new NodeCql(node);
            connections.put(node, known);
        }
        return known;
    }

    private void forgetThoseGone() {
        Set<NodeSpec> there = new HashSet<>(cluster.nodes());
        for (NodeSpec node : List.copyOf(connections.keySet())) {
            if (!there.contains(node)) {
                forget(node);
            }
        }
    }

    private void forget(NodeSpec node) {
        NodeCql known = connections.remove(node);
        if (known != null) {
            known.close();
        }
    }

    /**
     * Waits until every node serves every enabled table, and has for some seconds.
     *
     * @param progress told of each change of what is awaited
     * @return what is still not served after the limit; empty where all is well
     */
    public List<String> awaitServed(Duration limit, Progress progress) {
        long deadline = System.nanoTime() + limit.toNanos();
        long wellSince = System.nanoTime();
        List<String> before = List.of();
        while (true) {
            List<String> now = notServed();
            long nanos = System.nanoTime();
            if (!now.isEmpty()) {
                wellSince = nanos;
            }
            if (!now.equals(before)) {
                List<String> known = before;
                now.stream().filter(line -> !known.contains(line)).forEach(line -> progress.say("  " + line));
                before = now;
            }
            if (nanos - wellSince >= STEADY.toNanos() || nanos - deadline >= 0) {
                return now;
            }
            Waiting.pause(PAUSE);
        }
    }

    @Override
    public void close() {
        connections.values().forEach(NodeCql::close);
        connections.clear();
    }
}
