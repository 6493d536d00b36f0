/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.testcontainers;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How long messages take from one data centre to another, one way. Emulated by the nodes themselves, for Cassandra's
 * messages and for MeteorShower's alike; between clients and nodes there is no delay. Immutable.
 *
 * @param all of every pair that is not named
 * @param pairs of single pairs, by their names in alphabetical order and a dot between them
 * @param away the data centres that hear from no other and are heard by none
 */
public record Distances(Duration all, TreeMap<String, Duration> pairs, Set<String> away) {
    private static final Duration FURTHEST = Duration.ofMinutes(1);

    public Distances {
        check(all);
        pairs.values().forEach(Distances::check);
        pairs = new TreeMap<>(pairs);
        away = Set.copyOf(away);
    }

    /**
     * The same between all data centres.
     *
     * @throws IllegalArgumentException if it is negative or more than a minute
     */
    public static Distances oneWay(Duration all) {
        return new Distances(all, new TreeMap<>(), Set.of());
    }

    /**
     * The same, but for this pair, in both directions.
     *
     * @throws IllegalArgumentException if it is negative or more than a minute, or the two are one
     */
    public Distances and(String one, String other, Duration oneWay) {
        if (one.equals(other)) {
            throw new IllegalArgumentException("There is no distance from data centre " + one + " to itself");
        }
        TreeMap<String, Duration> changed = new TreeMap<>(pairs);
        changed.put(pair(one, other), oneWay);
        return new Distances(all, changed, away);
    }

    Distances without(String dataCentre) {
        Set<String> changed = new TreeSet<>(away);
        changed.add(dataCentre);
        return new Distances(all, pairs, changed);
    }

    Distances with(String dataCentre) {
        Set<String> changed = new TreeSet<>(away);
        changed.remove(dataCentre);
        return new Distances(all, pairs, changed);
    }

    /** In the form that a node follows, see the option {@code wan.file}. */
    String text(Collection<String> dataCentres) {
        for (String pair : pairs.keySet()) {
            refuseUnknown(pair, dataCentres);
        }
        StringBuilder text = new StringBuilder();
        for (String from : dataCentres) {
            for (String to : dataCentres) {
                if (!from.equals(to)) {
                    String link = "." + from + "." + to + "=";
                    text.append("delay").append(link).append(millis(between(from, to)));
                    text.append('\n');
                    if (away.contains(from) || away.contains(to)) {
                        text.append("cut").append(link).append("true\n");
                    }
                }
            }
        }
        return text.toString();
    }

    private Duration between(String one, String other) {
        @Nullable Duration own = pairs.get(pair(one, other));
        return own == null ? all : own;
    }

    private static void refuseUnknown(String pair, Collection<String> dataCentres) {
        for (String name : pair.split("\\.", -1)) {
            if (!dataCentres.contains(name)) {
                throw new IllegalArgumentException("A distance is given for data centre " + name
                        + ", and there is none of that name: " + String.join(", ", dataCentres));
            }
        }
    }

    private static String pair(String one, String other) {
        return one.compareTo(other) < 0 ? one + "." + other : other + "." + one;
    }

    private static String millis(Duration duration) {
        return BigDecimal.valueOf(duration.toNanos(), 6).stripTrailingZeros().toPlainString();
    }

    private static void check(Duration distance) {
        if (distance.isNegative() || distance.compareTo(FURTHEST) > 0) {
            throw new IllegalArgumentException(
                    "A distance is 0 to " + FURTHEST.toSeconds() + " s one way, not " + distance);
        }
    }
}
