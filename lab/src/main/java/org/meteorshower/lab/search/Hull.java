/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * How far plans of a family go: of each number the least and the most that drawn plans have, the faults that they list,
 * when these strike, and how many there are. A changed plan stays within it, so it asks nothing of the promises that
 * drawn plans do not ask.
 */
final class Hull {
    private static final int LEAST_ROOM_FOR_STRIKES = 12;

    private record Range(double least, double most) {}

    private final Map<String, Range> ranges = new HashMap<>();
    private final List<String> free = new ArrayList<>();
    private final List<String> faults;
    private long earliestMicros = Long.MAX_VALUE;
    private long latestMicros;
    private int mostStrikes = LEAST_ROOM_FOR_STRIKES;

    /** @param drawn plans of the family, at least one */
    Hull(Family family, List<ObjectNode> drawn) {
        TreeSet<String> named = new TreeSet<>(family.faults());
        for (ObjectNode plan : drawn) {
            for (String path : PlanTree.leaves(plan)) {
                JsonNode value = PlanTree.at(plan, path);
                if (value.isNumber()) {
                    Range range = new Range(value.asDouble(), value.asDouble());
                    ranges.merge(
                            path, range, (a, b) -> new Range(Math.min(a.least, b.least), Math.max(a.most, b.most)));
                }
            }
            for (JsonNode strike : PlanTree.strikes(plan)) {
                named.add(strike.path("fault").asText());
                earliestMicros =
                        Math.min(earliestMicros, strike.path("atMicros").asLong());
                latestMicros = Math.max(latestMicros, strike.path("atMicros").asLong());
            }
            mostStrikes = Math.max(mostStrikes, PlanTree.strikes(plan).size());
        }
        this.faults = List.copyOf(named);
        for (String path : PlanTree.leaves(drawn.get(0))) {
            if (family.frame().stream().noneMatch(framed -> path.equals(framed) || path.startsWith(framed + "/"))) {
                free.add(path);
            }
        }
    }

    /** Paths of what may be changed by itself, but for the seed and the faults that are listed. */
    List<String> free() {
        return free;
    }

    /** In the order of the alphabet. */
    List<String> faults() {
        return faults;
    }

    int mostStrikes() {
        return mostStrikes;
    }

    /** A moment at which a fault of a drawn plan may strike, near this one. */
    long atMost(long micros) {
        return Math.max(earliestMicros, Math.min(latestMicros, micros));
    }

    /** Whether there is any moment at which a fault may strike. */
    boolean hasStrikes() {
        return latestMicros > 0 && !faults.isEmpty();
    }

    /** @param share of the time in which faults strike, 0..1 */
    long moment(double share) {
        return earliestMicros + (long) (share * (latestMicros - earliestMicros));
    }

    /** The number nearest to this one that drawn plans may have, of the type that {@code like} has. */
    JsonNode within(String path, double value, JsonNode like) {
        Range range = ranges.get(path);
        double clamped = range == null ? like.asDouble() : Math.max(range.least, Math.min(range.most, value));
        if (like.isInt()) {
            return IntNode.valueOf((int) Math.round(clamped));
        }
        return like.isIntegralNumber() ? LongNode.valueOf(Math.round(clamped)) : DoubleNode.valueOf(clamped);
    }

    /** The least that drawn plans have. */
    JsonNode least(String path, JsonNode like) {
        return within(path, Double.NEGATIVE_INFINITY, like);
    }
}
