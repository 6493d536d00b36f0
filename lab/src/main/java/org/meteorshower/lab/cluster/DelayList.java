/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * One-way delays between data centres, as they are written on the command line.
 *
 * <p>One number holds for every pair. For three data centres three numbers go round the ring: 1-2, 2-3, 1-3, so that
 * {@code --dcs eu,us,asia --delay 50,75,120} reads eu-us 50, us-asia 75, eu-asia 120. For any other count there is one
 * number for each pair in the order 1-2, 1-3, …, 2-3, ….
 */
public final class DelayList {
    /** Longer than any time-out of Cassandra: such a delay is a cut, and wan cut says it better. */
    static final double MAX_MILLIS = 60_000;

    private DelayList() {}

    /** The delay of one pair, the same both ways. */
    public record Pair(String a, String b, double delayMillis) {}

    /** Reads numbers separated by commas. Throws IllegalArgumentException naming the bad one. */
    public static List<Double> parse(String text) {
        List<Double> delays = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            try {
                delays.add(Double.parseDouble(part.strip()));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "'" + part
                                + "' is no delay: give milliseconds one way, for example --delay 50 or --delay 50,75,120",
                        e);
            }
        }
        return delays;
    }

    /** Deals the delays out to the pairs of data centres. Throws IllegalArgumentException where the count is wrong. */
    public static List<Pair> pairs(List<String> dcs, List<Double> delaysMillis) {
        for (double delay : delaysMillis) {
            if (!(delay >= 0 && delay <= MAX_MILLIS)) {
                throw new IllegalArgumentException("a delay must be 0 to " + (long) MAX_MILLIS + " ms, not " + delay);
            }
        }
        List<int[]> order = pairOrder(dcs.size());
        if (delaysMillis.size() != 1 && delaysMillis.size() != order.size()) {
            throw new IllegalArgumentException(delaysMillis.size() + " delays for " + order.size()
                    + " pairs of data centres (" + describe(dcs, order) + "): give one for all, or one for each");
        }
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < order.size(); i++) {
            double delay = delaysMillis.size() == 1 ? delaysMillis.get(0) : delaysMillis.get(i);
            pairs.add(new Pair(dcs.get(order.get(i)[0]), dcs.get(order.get(i)[1]), delay));
        }
        return pairs;
    }

    private static List<int[]> pairOrder(int count) {
        if (count == 3) {
            return List.of(new int[] {0, 1}, new int[] {1, 2}, new int[] {0, 2});
        }
        List<int[]> order = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            for (int j = i + 1; j < count; j++) {
                order.add(new int[] {i, j});
            }
        }
        return order;
    }

    private static String describe(List<String> dcs, List<int[]> order) {
        return order.isEmpty()
                ? "none"
                : String.join(
                        ", ",
                        order.stream()
                                .map(p -> dcs.get(p[0]) + "-" + dcs.get(p[1]))
                                .toList());
    }
}
