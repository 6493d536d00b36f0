/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.console.Json;
import org.meteorshower.lab.console.Numbers;

/**
 * The status traffic of simulated clusters, by node: with few peers and with as many as Cassandra's tokens make, idle
 * and not.
 */
public final class TrafficShow {
    private static final int MOST_NODES = 3_000;
    private static final double WRITES_PER_NODE = 20;

    /**
     * So many does Cassandra give a node by itself. Not for large clusters here: each node then has dozens of peers.
     */
    private static final int MANY_TOKENS = 16;

    private static final int MOST_NODES_OF_MANY_TOKENS = 300;

    private TrafficShow() {}

    /**
     * Simulates a cluster of each size, and again with writes, and those that are not too large with many tokens.
     *
     * @param heard told of each as it is done
     * @throws IllegalArgumentException where there is no such cluster
     */
    public static List<TrafficFigures> simulate(List<Integer> sizes, Consumer<TrafficFigures> heard) {
        sizes.forEach(TrafficShow::requirePossible);
        List<TrafficFigures> all = new ArrayList<>();
        for (int tokens : new int[] {1, MANY_TOKENS}) {
            for (double writes : new double[] {0, WRITES_PER_NODE}) {
                for (int nodes : sizes) {
                    if (tokens == 1 || nodes <= MOST_NODES_OF_MANY_TOKENS) {
                        TrafficFigures figures = new TrafficSimulation(nodes, tokens, writes).run();
                        all.add(figures);
                        heard.accept(figures);
                    }
                }
            }
        }
        return all;
    }

    private static void requirePossible(int nodes) {
        if (nodes < EvenRing.DATA_CENTRES || nodes > MOST_NODES || nodes % EvenRing.DATA_CENTRES != 0) {
            throw new IllegalArgumentException("--traffic: a cluster of " + nodes
                    + " nodes; give multiples of 3, for three data centres, up to " + MOST_NODES);
        }
    }

    /** Of text as {@code 9,99,999}. */
    static List<Integer> sizes(String text) {
        try {
            return Arrays.stream(text.split(","))
                    .map(String::strip)
                    .map(Integer::valueOf)
                    .toList();
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "--traffic: '" + text + "' is no list of sizes; give numbers of nodes, such as 9,99,999");
        }
    }

    static int show(String sizes, @Nullable Path json, PrintWriter out) {
        out.println("By node; " + TrafficFigures.SETTING);
        line(out, TrafficFigures.HEAD);
        List<TrafficFigures> all = simulate(sizes(sizes), each -> line(out, each.cells(Numbers::of)));
        if (json != null) {
            ObjectNode root = Json.object();
            root.set("traffic", json(all));
            Json.write(root, json);
        }
        return 0;
    }

    private static void line(PrintWriter out, List<String> cells) {
        StringBuilder line = new StringBuilder();
        cells.forEach(cell -> line.append(String.format("%14s", cell)));
        out.println(line);
        out.flush();
    }

    /** For programs. */
    public static ArrayNode json(List<TrafficFigures> all) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (TrafficFigures each : all) {
            ObjectNode one = array.addObject();
            one.put("nodes", each.nodes());
            one.put("tokens_per_node", each.tokensPerNode());
            one.put("writes_per_s_per_node", each.writesPerNode());
            one.put("peers_per_node", each.peers());
            one.put("messages_per_s_per_node", each.messages());
            one.put("bytes_per_s_per_node", each.bytes());
            one.put("core_steps_per_s_per_node", each.steps());
            one.put("core_cpu_share", each.coreShare());
        }
        return array;
    }
}
