/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.ways;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.meteorshower.protocol.NodeId;

/**
 * The ways to other nodes, and which replica is asked first: the one with the shortest way; of those that are as near,
 * the one whose turn is longest ago, so that they share the reads evenly. Thread-safe.
 */
public final class Ways {
    /** Ways are equal that differ by this share of the shortest, or by {@link #MARGIN_MICROS}. */
    static final double MARGIN = 0.1;

    static final long MARGIN_MICROS = 1_000;

    /** One of several equals that has so many more calls under way than another waits its turn: it does not keep up. */
    static final int MOST_AHEAD = 16;

    private final Map<NodeId, Way> all = new ConcurrentHashMap<>();
    private final AtomicLong turns = new AtomicLong();

    /**
     * @param order whom to ask, the first one first
     * @param probes whom to send a probe: those of which nothing was measured for a second
     */
    public record Choice(List<Way> order, List<Way> probes) {}

    private record Ranked(Way way, boolean suspected, long micros) {}

    /** The candidates in the order in which they are asked. The first has had its turn then. */
    public Choice choose(List<Candidate> candidates, long nowNanos) {
        List<Ranked> ranked = new ArrayList<>(candidates.size());
        for (Candidate candidate : candidates) {
            Way way = all.computeIfAbsent(candidate.node(), Way::new);
            long micros = way.roundTripMicros();
            ranked.add(new Ranked(way, way.isSuspected(), micros < 0 ? candidate.guessMicros() : micros));
        }
        ranked.sort(Comparator.comparing(Ranked::suspected)
                .thenComparing(Ranked::micros)
                .thenComparing(r -> r.way().node()));
        if (ranked.size() > 1) {
            ranked.add(0, ranked.remove(whoseTurn(ranked)));
        }
        List<Way> order = new ArrayList<>(ranked.size());
        List<Way> probes = new ArrayList<>();
        for (Ranked each : ranked) {
            // The first is measured by the read itself.
            boolean tells = order.isEmpty() && !each.suspected();
            order.add(each.way());
            if (!tells && each.way().beginProbe(nowNanos)) {
                probes.add(each.way());
            }
        }
        if (!order.isEmpty()) {
            order.get(0).takeTurn(turns.incrementAndGet());
        }
        return new Choice(order, probes);
    }

    /** @return where in the sorted list that one of the nearest is whose turn it is */
    private static int whoseTurn(List<Ranked> ranked) {
        Ranked nearest = ranked.get(0);
        long within = nearest.micros() + Math.max(MARGIN_MICROS, (long) (MARGIN * nearest.micros()));
        int equals = 1;
        while (equals < ranked.size()
                && ranked.get(equals).suspected() == nearest.suspected()
                && ranked.get(equals).micros() <= within) {
            equals++;
        }
        int fewest = Integer.MAX_VALUE;
        for (int i = 0; i < equals; i++) {
            fewest = Math.min(fewest, ranked.get(i).way().inFlight());
        }
        int chosen = -1;
        for (int i = 0; i < equals; i++) {
            Way way = ranked.get(i).way();
            if (way.inFlight() <= fewest + MOST_AHEAD
                    && (chosen < 0 || way.turn() < ranked.get(chosen).way().turn())) {
                chosen = i;
            }
        }
        return Math.max(0, chosen); // calls may have begun between the two looks
    }

    /** What status messages tell of a way; it counts until calls have shown more. */
    public void heard(NodeId node, long roundTripMicros) {
        all.computeIfAbsent(node, Way::new).heard(roundTripMicros);
    }

    /** Forgets all other nodes. Calls that are under way there end as if nothing had been. */
    public void retain(Predicate<NodeId> known) {
        all.keySet().removeIf(known.negate());
    }

    public List<Way.Figures> figures() {
        return all.values().stream().map(Way::figures).toList();
    }
}
