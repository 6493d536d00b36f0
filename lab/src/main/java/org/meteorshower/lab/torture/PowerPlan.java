/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Draws whose power goes, and when. The same seed gives the same. For one thread. */
final class PowerPlan {
    private static final double ALL = 0.75;
    private static final double EARLY = 0.25;
    private static final long EARLIEST_MILLIS = 1_500;
    private static final long LATEST_MILLIS = 12_000;
    private static final List<Double> SHARES = List.of(0.0, 0.0, 0.05, 0.5, 0.95);

    private final Random random;
    private final List<String> nodes;
    private final long loadMillis;

    /**
     * One loss of power.
     *
     * @param nodes who is struck
     * @param isEarly whether while they start, if they do
     * @param afterMillis of load, or since the start began
     * @param share of what was not forced that has reached the disk all the same
     * @param seed decides what of it
     */
    record Cut(List<String> nodes, boolean isEarly, long afterMillis, double share, long seed) {
        Cut {
            nodes = List.copyOf(nodes);
        }
    }

    PowerPlan(long seed, List<String> nodes, long loadMillis) {
        random = new Random(seed);
        this.nodes = List.copyOf(nodes);
        this.loadMillis = loadMillis;
    }

    /** @param starting whether nodes are about to start, all of them */
    Cut next(boolean starting) {
        boolean early = random.nextDouble() < EARLY && starting;
        List<String> struck = new ArrayList<>(nodes);
        if (random.nextDouble() >= ALL && !early && nodes.size() > 1) {
            Collections.shuffle(struck, random);
            struck = struck.subList(0, 1 + random.nextInt(nodes.size() - 1));
        }
        long after = early
                ? EARLIEST_MILLIS + random.nextLong(LATEST_MILLIS - EARLIEST_MILLIS)
                : loadMillis / 4 + random.nextLong(loadMillis * 3 / 2);
        double share = SHARES.get(random.nextInt(SHARES.size()));
        return new Cut(struck, early, after, share, random.nextLong());
    }
}
