/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/**
 * What one node of a simulated cluster sends, on average. Immutable.
 *
 * @param tokensPerNode how many pieces of the ring each node holds
 * @param writesPerNode a second, that each node coordinates
 * @param peers that it shares data with
 * @param messages a second
 * @param bytes a second, frames included, before TLS and TCP
 * @param steps of its protocol core a second: messages, ticks and writes
 * @param coreShare of one processor, what these steps and the encoding took on the machine that simulated it
 */
public record TrafficFigures(
        int nodes,
        int tokensPerNode,
        double writesPerNode,
        double peers,
        double messages,
        double bytes,
        double steps,
        double coreShare) {
    public static final String SETTING =
            "three data centres 50 ms apart, one replica in each, one enabled table, no losses.";

    public static final List<String> HEAD = List.of(
            "nodes",
            "tokens/node",
            "writes/s",
            "peers",
            "messages/s",
            "bytes/s",
            "bytes/message",
            "core steps/s",
            "core, CPU");

    /** The cells of a table's row, as {@link #HEAD} calls them. */
    public List<String> cells(DoubleFunction<String> number) {
        return List.of(
                Integer.toString(nodes),
                Integer.toString(tokensPerNode),
                number.apply(writesPerNode),
                number.apply(peers),
                number.apply(messages),
                number.apply(bytes),
                number.apply(messages == 0 ? Double.NaN : bytes / messages),
                number.apply(steps),
                String.format(Locale.ROOT, "%.2f %%", coreShare * 100));
    }

    /** What gives these again. */
    public static String command(List<TrafficFigures> figures) {
        return "./meteor simulate --traffic "
                + figures.stream()
                        .map(each -> Integer.toString(each.nodes))
                        .distinct()
                        .collect(Collectors.joining(","));
    }
}
